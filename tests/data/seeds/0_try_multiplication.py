a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a * b + c
print(d) # Value(data=4.0)
print(d._op) # '+' — d is the result of an addition
print(d._prev) # the mul result and c

a = Value(2.0)
b = Value(3.0)
c = a + b
print(c) # Value(data=5.0)
print(c._prev) # {Value(data=2.0), Value(data=3.0)}
print(c._op) # '+'

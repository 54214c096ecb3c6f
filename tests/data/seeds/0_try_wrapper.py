a = Value(2.0)
b = Value(3.0)
print(a) # Value(data=2.0)
print(a._prev) # set() — no parents, this is a leaf
print(a._op) # '' — no operation produced this

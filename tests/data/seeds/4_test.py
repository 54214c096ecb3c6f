# Build a tiny expression
a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a * b + c # d = 2*(-3) + 10 = 4
d.backward()
print(f"d = {d}") # Value(data=4.0000, grad=1.0000)
print(f"a.grad = {a.grad}") # -3.0 (how much d changes if a changes)
print(f"b.grad = {b.grad}") # 2.0
print(f"c.grad = {c.grad}") # 1.0

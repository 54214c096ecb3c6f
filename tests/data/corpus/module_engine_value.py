# kind: module
from engine import Value

a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a*b + c
d.backward()
print(d.data, a.grad, b.grad, c.grad)

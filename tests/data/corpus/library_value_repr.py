# kind: library
from micrograd.engine import Value

a = Value(-4.0)
b = Value(2.0)
print(a)
c = a + b
c.backward()
print(a, b, c)
c

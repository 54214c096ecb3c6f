# kind: library
from micrograd.engine import Value

for top, bottom in [(1.0, 3.0), (2.0, 3.0), (5.0, 49.0), (7.0, 10.0)]:
    a, b = Value(top), Value(bottom)
    c = a / b
    c.backward()
    print(c.data, a.grad, b.grad)

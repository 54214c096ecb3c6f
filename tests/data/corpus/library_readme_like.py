# kind: library
from micrograd.engine import Value

a = Value(-3.0)
b = Value(1.5)
c = a * b + b**2
d = (c + 2 * a).relu() + (b - a).relu()
e = d**2 / 2.0
e += 8.0 / e
print(f'{e.data:.4f}')
e.backward()
print(f'{a.grad:.4f}')
print(f'{b.grad:.4f}')

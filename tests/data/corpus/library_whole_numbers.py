# kind: library
from micrograd.engine import Value
a = Value(-4.0)
b = Value(2.0)
c = a + b
d = a * b + b**3
c += c + 1
c += 1 + c + (-a)
d += d * 2 + (b + a).relu()
d += 3 * d + (b - a).relu()
e = c - d
f = e**2
g = f / 2.0
g += 10.0 / f
print(f'{g.data:.4f}')
g.backward()
print(f'{a.grad:.4f}')
print(f'{b.grad:.4f}')
print(a, b, c)
x = Value(3)
print(x**2, x * 2, x + 1, -x, x - 5, x / 2)
y = Value(4)**2 + 0

print(y.data, y)
z = Value(2) * Value(3)
z.backward()
print(z, z.grad)
print(Value(5), Value(5).relu(), Value(-5).relu())

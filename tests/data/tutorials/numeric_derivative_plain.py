import math

def f(x, y, z):
    return math.tanh(x*y) + z**2

h = 1e-6
x, y, z = 0.5, -1.0, 3.0
base = f(x, y, z)
slopes = [
    (f(x + h, y, z) - base) / h,
    (f(x, y + h, z) - base) / h,
    (f(x, y, z + h) - base) / h,
]
for name, slope in zip('xyz', slopes):
    print(f"df/d{name} is about {slope:.4f}")

# kind: library
import numpy as np
from micrograd.engine import Value
w = Value(0.5); b = Value(-1.0)
xs = np.linspace(-1, 1, 5)
preds = [w * x + b for x in xs]
print([round(float(p.data), 3) for p in preds])
targets = 2 * xs + 1
loss = sum((p - t) ** 2 for p, t in zip(preds, targets)) / len(xs)
print(loss.data)
loss.backward()
print(round(float(w.grad), 6), round(float(b.grad), 6))
for i in range(20):
    preds = [w * x + b for x in xs]
    loss = sum((p - t) ** 2 for p, t in zip(preds, targets)) / len(xs)
    w.grad = b.grad = 0
    loss.backward()
    w.data -= 0.2 * w.grad
    b.data -= 0.2 * b.grad
print(f"w={w.data:.4f} b={b.data:.4f} loss={loss.data:.2e}")
eps = 1e-6
def f(a, c):
    return ((a * a.relu() + c) ** 2 - a / c).relu()
a, c = Value(1.7), Value(0.4)
out = f(a, c); out.backward()
num = (f(Value(1.7 + eps), Value(0.4)).data - f(Value(1.7 - eps), Value(0.4)).data) / (2 * eps)
print(f"{a.grad:.5f} {num:.5f} {abs(a.grad - num) < 1e-4}")
print(a, c._prev, sorted(ch.data for ch in out._prev), out._op)

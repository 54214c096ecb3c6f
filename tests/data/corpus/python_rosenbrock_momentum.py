# kind: python
import math
from types import SimpleNamespace

class Scalar:
    def __init__(self, val, parents=()):
        self.val, self.parents, self.adjoint = val, parents, 0.0
    def __add__(self, o):
        o = o if isinstance(o, Scalar) else Scalar(o)
        return Scalar(self.val + o.val, ((self, 1.0), (o, 1.0)))
    def __sub__(self, o):
        o = o if isinstance(o, Scalar) else Scalar(o)
        return Scalar(self.val - o.val, ((self, 1.0), (o, -1.0)))
    def __rsub__(self, o): return Scalar(o) - self
    def __mul__(self, o):
        o = o if isinstance(o, Scalar) else Scalar(o)
        return Scalar(self.val * o.val, ((self, o.val), (o, self.val)))
    __rmul__ = __mul__
    def __pow__(self, n): return Scalar(self.val ** n, ((self, n * self.val ** (n - 1)),))
    def pull(self, g=1.0):
        self.adjoint += g
        for p, w in self.parents: p.pull(g * w)

def rosenbrock(x, y): return (1 - x) ** 2 + 100 * (y - x ** 2) ** 2

def minimize(f, start, method, steps=60, **kw):
    s = SimpleNamespace(x=list(start), v=[0.0] * len(start), path=[])
    for k in range(steps):
        args = [Scalar(x) for x in s.x]
        y = f(*args)
        y.pull()
        g = [a.adjoint for a in args]
        method(s, g, **kw)
        if k % 20 == 0:
            s.path.append((k, y.val, math.hypot(*g)))
    return s

def sgd(s, g, lr=1e-3):
    s.x = [x - lr * d for x, d in zip(s.x, g)]

def momentum(s, g, lr=1e-3, beta=0.9):
    s.v = [beta * v + d for v, d in zip(s.v, g)]
    s.x = [x - lr * v for x, v in zip(s.x, s.v)]

for method in (sgd, momentum):
    s = minimize(rosenbrock, (-1.0, 1.0), method)
    print(f"{method.__name__:>8}:", *(f"[{k}] {y:.4f} |g|={n:.3f}" for k, y, n in s.path), sep="  ")
    print(" " * 9, tuple(round(x, 4) for x in s.x))

# kind: python
import math

class V:
    __slots__ = ("data", "grad", "src")
    def __init__(self, data, src=()):
        self.data, self.grad, self.src = data, 0.0, src
    def __add__(self, o): o = o if type(o) is V else V(o); return V(self.data + o.data, ((self, 1.0), (o, 1.0)))
    def __mul__(self, o): o = o if type(o) is V else V(o); return V(self.data * o.data, ((self, o.data), (o, self.data)))
    def __pow__(self, k): return V(self.data ** k, ((self, k * self.data ** (k - 1)),))
    def __sub__(self, o): return self + (o * -1 if type(o) is V else -o)
    __radd__ = __add__; __rmul__ = __mul__
    def back(self, g=1.0):
        self.grad += g
        for v, d in self.src: v.back(d * g)

def value_and_grad(f, xs):
    vs = [V(x) for x in xs]
    y = f(*vs)
    y.back()
    return y.data, [v.grad for v in vs]

def backtracking(f, xs, lr=1.0, beta=0.5, c=1e-4, max_steps=40, tol=1e-6):
    trace = []
    for k in range(max_steps):
        y, g = value_and_grad(f, xs)
        n2 = sum(d * d for d in g)
        trace.append((k, y, math.sqrt(n2)))
        if n2 < tol ** 2:
            break
        t = lr
        while f(*[V(x - t * d) for x, d in zip(xs, g)]).data > y - c * t * n2:
            t *= beta
            if t < 1e-10:
                raise RuntimeError("line search failed")
        xs = [x - t * d for x, d in zip(xs, g)]
    return xs, trace

quad = lambda x, y: (x - 1) ** 2 + 10 * (y + 2) ** 2 + x * y
xs, trace = backtracking(quad, [5.0, 5.0])
for k, y, n in trace[::6]:
    print(f"{k:>3} {y:>14.8f} {n:.3e}")
print(["%.5f" % x for x in xs], len(trace))
det = 2 * 20 - 1
print("exact", round((40 + 40) / det, 5) == round((2 * 20 + 40) / det, 5), round((2*20 + 40)/det, 5), round((-80 - 2) / det, 5))

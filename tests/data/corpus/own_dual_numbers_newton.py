# kind: class
import math
class Dual:
    def __init__(self, re, eps=0.0):
        self.re, self.eps = re, eps
    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.re + o.re, self.eps + o.eps)
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.re * o.re, self.re * o.eps + self.eps * o.re)
    __rmul__ = __mul__
    def __truediv__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.re / o.re, (self.eps * o.re - self.re * o.eps) / o.re ** 2)
    def __rtruediv__(self, o): return Dual(o) / self
    def __neg__(self): return Dual(-self.re, -self.eps)
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return -self + o
    def __lt__(self, o): return self.re < (o.re if isinstance(o, Dual) else o)
    def __abs__(self): return -self if self.re < 0 else self
    def __format__(self, spec): return f"{self.re:{spec}} + {self.eps:{spec}}ε"
    def __iter__(self): yield self.re; yield self.eps

def exp(d): return Dual(math.exp(d.re), d.eps * math.exp(d.re))
def grad(f, *args):
    out = []
    for i in range(len(args)):
        duals = [Dual(a, 1.0 if i == j else 0.0) for j, a in enumerate(args)]
        out.append(f(*duals).eps)
    return out

sigmoid = lambda x: 1 / (1 + exp(-x))
print(f"{sigmoid(Dual(0.5, 1.0)):.4f}")
print(grad(lambda x, y: x * x * y + 3 * y, 2.0, 3.0))
print(min(Dual(3), Dual(1), key=lambda d: d.re).re, Dual(1) < 2, abs(Dual(-2, 1)).eps)
re, eps = Dual(4, 1) / Dual(2)
print(re, eps)
def newton(f, x, n=6):
    for i in range(n):
        d = f(Dual(x, 1.0))
        x = x - d.re / d.eps
        print(f"{i} {x:.10f}")
    return x
newton(lambda x: x * x - 2, 1.0)

# kind: class
import math
from functools import total_ordering

@total_ordering
class Dual:
    __slots__ = ("re", "eps")
    def __init__(self, re, eps=0.0):
        self.re = re
        self.eps = eps
    @classmethod
    def lift(cls, x):
        return x if isinstance(x, cls) else cls(float(x))
    def __add__(self, o):
        if not isinstance(o, (int, float, Dual)):
            return NotImplemented
        o = Dual.lift(o)
        return Dual(self.re + o.re, self.eps + o.eps)
    __radd__ = __add__
    def __neg__(self): return Dual(-self.re, -self.eps)
    def __sub__(self, o): return self + (-Dual.lift(o))
    def __rsub__(self, o): return Dual.lift(o) - self
    def __mul__(self, o):
        o = Dual.lift(o)
        return Dual(self.re*o.re, self.re*o.eps + self.eps*o.re)
    __rmul__ = __mul__
    def __truediv__(self, o):
        o = Dual.lift(o)
        return Dual(self.re/o.re, (self.eps*o.re - self.re*o.eps)/o.re**2)
    def __rtruediv__(self, o): return Dual.lift(o)/self
    def __pow__(self, n): return Dual(self.re**n, n*self.re**(n-1)*self.eps)
    def __eq__(self, o): return self.re == Dual.lift(o).re
    def __lt__(self, o): return self.re < Dual.lift(o).re
    def __hash__(self): return hash((self.re, self.eps))
    def __repr__(self): return f"{self.re!r} + {self.eps!r}ε"
    def __abs__(self): return self if self.re >= 0 else -self
    def __float__(self): return float(self.re)
    def __round__(self, n=None): return Dual(round(self.re, n), round(self.eps, n))
    def __bool__(self): return bool(self.re)

def sin(x): return Dual(math.sin(x.re), math.cos(x.re)*x.eps) if isinstance(x, Dual) else math.sin(x)
def derivative(f, x): return f(Dual(x, 1.0)).eps

def newton(f, x, steps=6):
    for i in range(steps):
        y = f(Dual(x, 1.0))
        print(f"{i}: x={x:.12f} f={y.re:+.3e}")
        x -= y.re / y.eps
    return x
print(newton(lambda x: x*x - 2, 1.0))
print(derivative(lambda x: 1/x + sin(x)*x**3, 2.0))
ds = [Dual(3, 1), Dual(1, 2), Dual(2)]
print(sorted(ds), max(ds), min(ds, key=lambda d: d.eps))
print(Dual(1) >= 1, Dual(1) <= 0, 3 > Dual(2), Dual(2) != 2)
try:
    Dual(1) + "a"
except TypeError as e:
    print(e)
try:
    Dual(1).z = 3
except AttributeError as e:
    print(e)
print(round(Dual(1.23456, 7.891), 2), abs(Dual(-1, 4)), float(Dual(2)), sum(ds, Dual(0)))
print(len({Dual(1), Dual(1), Dual(2, 3)}), bool(Dual(0)), math.floor(float(Dual(2.7))))

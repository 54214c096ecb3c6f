# kind: python
from math import factorial
from fractions import Fraction

class Jet:
    """truncated Taylor series: a list of coefficients"""
    ORDER = 5
    def __init__(self, coeffs):
        self.c = (list(coeffs) + [0.0] * self.ORDER)[:self.ORDER]
    @classmethod
    def variable(cls, x0): return cls([x0, 1.0])
    def __add__(self, o):
        o = o if isinstance(o, Jet) else Jet([o])
        return Jet(a + b for a, b in zip(self.c, o.c))
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Jet) else Jet([o])
        return Jet(sum(self.c[i] * o.c[k - i] for i in range(k + 1)) for k in range(self.ORDER))
    __rmul__ = __mul__
    def __pow__(self, n):
        out = Jet([1.0])
        for _ in range(n): out = out * self
        return out
    def derivatives(self): return [c * factorial(k) for k, c in enumerate(self.c)]
    def __str__(self):
        return " + ".join(f"{c:g}·h^{k}" if k else f"{c:g}" for k, c in enumerate(self.c) if c) or "0"

x = Jet.variable(2.0)
y = 3 * x ** 2 + x * 4 + 1
print(y)
print(y.derivatives())
print((x ** 3).derivatives())

# kind: python
import math
from numbers import Number

class Dual:
    def __init__(self, real, eps=0.0):
        self.real = real
        self.eps = eps

    @classmethod
    def variable(cls, x):
        return cls(x, 1.0)

    def _coerce(self, other):
        if isinstance(other, Dual):
            return other
        if isinstance(other, Number):
            return Dual(other)
        return NotImplemented

    def __add__(self, other):
        other = self._coerce(other)
        if other is NotImplemented:
            return NotImplemented
        return Dual(self.real + other.real, self.eps + other.eps)
    __radd__ = __add__

    def __sub__(self, other):
        other = self._coerce(other)
        return Dual(self.real - other.real, self.eps - other.eps)

    def __rsub__(self, other):
        return Dual(other) - self

    def __mul__(self, other):
        other = self._coerce(other)
        return Dual(self.real * other.real, self.real * other.eps + self.eps * other.real)
    __rmul__ = __mul__

    def __truediv__(self, other):
        other = self._coerce(other)
        return Dual(self.real / other.real,
                    (self.eps * other.real - self.real * other.eps) / other.real**2)

    def __rtruediv__(self, other):
        return Dual(other) / self

    def __pow__(self, n):
        return Dual(self.real**n, n * self.real**(n - 1) * self.eps)

    def __abs__(self):
        return Dual(abs(self.real), self.eps if self.real >= 0 else -self.eps)

    def __lt__(self, other):
        return self.real < (other.real if isinstance(other, Dual) else other)

    def __repr__(self):
        sign = '+' if self.eps >= 0 else '-'
        return f'{self.real} {sign} {abs(self.eps)}ε'

def sin(d): return Dual(math.sin(d.real), math.cos(d.real) * d.eps)
def exp(d): return Dual(math.exp(d.real), math.exp(d.real) * d.eps)

def derivative(f):
    def df(x):
        return f(Dual.variable(x)).eps
    return df

f = lambda x: x**3 - 2*x + 1/x
print(f(Dual(2.0, 1.0)))
print(derivative(f)(2.0))
print(derivative(lambda x: sin(x) * exp(x))(0.5))
print(abs(Dual.variable(-3)), min(Dual(2), Dual(1)))
try:
    Dual(1) + "a"
except TypeError as e:
    print(e)

# Newton's method for sqrt(2)
x = 1.0
g = lambda x: x*x - 2
for i in range(6):
    d = g(Dual.variable(x))
    x -= d.real / d.eps
    print(i, x)

# kind: class
import math

class Dual:
    def __init__(self, a, b=0.0):
        self.a = a
        self.b = b
    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.a + o.a, self.b + o.b)
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.a*o.a, self.a*o.b + self.b*o.a)
    __rmul__ = __mul__
    def __pow__(self, n):
        return Dual(self.a**n, n*self.a**(n-1)*self.b)
    def __repr__(self):
        return f"{self.a} + {self.b}ε"

def sin(d):
    return Dual(math.sin(d.a), math.cos(d.a)*d.b)

def derivative(f, x):
    return f(Dual(x, 1.0)).b

print(derivative(lambda x: 3*x**2 + 2*x + 1, 4.0))
print(derivative(lambda x: x*sin(x), 1.0))
print(Dual(1, 2)*Dual(3, 4))

import math


class Expr:
    def __init__(self, val, *edges):
        self.val = val
        self.d = 0.0
        self.edges = edges

    def __add__(self, other):
        other = Expr.of(other)
        return Expr(self.val + other.val, (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        other = Expr.of(other)
        return Expr(self.val - other.val, (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        other = Expr.of(other)
        return Expr(self.val * other.val, (self, other.val), (other, self.val))

    def __neg__(self):
        return Expr(-self.val, (self, -1.0))

    def __pow__(self, n):
        return Expr(self.val ** n, (self, n * self.val ** (n - 1)))

    def tanh(self):
        t = math.tanh(self.val)
        return Expr(t, (self, 1 - t * t))

    def leaky(self, slope=0.1):
        k = 1.0 if self.val > 0 else slope
        return Expr(k * self.val, (self, k))

    @staticmethod
    def of(x):
        return x if isinstance(x, Expr) else Expr(float(x))

    def backward(self, upstream=1.0):
        self.d += upstream
        for child, local in self.edges:
            child.backward(upstream * local)


x = Expr(-2.0)
y = Expr(0.5)
a = x * y
b = a + y
c = b.tanh() - x
e = (a ** 2).leaky()
f = a.leaky() * c
g = -f + e * b
g.backward()
for name, node in {"x": x, "y": y, "a": a, "b": b, "c": c, "e": e, "f": f}.items():
    print(f"dg/d{name} = {node.d:+.5f}")

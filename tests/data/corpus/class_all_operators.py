# kind: class
class V:
    def __init__(self, d): self.d = d
    def __repr__(self): return f"V({self.d})"
    def __add__(self, o): return V(self.d + (o.d if isinstance(o, V) else o))
    def __radd__(self, o): return V(o + self.d)
    def __sub__(self, o): return V(self.d - (o.d if isinstance(o, V) else o))
    def __rsub__(self, o): return V(o - self.d)
    def __mul__(self, o): return V(self.d * (o.d if isinstance(o, V) else o))
    __rmul__ = __mul__
    def __truediv__(self, o): return V(self.d / (o.d if isinstance(o, V) else o))
    def __rtruediv__(self, o): return V(o / self.d)
    def __pow__(self, o): return V(self.d ** o)
    def __rpow__(self, o): return V(o ** self.d)
    def __neg__(self): return V(-self.d)
    def __pos__(self): return self
    def __abs__(self): return V(abs(self.d))
    def __iadd__(self, o):
        self.d += o.d if isinstance(o, V) else o
        return self
    def __floordiv__(self, o): return V(self.d // o)
    def __mod__(self, o): return V(self.d % o)

a = V(7.0)
print(a + 1, 1 + a, a - 1, 1 - a, a * 2, 2 * a)
print(a / 2, 14 / a, a ** 2, 2 ** V(3), -a, +a, abs(V(-4)))
b = a
b += 3
print(a, b is a, a // 4, a % 4)

# kind: class
from functools import total_ordering
import math

@total_ordering
class Value:
    def __init__(self, data, label=""):
        self.data = data
        self.label = label
        self.grad = 0.0
        self.edges = []
    def _out(self, data, *edges):
        v = Value(data)
        v.edges = list(edges)
        return v
    @staticmethod
    def lift(o): return o if isinstance(o, Value) else Value(o)
    def __add__(self, o):
        o = Value.lift(o)
        return self._out(self.data + o.data, (self, 1), (o, 1))
    def __iadd__(self, o):
        print(f"iadd {self.label}")
        return self + o
    def __mul__(self, o):
        o = Value.lift(o)
        return self._out(self.data * o.data, (self, o.data), (o, self.data))
    def __imul__(self, o):
        out = self * o
        out.label = self.label + "'"
        return out
    def __mod__(self, o): return self._out(self.data % o, (self, 1))
    def __floordiv__(self, o): return self._out(self.data // o)
    def __abs__(self): return self._out(abs(self.data), (self, math.copysign(1, self.data)))
    def __pos__(self): return self
    def __invert__(self): return self._out(1 - self.data, (self, -1))
    def __eq__(self, o): return self.data == Value.lift(o).data
    def __lt__(self, o): return self.data < Value.lift(o).data
    def __hash__(self): return id(self)
    def __bool__(self): return self.data != 0
    def __float__(self): return float(self.data)
    def __int__(self): return int(self.data)
    def __round__(self, n=None): return round(self.data, n)
    def __format__(self, spec): return f"{self.label or 'v'}={format(self.data, spec or '.2f')}"
    def __matmul__(self, o): return self * o
    def __rsub__(self, o): return Value.lift(o) + self * -1
    def __rpow__(self, base):
        y = base ** self.data
        return self._out(y, (self, y * math.log(base)))
    def __call__(self, g=1.0):
        self.grad += g
        for v, d in self.edges: v(g * d)
        return self

a = Value(3.5, "a")
b = a
b += 2
print(b is a, f"{b}", f"{a:.3f}")
c = Value(-2, "c")
c *= a
print(f"{c:+.1f}", c.label)
print(a > c, a >= 3.5, sorted([a, c, b], reverse=True)[0] is b, max(a, c).label)
print(bool(Value(0)), float(a), int(a), round(a, 0), round(a))
y = (abs(c) @ ~a) + 2 ** a + (10 - +a) + a % 2
y()
print(f"{y:.5f} {a.grad:.5f}")
print((a // 2).data, len({a, b, c}), a in [c, a], a != c)

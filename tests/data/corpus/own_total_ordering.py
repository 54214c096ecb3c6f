# kind: class
from functools import total_ordering
import math
@total_ordering
class Value:
    __counter = 0
    def __init__(self, data, prev=(), op='', label=None):
        Value.__counter += 1
        self.data, self._prev, self._op = data, frozenset(prev), op
        self.label = label or f"v{Value.__counter}"
        self.grad = 0.0
        self._backward = self.__noop
    def __noop(self): pass
    def __lt__(self, other): return self.data < getattr(other, "data", other)
    def __eq__(self, other): return self.data == getattr(other, "data", other)
    def __hash__(self): return id(self)
    def __float__(self): return float(self.data)
    def __int__(self): return int(self.data)
    def __bool__(self): return self.data != 0
    def __round__(self, n=None): return round(self.data, n)
    def __abs__(self): return Value(abs(self.data), (self,), 'abs')
    def __iadd__(self, other):
        self.data += getattr(other, 'data', other)
        return self
    def __floordiv__(self, o): return self.data // o
    def __mod__(self, o): return self.data % o
    def __str__(self): return f"{self.label}={self.data}"
    @classmethod
    def total(cls): return cls.__counter
vals = [Value(x) for x in (3.5, -1, 0, 2)]
print(*sorted(vals))
print(max(vals), min(vals), vals[0] > 2, vals[1] <= -1, vals[2] == 0)
print([bool(v) for v in vals], float(vals[0]), int(vals[0]), round(vals[0]), round(Value(2.345), 1))
v = vals[3]; v += 5; v += vals[0]
print(v, v is vals[3], abs(vals[1]).data, v // 2, v % 4)
print(Value.total(), hasattr(v, "_Value__noop"))
print(any(vals), all(vals), sum(v.data for v in vals if v), vals.index(0))

# Full Value class — forward pass only (no gradients yet)
from __future__ import annotations
class Value:
    def __init__(self, data: float, _children: tuple[Value, ...] = (), _op: str = '') -> None:
        self.data = data
        self._prev = set(_children)
        self._op = _op
    def __repr__(self) -> str:
        return f"Value(data={self.data})"
    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        return out
    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        return out
    def __pow__(self, other: int | float) -> Value:
        assert isinstance(other, (int, float))
        out = Value(self.data ** other, (self,), f'**{other}')
        return out
    def __neg__(self) -> Value:
        return self * -1
    def __sub__(self, other: Value | float) -> Value:
        return self + (-other)
    def __truediv__(self, other: Value | float) -> Value:
        return self * other**-1
    def __radd__(self, other: Value | float) -> Value:
        return self + other
    def __rmul__(self, other: Value | float) -> Value:
        return self * other

a = Value(2.0)
b = Value(3.0)
print(a) # Value(data=2.0)
print(a._prev) # set() — no parents, this is a leaf
print(a._op) # '' — no operation produced this

a = Value(2.0)
b = Value(3.0)
c = a + b
print(c) # Value(data=5.0)
print(c._prev) # {Value(data=2.0), Value(data=3.0)}
print(c._op) # '+'

a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a * b + c
print(d) # Value(data=4.0)
print(d._op) # '+' — d is the result of an addition
print(d._prev) # the mul result and c

a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a + b
e = d * c

a = Value(4.0)
b = Value(2.0)
print((a - b).data) # 2.0
print((a / b).data) # 2.0
print((a ** 2).data) # 16.0
print((-a).data) # -4.0

a = Value(3.0)
print((2 * a).data) # 6.0 — triggers __rmul__
print((1 + a).data) # 4.0 — triggers __radd__

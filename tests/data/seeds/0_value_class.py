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

# kind: lecture
class Value:

    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self._prev = set(_children)
        self._op = _op

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        return out

a = Value(4.0)
b = Value(-0.5)
c = Value(3.0)
d = a*b + c
print(d, d._op, len(d._prev))
print(sorted(v.data for v in d._prev))
leaf = a._prev
print(leaf)

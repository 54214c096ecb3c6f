# kind: class
class Value:
    def __init__(self, data, _children=(), _op="", label=None):
        self.data = float(data)
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other, label=str(other))
        return Value(self.data + other.data, (self, other), "+")

    def __radd__(self, other):
        return self + other

    def __repr__(self):
        name = self.label if self.label is not None else "?"
        return "Value(label=%r, data=%.2f, grad=%5.1f, op=%s)" % (name, self.data, self.grad, self._op or "leaf")

a = Value(2, label="a")
b = a + 3
b.label = "b"
print(a)
print(b)
print([a, b])
print(sum([a, b, 1]))

# kind: python
class Value:
    _names = iter("abcdefghijklmnopqrstuvwxyz")

    def __init__(self, data, _prev=(), _op=''):
        self.data, self._prev, self._op = data, _prev, _op
        self.grad = 0.0
        self.label = next(Value._names)

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), '+')

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), '*')

    def _local(self):
        if self._op == '+':
            return 1.0, 1.0
        l, r = self._prev
        return r.data, l.data

    def tree(self, prefix="", last=True, root=True):
        joint = "" if root else ("└── " if last else "├── ")
        op = f" [{self._op}]" if self._op else ""
        yield f"{prefix}{joint}{self.label}{op} data={self.data:g} grad={self.grad:g}"
        if not root:
            prefix += "    " if last else "│   "
        for i, child in enumerate(self._prev):
            yield from child.tree(prefix, i == len(self._prev) - 1, False)

    def depth(self):
        return 1 + max((c.depth() for c in self._prev), default=0)

    def backward(self, g=1.0):
        self.grad += g
        if self._prev:
            for child, local in zip(self._prev, self._local()):
                child.backward(g * local)

a, b, c = Value(2.0), Value(-3.0), Value(10.0)
out = (a * b + c) * (a + b)
out.backward()
print(*out.tree(), sep="\n")
print("depth:", out.depth())
print("-" * 20)
print("\n".join(line.upper() for line in (a + b).tree()))

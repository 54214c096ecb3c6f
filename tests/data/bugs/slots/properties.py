class Cell:
    __slots__ = ("data", "_grad", "_sources", "__weakref__")

    def __init__(self, data, sources=()):
        self.data = data
        self._grad = 0.0
        self._sources = sources

    @property
    def grad(self):
        return self._grad

    @grad.setter
    def grad(self, new):
        self._grad = new

    def __add__(self, o):
        return Cell(self.data + o.data, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        return Cell(self.data * o.data, ((self, o.data), (o, self.data)))

    def __neg__(self):
        return Cell(-self.data, ((self, -1.0),))

    def backward(self, seen=None):
        seen = []

        def visit(c):
            if not any(c is s for s in seen):
                for s, _ in c._sources:
                    visit(s)
                seen.append(c)

        visit(self)
        self.grad = 1.0
        for c in seen[::-1]:
            for s, slope in c._sources:
                s.grad += slope * c.grad


p = Cell(3.0)
q = Cell(0.5)
r = p * q
s = -r + p
t = s * r * s
t.backward()
print(p.grad, q.grad, r.grad, s.grad)

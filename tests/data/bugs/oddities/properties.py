import math


class Quantity:
    def __init__(self, amount, sources=()):
        self._value = float(amount)
        self._grad = 0.0
        self._sources = tuple(sources)

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = float(new)

    @property
    def grad(self):
        return self._grad

    @grad.setter
    def grad(self, new):
        self._grad = new

    def __add__(self, other):
        return Quantity(self.value + other.value, [(self, 1.0), (other, 1.0)])

    def __sub__(self, other):
        return Quantity(self.value - other.value, [(self, 1.0), (other, -1.0)])

    def __mul__(self, other):
        return Quantity(self.value * other.value, [(self, other.value), (other, self.value)])

    def log(self):
        return Quantity(math.log(self.value), [(self, 1 / self.value)])

    @property
    def order(self):
        found = []

        def visit(q):
            if q not in found:
                for s, _ in q._sources:
                    visit(s)
                found.append(q)

        visit(self)
        return found

    def backward(self):
        self.grad = 1.0
        for q in reversed(self.order):
            for s, slope in q._sources:
                s.grad = s.grad + slope * q.grad


a = Quantity(2.5)
b = Quantity(0.75)
c = a * b
d = c.log() - b
e = d * c + a
e.backward()
print(a.grad, b.grad, c.grad, d.grad)

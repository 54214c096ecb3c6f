import math


class Term:
    def __init__(self, value, *sources):
        self.value = value
        self.grad = 0.0
        self.sources = sources

    def __add__(self, other):
        return Term(self.value + other.value, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return Term(self.value * other.value, (self, other.value), (other, self.value))

    def cos(self):
        return Term(math.cos(self.value), (self, -math.sin(self.value)))

    def spread(self, amount=1.0):
        self.grad += amount
        for source, slope in self.sources:
            source.spread(amount * slope)


p = Term(0.4)
q = Term(-1.1)
r = p * q
s = r.cos() + p
t = s * s
u = t + r * s
u.spread()
print(p.grad, q.grad, r.grad, s.grad, t.grad)

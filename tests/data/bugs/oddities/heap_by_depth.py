import heapq
import math


class Unit:
    serial = 0

    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.pull = None
        Unit.serial += 1
        self.serial = Unit.serial

    def __add__(self, other):
        out = Unit(self.data + other.data, (self, other))
        out.pull = self._pull_add
        return out

    def __mul__(self, other):
        out = Unit(self.data * other.data, (self, other))
        out.pull = self._pull_mul
        return out

    def softplus(self):
        out = Unit(math.log1p(math.exp(self.data)), (self,))
        out.pull = self._pull_softplus
        return out

    @staticmethod
    def _pull_add(out):
        left, right = out.parents
        left.grad += out.grad
        right.grad += out.grad

    @staticmethod
    def _pull_mul(out):
        left, right = out.parents
        left.grad += out.grad * right.data
        right.grad += out.grad * left.data

    @staticmethod
    def _pull_softplus(out):
        (x,) = out.parents
        x.grad += out.grad / (1 + math.exp(-x.data))

    def backward(self):
        self.grad = 1.0
        heap = [(-self.serial, self)]
        queued = {self.serial}
        while heap:
            _, unit = heapq.heappop(heap)
            if unit.pull:
                unit.pull(unit)
            for parent in unit.parents:
                if parent.serial not in queued:
                    queued.add(parent.serial)
                    heapq.heappush(heap, (-parent.serial, parent))


a = Unit(0.3)
b = Unit(-1.4)
c = a * b
d = c.softplus()
e = d * c + a
f = e * d
f.backward()
print(a.grad, b.grad, c.grad, d.grad, e.grad)

import math
from functools import partial


class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.give = None

    def receive(self, amount):
        self.grad += amount

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        out.give = partial(give_both, self, other, 1.0, 1.0)
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        out.give = partial(give_both, self, other, other.data, self.data)
        return out

    def sqrt(self):
        out = Value(math.sqrt(self.data), (self,))
        out.give = partial(give_one, self, 0.5 / out.data)
        return out


def give_both(left, right, to_left, to_right, grad):
    left.receive(to_left * grad)
    right.receive(to_right * grad)


def give_one(x, slope, grad):
    x.receive(slope * grad)


def backward(root):
    order = []

    def visit(v):
        if v not in order:
            for c in v.children:
                visit(c)
            order.append(v)

    visit(root)
    root.grad = 1.0
    for v in reversed(order):
        if v.give is not None:
            v.give(v.grad)


a = Value(3.0)
b = Value(1.25)
c = a * b
d = (c + a).sqrt()
e = d * c
backward(e)
print(a.grad, b.grad, c.grad, d.grad)

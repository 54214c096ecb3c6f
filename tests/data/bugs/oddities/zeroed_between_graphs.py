import math


class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0
        self.children = children
        self.pull = None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        out.pull = lambda g: (g, g)
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        out.pull = lambda g: (g * other.data, g * self.data)
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,))
        out.pull = lambda g: (g * out.data,)
        return out

    def sorted(self):
        order = []

        def visit(v):
            if v not in order:
                for c in v.children:
                    visit(c)
                order.append(v)

        visit(self)
        return order

    def zero_grad(self):
        for v in self.sorted():
            v.grad = 0

    def backward(self):
        self.grad = 1
        for v in self.sorted()[::-1]:
            if v.pull:
                for child, g in zip(v.children, v.pull(v.grad)):
                    child.grad += g


a = Value(0.5)
b = Value(-1.5)
c = a * b
first = c.exp() + a
first.backward()
print("first", a.grad, b.grad)
first.zero_grad()
second = c * first + b
second.backward()
print("second", a.grad, b.grad, c.grad)

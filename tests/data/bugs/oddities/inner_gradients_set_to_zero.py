import math


class Tensor:
    def __init__(self, value, inputs=(), rule=None):
        self.value = value
        self.grad = 0.0
        self.inputs = inputs
        self.rule = rule

    @property
    def is_leaf(self):
        return not self.inputs

    def __add__(self, other):
        return Tensor(self.value + other.value, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        return Tensor(
            self.value * other.value, (self, other), lambda g: (g * other.value, g * self.value)
        )

    def sin(self):
        return Tensor(math.sin(self.value), (self,), lambda g: (g * math.cos(self.value),))

    def backward(self):
        order, seen = [], set()

        def visit(t):
            if t in seen:
                return
            seen.add(t)
            for i in t.inputs:
                visit(i)
            order.append(t)

        visit(self)
        for t in order:
            if not t.is_leaf:
                t.grad = 0.0
        self.grad = 1.0
        for t in reversed(order):
            if t.rule:
                for i, g in zip(t.inputs, t.rule(t.grad)):
                    i.grad += g


x = Tensor(0.3)
y = Tensor(1.7)
shared = (x * y).sin()
left = shared * x
right = shared + y
left.backward()
right.backward()
print(x.grad, y.grad)

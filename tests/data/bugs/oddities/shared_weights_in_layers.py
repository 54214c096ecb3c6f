import math


class V:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.rule = None

    def __add__(self, other):
        other = other if isinstance(other, V) else V(other)
        out = V(self.data + other.data, [self, other])
        out.rule = lambda: (self.take(out.grad), other.take(out.grad))
        return out

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, V) else V(other)
        out = V(self.data * other.data, [self, other])
        out.rule = lambda: (
            self.take(out.grad * other.data),
            other.take(out.grad * self.data),
        )
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = V(t, [self])
        out.rule = lambda: self.take(out.grad * (1 - t * t))
        return out

    def take(self, amount):
        self.grad += amount

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.rule:
                v.rule()


class Layer:
    def __init__(self, weights, bias):
        self.weights = weights
        self.bias = bias

    def __call__(self, xs):
        return sum((w * x for w, x in zip(self.weights, xs)), self.bias).tanh()


shared = Layer([V(0.4), V(-0.8)], V(0.1))
first = shared([0.5, -1.5])
second = shared([first, 2.0])
loss = second * second + first
loss.backward()
print([w.grad for w in shared.weights], shared.bias.grad, first.grad, second.grad)

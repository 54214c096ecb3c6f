import math
import random

random.seed(4)


class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __sub__(self, other):
        return self + other * -1

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()

        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    build(child)
                order.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()

    __radd__ = __add__


class Neuron:
    def __init__(self, size):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(size)]
        self.b = Value(0.1)

    def __call__(self, x):
        total = self.b
        for wi, xi in zip(self.w, x):
            total = total + wi * xi
        return total.tanh()

    def parameters(self):
        return self.w + [self.b]


class Network:
    def __init__(self):
        self.hidden = [Neuron(2), Neuron(2)]
        self.last = Neuron(2)

    def __call__(self, x):
        return self.last([n(x) for n in self.hidden])

    def parameters(self):
        found = self.last.parameters()
        for n in self.hidden:
            found = found + n.parameters()
        return found

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0


net = Network()
points = [([0.5, -1.0], 1.0), ([-1.5, 2.0], -1.0), ([1.0, 1.0], -1.0)]
for step in range(4):
    errors = [net(x) - y for x, y in points]
    loss = sum(e * e for e in errors)
    net.zero_grad()
    loss.backward()
    for p in net.parameters():
        p.data -= 0.1 * p.grad
    print(step, round(loss.data, 6))
print([round(p.grad, 6) for p in net.parameters()])

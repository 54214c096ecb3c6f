import math


class Var:
    def __init__(self, value):
        self.value = value
        self.grad = 0.0
        self.parents = []

    def __add__(self, other):
        out = Var(self.value + other.value)
        out.parents = [(self, 1.0), (other, 1.0)]
        return out

    def __sub__(self, other):
        out = Var(self.value - other.value)
        out.parents = [(self, 1.0), (other, -1.0)]
        return out

    def __mul__(self, other):
        out = Var(self.value * other.value)
        out.parents = [(self, other.value), (other, self.value)]
        return out

    def tanh(self):
        out = Var(math.tanh(self.value))
        out.parents = [(self, 1 - out.value**2)]
        return out


def stop_gradient(x):
    return Var(x.value)


def backward(out):
    order, seen = [], set()

    def visit(v):
        if id(v) not in seen:
            seen.add(id(v))
            for p, _ in v.parents:
                visit(p)
            order.append(v)

    visit(out)
    out.grad = 1.0
    while order:
        v = order.pop()
        for p, d in v.parents:
            p.grad += d * v.grad


online = Var(0.7)
x = Var(1.3)
q = (online * x).tanh()
reward = Var(0.4)
target = reward + stop_gradient(q) * Var(0.9)
error = q - stop_gradient(target)
loss = error * error
backward(loss)
print(online.grad, q.grad, error.grad)

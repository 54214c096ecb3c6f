import numpy as np


class Tensor:
    def __init__(self, value, inputs=(), op=""):
        self.value = np.float64(value)
        self.grad = np.float64(0)
        self.inputs = inputs
        self.op = op

    def __add__(self, other):
        return Tensor(self.value + other.value, (self, other), "add")

    def __mul__(self, other):
        return Tensor(self.value * other.value, (self, other), "mul")

    def sigmoid(self):
        return Tensor(1 / (1 + np.exp(-self.value)), (self,), "sigmoid")

    def push(self):
        if self.op == "add":
            for i in self.inputs:
                i.grad = i.grad + self.grad
        elif self.op == "mul":
            x, y = self.inputs
            x.grad = x.grad + y.value * self.grad
            y.grad = y.grad + x.value * self.grad
        elif self.op == "sigmoid":
            (x,) = self.inputs
            x.grad = x.grad + self.value * (1 - self.value) * self.grad

    def backward(self):
        order = []

        def visit(t):
            if t not in order:
                for i in t.inputs:
                    visit(i)
                order.append(t)

        visit(self)
        self.grad = np.float64(1)
        for t in reversed(order):
            t.push()


w = [Tensor(0.1), Tensor(-0.4), Tensor(0.9)]
x = [Tensor(1.0), Tensor(2.0)]
h = (w[0] * x[0] + w[1] * x[1]).sigmoid()
out = (h * w[2] + w[0]).sigmoid()
loss = out * out
loss.backward()
print([float(p.grad) for p in w], float(h.grad), float(out.grad))

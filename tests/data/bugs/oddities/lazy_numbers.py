import math


class Lazy:
    def __init__(self, value=None, compute=None, inputs=()):
        self.value = value
        self.grad = 0.0
        self.compute = compute
        self.inputs = inputs
        self.partials = ()

    def run(self):
        if self.value is None:
            numbers = [i.run() for i in self.inputs]
            self.value, self.partials = self.compute(*numbers)
        return self.value

    def __add__(self, other):
        return Lazy(None, lambda x, y: (x + y, (1.0, 1.0)), (self, other))

    def __mul__(self, other):
        return Lazy(None, lambda x, y: (x * y, (y, x)), (self, other))

    def atan(self):
        return Lazy(None, lambda x: (math.atan(x), (1 / (1 + x * x),)), (self,))

    def backward(self):
        order = []

        def visit(z):
            if z not in order:
                for i in z.inputs:
                    visit(i)
                order.append(z)

        visit(self)
        self.grad = 1.0
        for z in reversed(order):
            for i, p in zip(z.inputs, z.partials):
                i.grad += p * z.grad


a = Lazy(1.2)
b = Lazy(-0.6)
c = a * b
d = c.atan() + a
e = d * c
print(e.run())
e.backward()
print(a.grad, b.grad, c.grad, d.grad)

class Tensor:
    """Like a tensor of PyTorch: leaves keep what earlier passes left, results start from zero."""

    def __init__(self, data, needs=(), rule=None):
        self.data = data
        self.grad = 0.0
        self.needs = needs
        self.rule = rule

    def __mul__(self, other):
        return Tensor(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))

    def __add__(self, other):
        return Tensor(self.data + other.data, (self, other), lambda g: (g, g))

    def backward(self, g=1.0):
        order = []

        def visit(t):
            if t not in order:
                for s in t.needs:
                    visit(s)
                order.append(t)

        visit(self)
        for t in order:
            if t.needs:
                t.grad = 0.0
        self.grad = self.grad + g
        for t in reversed(order):
            if t.rule:
                for source, amount in zip(t.needs, t.rule(t.grad)):
                    source.grad = source.grad + amount


a = Tensor(3.0)
b = Tensor(-2.0)
c = a * b
first = c * a + b
second = c + b * b
first.backward()
print(a.grad, b.grad)
second.backward()
print(a.grad, b.grad, c.grad)

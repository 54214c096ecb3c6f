class Param:
    def __init__(self, data, deps=()):
        self.data = data
        self.grad = 0.0
        self.deps = deps

    def __add__(self, other):
        return Param(self.data + other.data, ((self, lambda g: g), (other, lambda g: g)))

    def __sub__(self, other):
        return Param(self.data - other.data, ((self, lambda g: g), (other, lambda g: -g)))

    def __mul__(self, other):
        return Param(self.data * other.data,
                     ((self, lambda g: g * other.data), (other, lambda g: g * self.data)))

    def backward(self, g=1.0):
        self.grad += g
        for dep, rule in self.deps:
            dep.backward(rule(g))


weight = Param(0.5)
bias = Param(-0.25)
batches = [[(1.0, 2.0), (2.0, 3.5)], [(-1.0, -1.0), (0.5, 1.0)]]
for epoch in range(3):
    weight.grad = bias.grad = 0.0
    parts = []
    for batch in batches:
        for x, y in batch:
            miss = weight * Param(x) + bias - Param(y)
            part = miss * miss
            part.backward()
            parts.append(part)
    weight.data += -0.02 * weight.grad
    bias.data += -0.02 * bias.grad
    print(epoch, weight.data, bias.data)
print(weight.grad, bias.grad)

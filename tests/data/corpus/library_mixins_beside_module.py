# kind: library
"""Extending micrograd with mixins and new layers"""
import math
import random
from micrograd.engine import Value
from micrograd.nn import Module, Neuron, Layer, MLP

class ReprMixin:
    def __repr__(self):
        return f"{self.__class__.__name__}<{len(self.parameters())}>"

class NamedMixin:
    name = "unnamed"
    def named(self, name):
        self.name = name
        return self

class Scaled(ReprMixin, NamedMixin, Module):
    def __init__(self, n):
        self.scale = [Value(1.0) for _ in range(n)]
        self.shift = [Value(0.0) for _ in range(n)]
    def __call__(self, x):
        return [s * xi + t for s, t, xi in zip(self.scale, self.shift, x)]
    def parameters(self):
        return self.scale + self.shift

class Net(ReprMixin, Module):
    def __init__(self, *layers): self.layers = layers
    def __call__(self, x):
        for l in self.layers: x = l(x)
        return x
    def parameters(self): return [p for l in self.layers for p in l.parameters()]

class LoggedValue(NamedMixin, Value):
    log = []
    def __mul__(self, other):
        LoggedValue.log.append(("mul", self.data))
        return super().__mul__(other)

random.seed(3)
net = Net(Scaled(2).named("norm"), Layer(2, 3), Layer(3, 1, nonlin=False))
print(net, net.layers[0], net.layers[0].name, Scaled.name, net.layers[1])
data = [([0.5, -1.0], 1.0), ([1.5, 0.3], -1.0), ([-0.7, 0.8], 0.5)]
for it in range(15):
    loss = sum((net(x) - y) ** 2 for x, y in data)
    net.zero_grad()
    loss.backward()
    for p in net.parameters(): p.data -= 0.03 * p.grad
print(round(loss.data, 5), [round(p.data, 4) for p in net.layers[0].scale])
v = LoggedValue(3.0).named("v")
w = v * 2 + 1
w.backward()
print(w.data, v.grad, v.name, LoggedValue.log, isinstance(v, Value))
print(isinstance(net, Module), [c.__name__ for c in Net.__mro__])

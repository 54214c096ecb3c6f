# kind: class
import math
num_nodes = 0
graph = []

def reset():
    global num_nodes, graph
    num_nodes, graph = 0, []

class Scalar:
    def __init__(self, value, grad_fn=None, inputs=()):
        global num_nodes
        num_nodes += 1
        self.value = value
        self.gradient = 0.0
        self.grad_fn = grad_fn
        self.inputs = inputs
        graph.append(self)

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.value + other.value, lambda g: (g, g), (self, other))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.value * other.value, lambda g: (g * other.value, g * self.value), (self, other))

    def swish(self, beta=1.0):
        s = 1 / (1 + math.exp(-beta * self.value))
        y = self.value * s
        return Scalar(y, lambda g: (g * (beta * y + s * (1 - beta * y)),), (self,))

def backprop():
    graph[-1].gradient = 1.0
    for node in reversed(graph):
        if node.grad_fn:
            for inp, g in zip(node.inputs, node.grad_fn(node.gradient)):
                inp.gradient += g

for k in (-1.0, 0.0, 1.5):
    reset()
    x = Scalar(k)
    y = (x * 2 + 1).swish()
    backprop()
    print(f"x={k:5.2f} y={y.value:8.5f} dy/dx={x.gradient:8.5f} nodes={num_nodes}")

def counter():
    n = 0
    def bump(by=1):
        nonlocal n
        n += by
        return n
    return bump

c = counter()
c(); c(5)
print(c(), counter()())

import math


class Scalar:
    def __init__(self, number, made_by="leaf", inputs=()):
        self.number = number
        self.derivative = None
        self.made_by = made_by
        self.inputs = inputs

    def __add__(self, other):
        return Scalar(self.number + wrap(other).number, "add", (self, wrap(other)))

    def __mul__(self, other):
        other = wrap(other)
        return Scalar(self.number * other.number, "mul", (self, other))

    def __pow__(self, n):
        return Scalar(self.number ** n, ("pow", n), (self,))

    def cos(self):
        return Scalar(math.cos(self.number), "cos", (self,))

    def max(self, other):
        return Scalar(max(self.number, other.number), "max", (self, other))

    def __sub__(self, other):
        other = wrap(other)
        return Scalar(self.number - other.number, "sub", (self, other))


def wrap(x):
    return x if isinstance(x, Scalar) else Scalar(x)


def local_gradients(node):
    if node.made_by == "add":
        return [1.0, 1.0]
    if node.made_by == "sub":
        return [1.0, -1.0]
    if node.made_by == "mul":
        left, right = node.inputs
        return [right.number, left.number]
    if node.made_by == "cos":
        return [-math.sin(node.inputs[0].number)]
    if node.made_by == "max":
        left, right = node.inputs
        return [1.0, 0.0] if left.number >= right.number else [0.0, 1.0]
    if node.made_by[0] == "pow":
        n = node.made_by[1]
        return [n * node.inputs[0].number ** (n - 1)]
    return []


def topological(node, done=None):
    done = [] if done is None else done
    for child in node.inputs:
        if child not in done:
            topological(child, done)
    done.append(node)
    return done


def gradients(output):
    collected = {output: 1.0}
    for node in reversed(topological(output)):
        upstream = collected.get(node, 0.0)
        for child, local in zip(node.inputs, local_gradients(node)):
            collected[child] = collected.get(child, 0.0) + upstream * local
    for node, total in collected.items():
        node.derivative = total
    return collected


a = Scalar(-0.7)
b = Scalar(1.6)
c = a * b
d = c.cos() + b
e = d.max(a)
f = (d - c) ** 3
g = f * e
h = g + c * 2
gradients(h)
print(a.derivative, b.derivative)
print(c.derivative, d.derivative, e.derivative, f.derivative, g.derivative)

import math


class Scalar:
    __slots__ = ("val", "grad", "_inputs", "_rule")

    def __init__(self, val, inputs=(), rule=None):
        self.val = val
        self.grad = 0.0
        self._inputs = inputs
        self._rule = rule

    def __add__(self, other):
        other = lift(other)
        return Scalar(self.val + other.val, (self, other), add_rule)

    def __mul__(self, other):
        other = lift(other)
        return Scalar(self.val * other.val, (self, other), mul_rule)

    def __sub__(self, other):
        other = lift(other)
        return Scalar(self.val - other.val, (self, other), sub_rule)

    def __truediv__(self, other):
        other = lift(other)
        return Scalar(self.val / other.val, (self, other), div_rule)

    def sin(self):
        return Scalar(math.sin(self.val), (self,), sin_rule)

    def sigmoid(self):
        return Scalar(1 / (1 + math.exp(-self.val)), (self,), sigmoid_rule)

    def backward(self):
        order, seen = [], set()
        stack = [(self, False)]
        while stack:
            node, is_done = stack.pop()
            if is_done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                for child in node._inputs:
                    stack.append((child, False))
        self.grad = 1.0
        for node in reversed(order):
            if node._rule:
                node._rule(node, *node._inputs)


def lift(x):
    return x if isinstance(x, Scalar) else Scalar(x)


def add_rule(out, left, right):
    left.grad += out.grad
    right.grad += out.grad


def sub_rule(out, left, right):
    left.grad += out.grad
    right.grad -= out.grad


def mul_rule(out, left, right):
    left.grad += right.val * out.grad
    right.grad += left.val * out.grad


def div_rule(out, top, bottom):
    top.grad += out.grad / bottom.val
    bottom.grad -= out.grad * out.val / bottom.val


def sin_rule(out, x):
    x.grad += math.cos(x.val) * out.grad


def sigmoid_rule(out, x):
    x.grad += out.val * (1 - out.val) * out.grad


a = Scalar(1.2)
b = Scalar(-0.7)
c = a * b
d = c.sin() + a
e = (d - b) / a
f = e.sigmoid() * c
g = f / d + e * e
h = g - c * 0.5
h.backward()
print("a", a.grad, "b", b.grad)
print("c", c.grad, "d", d.grad, "e", e.grad, "f", f.grad, "g", g.grad)

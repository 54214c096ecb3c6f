import math


class Node:
    def __init__(self, value, parents=()):
        self.value = value
        self.gradient = 0.0
        self.parents = parents

    def __add__(self, other):
        return Add(self, as_node(other))

    def __sub__(self, other):
        return Sub(self, as_node(other))

    def __mul__(self, other):
        return Mul(self, as_node(other))

    def __truediv__(self, other):
        return Div(self, as_node(other))

    def __neg__(self):
        return Neg(self)

    def __rmul__(self, other):
        return as_node(other) * self

    def __rtruediv__(self, other):
        return as_node(other) / self

    def sigmoid(self):
        return Sigmoid(self)

    def abs(self):
        return Abs(self)

    def backward_step(self):
        pass

    def backward(self):
        order = []
        seen = set()

        def visit(node):
            if id(node) in seen:
                return
            seen.add(id(node))
            for parent in node.parents:
                visit(parent)
            order.append(node)

        visit(self)
        self.gradient = 1.0
        while order:
            order.pop().backward_step()


def as_node(x):
    return x if isinstance(x, Node) else Node(x)


class Add(Node):
    def __init__(self, left, right):
        super().__init__(left.value + right.value, (left, right))

    def backward_step(self):
        left, right = self.parents
        left.gradient += self.gradient
        right.gradient += self.gradient


class Sub(Node):
    def __init__(self, left, right):
        super().__init__(left.value - right.value, (left, right))

    def backward_step(self):
        left, right = self.parents
        left.gradient += self.gradient
        right.gradient -= self.gradient


class Mul(Node):
    def __init__(self, left, right):
        super().__init__(left.value * right.value, (left, right))

    def backward_step(self):
        left, right = self.parents
        left.gradient += self.gradient * right.value
        right.gradient += self.gradient * left.value


class Div(Node):
    def __init__(self, left, right):
        super().__init__(left.value / right.value, (left, right))

    def backward_step(self):
        left, right = self.parents
        left.gradient += self.gradient / right.value
        right.gradient -= self.gradient * left.value / right.value ** 2


class Neg(Node):
    def __init__(self, x):
        super().__init__(-x.value, (x,))

    def backward_step(self):
        self.parents[0].gradient -= self.gradient


class Sigmoid(Node):
    def __init__(self, x):
        super().__init__(1 / (1 + math.exp(-x.value)), (x,))

    def backward_step(self):
        self.parents[0].gradient += self.value * (1 - self.value) * self.gradient


class Abs(Node):
    def __init__(self, x):
        super().__init__(abs(x.value), (x,))

    def backward_step(self):
        sign = 1.0 if self.parents[0].value > 0 else -1.0
        self.parents[0].gradient += sign * self.gradient


x = Node(-1.5)
y = Node(4.0)
z = x * y
u = z - x
w = u / y
p = w.sigmoid()
q = -z.abs()
r = 2 / y + q
loss = p * r - 0.5 * u
loss.backward()
print("x", x.gradient, "y", y.gradient)
print("z", z.gradient, "u", u.gradient, "w", w.gradient)

import math


class Value:
    def __init__(self, data, parents=(), partials=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.partials = partials

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if id(v) not in seen:
                seen.add(id(v))
                for p in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            for p, d in zip(v.parents, v.partials):
                p.grad += d * v.grad


def operation(compute, *derivatives):
    def method(*args):
        args = [a if isinstance(a, Value) else Value(a) for a in args]
        numbers = [a.data for a in args]
        return Value(compute(*numbers), args, [d(*numbers) for d in derivatives])

    return method


Value.__add__ = operation(lambda x, y: x + y, lambda x, y: 1.0, lambda x, y: 1.0)
Value.__sub__ = operation(lambda x, y: x - y, lambda x, y: 1.0, lambda x, y: -1.0)
Value.__mul__ = operation(lambda x, y: x * y, lambda x, y: y, lambda x, y: x)
Value.tanh = operation(math.tanh, lambda x: 1 - math.tanh(x) ** 2)

a = Value(0.7)
b = Value(-1.2)
c = a * b + 2.0
d = c.tanh() - a
e = d * c
e.backward()
print(a.grad, b.grad, c.grad, d.grad)

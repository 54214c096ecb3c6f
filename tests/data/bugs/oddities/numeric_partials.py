import math


class Value:
    eps = 1e-6

    def __init__(self, data, f=None, args=()):
        self.data = data
        self.f = f
        self.args = args
        self.grad = 0.0

    def backward(self):
        order = []

        def visit(v):
            if v not in order:
                for a in v.args:
                    visit(a)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            numbers = [a.data for a in v.args]
            for i, a in enumerate(v.args):
                up, down = list(numbers), list(numbers)
                up[i] += Value.eps
                down[i] -= Value.eps
                a.grad += v.grad * (v.f(*up) - v.f(*down)) / (2 * Value.eps)


def op(f):
    def apply(*args):
        return Value(f(*[a.data for a in args]), f, args)
    return apply


add = op(lambda x, y: x + y)
mul = op(lambda x, y: x * y)
sine = op(math.sin)
hypot = op(lambda x, y: math.sqrt(x * x + y * y))

a = Value(1.2)
b = Value(-0.7)
c = mul(a, b)
d = sine(add(c, a))
e = hypot(d, b)
f = mul(e, add(d, d))
f.backward()
print(f"{a.grad:.4f} {b.grad:.4f} {c.grad:.4f} {d.grad:.4f} {e.grad:.4f}")

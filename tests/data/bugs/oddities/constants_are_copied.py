class Value:
    def __init__(self, data, requires_grad=True, parents=()):
        self.data = data
        self.grad = 0.0
        self.requires_grad = requires_grad
        self.parents = parents

    @staticmethod
    def lift(x):
        if isinstance(x, Value):
            return x if x.requires_grad else Value(x.data, requires_grad=False)
        return Value(float(x), requires_grad=False)

    def __add__(self, other):
        other = Value.lift(other)
        return Value(self.data + other.data, True, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = Value.lift(other)
        return Value(self.data * other.data, True, ((self, other.data), (other, self.data)))

    __radd__ = __add__
    __rmul__ = __mul__

    def backward(self):
        order = []

        def visit(v):
            if v not in order:
                for p, _ in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in order[::-1]:
            for p, d in v.parents:
                if p.requires_grad:
                    p.grad += d * v.grad


half = Value(0.5, requires_grad=False)
w = Value(3.0)
b = Value(-2.0)
u = w * half + b
y = u * u * half + 2 * w
y.backward()
print(w.grad, b.grad, u.grad)

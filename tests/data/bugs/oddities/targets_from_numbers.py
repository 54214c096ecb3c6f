import math


class Value:
    def __init__(self, data, parents=(), partials=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.partials = partials

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Value(self.data**n, (self,), (n * self.data ** (n - 1),))

    def backward(self):
        order = []

        def visit(v):
            if v not in order:
                for p in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in order[::-1]:
            for p, d in zip(v.parents, v.partials):
                p.grad += d * v.grad


xs = [Value(-1.0), Value(0.5), Value(2.0)]
ys = [math.sin(3.0 * x.data) + 0.5 for x in xs]
w = Value(0.8)
b = Value(-0.1)
pred = [w * x + b for x in xs]
scale = max(abs(x.data) for x in xs)
best = 2.0 * pred[2].data
loss = (pred[0] - ys[0]) ** 2 + (pred[1] - ys[1]) ** 2 + (pred[2] - ys[2]) ** 2
loss = loss * (1 / scale) + (pred[1] - best) ** 2
loss.backward()
print(w.grad, b.grad, [p.grad for p in pred])

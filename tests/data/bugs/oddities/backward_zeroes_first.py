import math


class Value:
    def __init__(self, data, parents=()):
        self.data, self.parents = data, parents
        self.grad = 0.0
        self.step = None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def step():
            self.grad = self.grad + out.grad
            other.grad = out.grad + other.grad

        out.step = step
        return out

    def __sub__(self, other):
        out = Value(self.data - other.data, (self, other))

        def step():
            self.grad -= -out.grad
            other.grad -= out.grad

        out.step = step
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def step():
            self.grad, other.grad = self.grad + other.data * out.grad, other.grad + self.data * out.grad
            if self is other:
                self.grad += self.data * out.grad

        out.step = step
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def step():
            self.grad += out.grad / math.cosh(self.data) ** 2

        out.step = step
        return out

    def graph(self):
        seen, order = {}, []

        def visit(v):
            if id(v) not in seen:
                seen[id(v)] = v
                for p in v.parents:
                    visit(p)
                order.append(v)

        visit(self)
        return order

    def backward(self):
        order = self.graph()
        for v in order:
            v.grad = 0.0
        order[-1].grad += 1
        for v in order[::-1]:
            if v.step:
                v.step()


x = Value(0.75)
y = Value(-1.5)
z = x * y - x
t = z.tanh()
w = t * t + z
for again in range(3):
    w.backward()
    print(x.grad, y.grad, z.grad, t.grad)

class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0
        self.children = set(children)
        self.run = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, [self, other])

        def run():
            self.grad += out.grad
            other.grad += out.grad

        out.run = run
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, [self, other])

        def run():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data

        out.run = run
        return out

    def relu(self):
        out = Value(self.data if self.data >= 0 else 0 * self.data, [self])

        def run():
            self.grad += (self.data >= 0) * out.grad

        out.run = run
        return out

    def backward(self):
        order = []
        stack = [(self, False)]
        seen = set()
        while stack:
            v, finished = stack.pop()
            if finished:
                order.append(v)
            elif v not in seen:
                seen.add(v)
                stack.append((v, True))
                stack.extend((c, False) for c in v.children)
        self.grad = 1
        while order:
            order.pop().run()


a = Value(3)
b = Value(-4)
c = a + a
d = b * b
e = (c + b).relu()
f = (b + a).relu() + e * e
g = f * c + d
unused = Value(7)
g.backward()
print(a.grad, b.grad, c.grad, d.grad, e.grad, f.grad, unused.grad)

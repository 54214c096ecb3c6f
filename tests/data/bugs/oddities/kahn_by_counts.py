class N:
    def __init__(self, v, inputs=()):
        self.v = v
        self.grad = 0.0
        self.inputs = inputs

    def __add__(self, o):
        return N(self.v + o.v, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        return N(self.v * o.v, ((self, o.v), (o, self.v)))

    def reciprocal(self):
        y = 1 / self.v
        return N(y, ((self, -y * y),))


def backward(root):
    uses = {}
    todo = [root]
    while todo:
        n = todo.pop()
        for child, _ in n.inputs:
            if child not in uses:
                uses[child] = 0
                todo.append(child)
            uses[child] += 1
    root.grad = 1.0
    ready = [root]
    while ready:
        n = ready.pop(0)
        for child, slope in n.inputs:
            child.grad += slope * n.grad
            uses[child] -= 1
            if not uses[child]:
                ready.append(child)


a = N(2.0)
b = N(-0.5)
c = a * b + a
d = c * c * b
e = (d + a).reciprocal()
f = e * c + d
backward(f)
print(a.grad, b.grad, c.grad, d.grad, e.grad)

class Var:
    recording = True

    def __init__(self, data, inputs=(), partials=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs if Var.recording else ()
        self.partials = partials if Var.recording else ()

    def __add__(self, other):
        return Var(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other):
        return Var(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other):
        return Var(self.data * other.data, (self, other), (other.data, self.data))

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for i in v.inputs:
                    visit(i)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            for i, p in zip(v.inputs, v.partials):
                i.grad += p * v.grad


class no_grad:
    def __enter__(self):
        Var.recording = False

    def __exit__(self, *error):
        Var.recording = True


w = Var(1.5)
x = Var(-0.8)
y = Var(0.6)
p = w * x
with no_grad():
    frozen = p * p + w
    ratio = frozen * x
e = p - y
loss = e * e + p * Var(ratio.data)
loss.backward()
print(w.grad, p.grad, e.grad)

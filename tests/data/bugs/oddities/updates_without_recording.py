class Var:
    recording = True

    def __init__(self, data, inputs=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs if Var.recording else ()

    def __sub__(self, other):
        return Var(self.data - other.data, ((self, 1.0), (other, -1.0)))

    def __mul__(self, other):
        return Var(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self):
        order = []

        def visit(v):
            if v not in order:
                for i, _ in v.inputs:
                    visit(i)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            for i, p in v.inputs:
                i.grad += p * v.grad


w = Var(0.2)
x, y = Var(1.5), Var(3.0)
for epoch in range(4):
    error = w * x - y
    loss = error * error
    loss.backward()
    Var.recording = False
    w = w - Var(0.1) * Var(w.grad)
    x.grad = 0.0
    Var.recording = True
    print(epoch, loss.data, w.data)

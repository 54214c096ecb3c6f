class Value:
    def __init__(self, data, links=()):
        self.data = data
        self.grad = 0.0
        self.links = links

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self):
        order = []

        def visit(v):
            if v not in order:
                for w, _ in v.links:
                    visit(w)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            for w, slope in v.links:
                w.grad += slope * v.grad


w = Value(1.0)
lr = 0.2
history = []
while True:
    error = w * Value(2.0) + Value(-5.0)
    loss = error * error
    history.append(loss.data)
    loss.backward()
    if len(history) > 1 and (history[-1] > history[-2] or loss.data < 0.05):
        break
    w.data -= lr * w.grad
    w.grad = 0.0
    lr *= 0.7
print(len(history), w.data, loss.data, w.grad)

class P:
    def __init__(self, value, terms=()):
        self.value = value
        self.grad = 0.0
        self.terms = terms

    def __add__(self, o):
        return P(self.value + o.value, ((self, 1.0), (o, 1.0)))

    def __sub__(self, o):
        return P(self.value - o.value, ((self, 1.0), (o, -1.0)))

    def __mul__(self, o):
        return P(self.value * o.value, ((self, o.value), (o, self.value)))

    def backward(self):
        order = []

        def visit(p):
            if p not in order:
                for t, _ in p.terms:
                    visit(t)
                order.append(p)

        visit(self)
        self.grad = 1.0
        for p in reversed(order):
            for t, slope in p.terms:
                t.grad += slope * p.grad


w = P(1.5)
b = P(0.0)
speed = {id(w): 0.0, id(b): 0.0}
points = [(0.5, 1.0), (2.0, -0.5), (-1.0, 2.0)]
for step in range(6):
    x, y = points[step % 3]
    error = w * P(x) + b - P(y)
    cost = error * error
    for p in (w, b):
        p.grad = 0.0
    cost.backward()
    for p in (w, b):
        p.grad += 0.01 * p.value
        speed[id(p)] = 0.9 * speed[id(p)] + p.grad
        p.value -= 0.05 * speed[id(p)]
print(w.value, b.value, cost.value)

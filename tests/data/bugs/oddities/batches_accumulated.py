class S:
    def __init__(self, v, kids=(), step=None):
        self.v = v
        self.grad = 0.0
        self.kids = kids
        self.step = step

    def __mul__(self, o):
        def step(out):
            self.grad += out.grad * o.v
            o.grad += out.grad * self.v

        return S(self.v * o.v, (self, o), step)

    def __sub__(self, o):
        def step(out):
            self.grad += out.grad
            o.grad -= out.grad

        return S(self.v - o.v, (self, o), step)

    def backward(self):
        order, seen = [], set()

        def visit(s):
            if s not in seen:
                seen.add(s)
                for k in s.kids:
                    visit(k)
                order.append(s)

        visit(self)
        self.grad = 1.0
        for s in reversed(order):
            if s.step:
                s.step(s)


w = S(0.7)
batches = [[(1.0, 2.0), (2.0, 3.0)], [(-1.0, -1.5), (0.5, 1.0)]]
for epoch in range(3):
    for batch in batches:
        w.grad = 0.0
        for x, y in batch:
            e = w * S(x) - S(y)
            loss = e * e
            loss.backward()
        w.v -= 0.05 * w.grad / len(batch)
print(w.v, w.grad, e.grad)

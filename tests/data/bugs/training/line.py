class Num:
    def __init__(self, v, kids=(), parts=()):
        self.v = v
        self.g = 0.0
        self.kids = kids
        self.parts = parts

    def __add__(self, o):
        return Num(self.v + o.v, (self, o), (1.0, 1.0))

    def __sub__(self, o):
        return Num(self.v - o.v, (self, o), (1.0, -1.0))

    def __mul__(self, o):
        return Num(self.v * o.v, (self, o), (o.v, self.v))

    def square(self):
        return Num(self.v * self.v, (self,), (2 * self.v,))

    def backprop(self):
        done, order = set(), []

        def walk(n):
            if id(n) in done:
                return
            done.add(id(n))
            for k in n.kids:
                walk(k)
            order.append(n)

        walk(self)
        self.g = 1.0
        for n in reversed(order):
            for k, part in zip(n.kids, n.parts):
                k.g += part * n.g


class SGD:
    def __init__(self, params, rate, momentum=0.5):
        self.params = params
        self.rate = rate
        self.momentum = momentum
        self.speed = [0.0 for _ in params]

    def zero(self):
        for p in self.params:
            p.g = 0.0

    def step(self):
        for i, p in enumerate(self.params):
            self.speed[i] = self.momentum * self.speed[i] - self.rate * p.g
            p.v += self.speed[i]


slope = Num(-0.4)
curve = Num(0.3)
offset = Num(0.0)
optimiser = SGD([slope, curve, offset], 0.05)
xs = [-1.0, 0.5, 2.0]
ys = [2.5, 0.75, 4.0]
for epoch in range(5):
    cost = Num(0.0)
    for x, y in zip(xs, ys):
        at = Num(x)
        guess = curve * at.square() + slope * at + offset
        cost = cost + (guess - Num(y)).square()
    optimiser.zero()
    cost.backprop()
    optimiser.step()
print(f"{curve.v:.4f} x^2 + {slope.v:.4f} x + {offset.v:.4f}: {cost.v:.4f}")
print(curve.g, slope.g, offset.g)

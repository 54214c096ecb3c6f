class Expr:
    __slots__ = ("v", "g", "kids")

    def __init__(self, v, *kids):
        self.v = v
        self.g = 0.0
        self.kids = kids

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

    def relu(self):
        return Relu(self)

    def flow(self):
        pass


class Sum(Expr):
    __slots__ = ()

    def __init__(self, a, b):
        super().__init__(a.v + b.v, a, b)

    def flow(self):
        for k in self.kids:
            k.g += self.g


class Product(Expr):
    __slots__ = ()

    def __init__(self, a, b):
        super().__init__(a.v * b.v, a, b)

    def flow(self):
        a, b = self.kids
        a.g += b.v * self.g
        b.g += a.v * self.g


class Relu(Expr):
    __slots__ = ()

    def __init__(self, a):
        super().__init__(a.v if a.v > 0 else 0.0, a)

    def flow(self):
        if self.kids[0].v > 0:
            self.kids[0].g += self.g


def backward(e):
    order = []

    def visit(x):
        if x not in order:
            for k in x.kids:
                visit(k)
            order.append(x)

    visit(e)
    e.g = 1.0
    for x in reversed(order):
        x.flow()


a = Expr(1.5)
b = Expr(-2.0)
c = (a * b).relu() + a
d = (c * a).relu() * b
e = d + c * a
backward(e)
print(a.g, b.g, c.g, d.g)

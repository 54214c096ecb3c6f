import math


class Sym:
    def __init__(self, val, pullback=None):
        self.val = val
        self.grad = 0.0
        self.pullback = pullback

    def __add__(self, o):
        return Sym(self.val + o.val, lambda g: [(self, g), (o, g)])

    def __mul__(self, o):
        return Sym(self.val * o.val, lambda g: [(self, g * o.val), (o, g * self.val)])

    def tan(self):
        y = math.tan(self.val)
        return Sym(y, lambda g: [(self, g * (1 + y * y))])


def reverse(root):
    order, seen = [], set()

    def visit(s):
        if s in seen:
            return
        seen.add(s)
        if s.pullback:
            for child, _ in s.pullback(0.0):
                visit(child)
        order.append(s)

    visit(root)
    root.grad = 1.0
    for s in reversed(order):
        if s.pullback:
            for child, amount in s.pullback(s.grad):
                child.grad += amount


a = Sym(0.4)
b = Sym(1.9)
c = a * b
d = c.tan()
e = d * a + c
reverse(e)
print(a.grad, b.grad, c.grad, d.grad)

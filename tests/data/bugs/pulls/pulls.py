import math


class Num:
    def __init__(self, x):
        self.x = x
        self.g = 0.0
        self.pulls = []

    def receive(self, amount):
        self.g += amount

    def __add__(self, other):
        out = Num(self.x + other.x)
        out.pulls.append((self, lambda g: g))
        out.pulls.append((other, lambda g: g))
        return out

    def __mul__(self, other):
        out = Num(self.x * other.x)
        out.pulls.append((self, lambda g: g * other.x))
        out.pulls.append((other, lambda g: g * self.x))
        return out

    def __sub__(self, other):
        out = Num(self.x - other.x)
        out.pulls.append((self, lambda g: g))
        out.pulls.append((other, lambda g: -g))
        return out

    def cosh(self):
        out = Num(math.cosh(self.x))
        out.pulls.append((self, lambda g: g * math.sinh(self.x)))
        return out

    def log(self):
        out = Num(math.log(self.x))
        out.pulls.append((self, lambda g: g / self.x))
        return out


def dot(ws, xs):
    out = Num(sum(w.x * x.x for w, x in zip(ws, xs)))
    for w, x in zip(ws, xs):
        out.pulls.append((w, lambda g, x=x: g * x.x))
        out.pulls.append((x, lambda g, w=w: g * w.x))
    return out


def backprop(root):
    order = []
    seen = set()

    def visit(n):
        if id(n) not in seen:
            seen.add(id(n))
            for child, _ in n.pulls:
                visit(child)
            order.insert(0, n)

    visit(root)
    root.g = 1.0
    for n in order:
        for child, pull in n.pulls:
            child.receive(pull(n.g))


ws = [Num(0.2), Num(-0.7), Num(1.3)]
xs = [Num(1.0), Num(2.5), Num(-0.4)]
s = dot(ws, xs)
t = s.cosh()
u = t * s - ws[0]
v = (t + t * t).log()
z = u * v
backprop(z)
print([round(w.g, 6) for w in ws], [round(x.g, 6) for x in xs])
print(s.g, t.g, u.g, v.g)

class Var:
    def __init__(self, num, deps=()):
        self.num, self.grad, self.deps = num, 0.0, deps

    def __add__(self, o):
        return Var(self.num + o.num, [(self, 1), (o, 1)])

    def __sub__(self, o):
        return Var(self.num - o.num, [(self, 1), (o, -1)])

    def __mul__(self, o):
        return Var(self.num * o.num, [(self, o.num), (o, self.num)])

    def __pow__(self, k):
        return Var(self.num**k, [(self, k * self.num ** (k - 1))])


def postorder(v, seen):
    if v in seen:
        return
    seen.add(v)
    for d, _ in v.deps:
        yield from postorder(d, seen)
    yield v


def pull_back(out):
    out.grad = 1
    for v in reversed(list(postorder(out, set()))):
        for d, slope in v.deps:
            d.grad += slope * v.grad


x = Var(-1.5)
y = Var(0.8)
z = x * y - x
w = z**3 + y
v = w * z
pull_back(v)
print(x.grad, y.grad, z.grad, w.grad)

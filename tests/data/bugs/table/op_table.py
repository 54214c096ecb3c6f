import math

OPS = {
    "+": (lambda x, y: x + y, lambda x, y, out: (1.0, 1.0)),
    "-": (lambda x, y: x - y, lambda x, y, out: (1.0, -1.0)),
    "*": (lambda x, y: x * y, lambda x, y, out: (y, x)),
    "/": (lambda x, y: x / y, lambda x, y, out: (1 / y, -out / y)),
    "exp": (lambda x: math.exp(x), lambda x, out: (out,)),
    "log": (lambda x: math.log(x), lambda x, out: (1 / x,)),
    "sigmoid": (lambda x: 1 / (1 + math.exp(-x)), lambda x, out: (out * (1 - out),)),
    "arctan": (lambda x: math.atan(x), lambda x, out: (1 / (1 + x * x),)),
}


class Cell:
    count = 0

    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.op = None
        self.sources = ()
        Cell.count += 1
        self.rank = Cell.count

    def __add__(self, other):
        return make("+", self, other)

    def __sub__(self, other):
        return make("-", self, other)

    def __mul__(self, other):
        return make("*", self, other)

    def __truediv__(self, other):
        return make("/", self, other)

    def __rmul__(self, other):
        return make("*", other, self)


def make(op, *sources):
    sources = tuple(s if isinstance(s, Cell) else Cell(s) for s in sources)
    forward, _ = OPS[op]
    result = Cell(forward(*[s.data for s in sources]))
    result.op = op
    result.sources = sources
    return result


def exp(x):
    return make("exp", x)


def log(x):
    return make("log", x)


def sigmoid(x):
    return make("sigmoid", x)


def arctan(x):
    return make("arctan", x)


def reachable(cell, found):
    found[cell.rank] = cell
    for s in cell.sources:
        if s.rank not in found:
            reachable(s, found)
    return found


def backward(root):
    cells = reachable(root, {})
    root.grad = 1.0
    for rank in sorted(cells, reverse=True):
        cell = cells[rank]
        if cell.op is None:
            continue
        _, partials = OPS[cell.op]
        slopes = partials(*[s.data for s in cell.sources], cell.data)
        for source, slope in zip(cell.sources, slopes):
            source.grad += slope * cell.grad


p = Cell(0.6)
q = Cell(1.8)
r = p * q
s = sigmoid(r) - q
t = exp(s) / q
u = log(r) * s
v = arctan(t - u) + 0.5 * t
backward(v)
print("p", p.grad, "q", q.grad)
print("r", r.grad, "s", s.grad, "t", t.grad, "u", u.grad)

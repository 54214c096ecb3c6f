import math

TAPE = []


class Var:
    def __init__(self, val):
        self.val = val
        self.dx = 0.0

    def __add__(self, o):
        o = const(o)
        out = Var(self.val + o.val)
        TAPE.append((out, self, 1.0))
        TAPE.append((out, o, 1.0))
        return out

    def __sub__(self, o):
        o = const(o)
        out = Var(self.val - o.val)
        TAPE.append((out, self, 1.0))
        TAPE.append((out, o, -1.0))
        return out

    def __mul__(self, o):
        o = const(o)
        out = Var(self.val * o.val)
        TAPE.append((out, self, o.val))
        TAPE.append((out, o, self.val))
        return out

    def __truediv__(self, o):
        o = const(o)
        out = Var(self.val / o.val)
        TAPE.append((out, self, 1 / o.val))
        TAPE.append((out, o, -out.val / o.val))
        return out

    def sin(self):
        out = Var(math.sin(self.val))
        TAPE.append((out, self, math.cos(self.val)))
        return out

    def sqrt(self):
        out = Var(math.sqrt(self.val))
        TAPE.append((out, self, 0.5 / out.val))
        return out

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, o):
        return const(o) - self


def const(x):
    return x if isinstance(x, Var) else Var(x)


def differentiate(out):
    for made, src, slope in TAPE:
        made.dx = src.dx = 0.0
    out.dx = 1.0
    for made, src, slope in reversed(TAPE):
        src.dx += slope * made.dx


x = Var(0.8)
y = Var(-2.5)
p = x * y
q = p.sin()
r = 3 - q
s = (r * r + x * x).sqrt()
t = q / s
out = 2 * t - p * x
differentiate(out)
for name, v in [("x", x), ("y", y), ("p", p), ("q", q), ("r", r), ("s", s), ("t", t)]:
    print(name, v.val, v.dx)

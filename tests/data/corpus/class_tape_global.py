# kind: class
import math

TAPE = []

class Var:
    def __init__(self, val):
        self.val = val
        self.dx = 0.0

    def __add__(self, o):
        o = lift(o)
        r = Var(self.val + o.val)
        TAPE.append((r, [(self, 1.0), (o, 1.0)]))
        return r
    __radd__ = __add__

    def __mul__(self, o):
        o = lift(o)
        r = Var(self.val * o.val)
        TAPE.append((r, [(self, o.val), (o, self.val)]))
        return r
    __rmul__ = __mul__

    def __sub__(self, o):
        return self + (-1) * lift(o)

    def __rsub__(self, o):
        return lift(o) - self

    def sin(self):
        r = Var(math.sin(self.val))
        TAPE.append((r, [(self, math.cos(self.val))]))
        return r

    def __repr__(self):
        return 'Var(%.5g, dx=%.5g)' % (self.val, self.dx)

def lift(x):
    return x if isinstance(x, Var) else Var(x)

def gradient(out):
    out.dx = 1.0
    while TAPE:
        result, inputs = TAPE.pop()
        for node, local in inputs:
            node.dx += result.dx * local

x = Var(0.5)
y = Var(4.2)
z = x * y + x.sin() - 2
gradient(z)
print(z)
print(x, y)
print(f"expected dz/dx = {y.val + math.cos(x.val):.6f}, got {x.dx:.6f}")
print(len(TAPE))

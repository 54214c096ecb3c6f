# kind: own
import functools
import math
from collections import defaultdict, namedtuple

Op = namedtuple("Op", ["inputs", "output", "propagate"])
tape = []
_names = 0


def fresh():
    global _names
    _names += 1
    return f"v{_names - 1}"


class Variable:
    def __init__(self, value, name=None):
        self.value = value
        self.name = name or fresh()

    def __repr__(self):
        return f"{self.name}={self.value:.4g}"

    def __mul__(self, o): return op_mul(self, o)
    def __add__(self, o): return op_add(self, o)
    def __sub__(self, o): return op_add(self, op_mul(Variable(-1.0), o))


def logged(fn):
    @functools.wraps(fn)
    def inner(*args):
        out = fn(*args)
        print(f"{fn.__name__:>7}({', '.join(a.name for a in args)}) -> {out}")
        return out
    return inner


@logged
def op_mul(a, b):
    r = Variable(a.value * b.value)
    tape.append(Op([a.name, b.name], r.name, lambda g: [g * b.value, g * a.value]))
    return r


@logged
def op_add(a, b):
    r = Variable(a.value + b.value)
    tape.append(Op([a.name, b.name], r.name, lambda g: [g, g]))
    return r


@logged
def op_sin(a):
    r = Variable(math.sin(a.value))
    tape.append(Op([a.name], r.name, lambda g: [g * math.cos(a.value)]))
    return r


def grad(L, wrt):
    d = defaultdict(float)
    d[L.name] = 1.0
    for op in reversed(tape):
        if op.output not in d:
            continue
        for name, g in zip(op.inputs, op.propagate(d[op.output])):
            d[name] += g
    return [d[w.name] for w in wrt]


x = Variable(1.5, "x")
y = Variable(-0.5, "y")
L = op_sin(x * y) + x * x - y
gx, gy = grad(L, [x, y])
print(f"dL/dx = {gx:.6f}, dL/dy = {gy:.6f}")
print("check", math.isclose(gx, math.cos(-0.75) * -0.5 + 3.0), math.isclose(gy, math.cos(-0.75) * 1.5 - 1))
print(len(tape), "ops on the tape;", tape[0].inputs, "->", tape[0].output)

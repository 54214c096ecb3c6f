# kind: python
from functools import singledispatch, cached_property, singledispatchmethod
from abc import ABC, abstractmethod
from typing import NamedTuple
import math

class Const(NamedTuple):
    value: float

class Var(NamedTuple):
    name: str

class Bin(NamedTuple):
    op: str
    left: object
    right: object

@singledispatch
def show(e):
    raise TypeError(f"cannot show {e!r}")

@show.register(Const)
def _(e): return f"{e.value:g}"

@show.register(Var)
def _(e): return e.name

@show.register(Bin)
def _(e): return f"({show(e.left)} {e.op} {show(e.right)})"

def diff(e, x):
    match e:
        case Const(): return Const(0)
        case Var(name): return Const(1 if name == x else 0)
        case Bin("+", a, b): return Bin("+", diff(a, x), diff(b, x))
        case Bin("*", a, b): return Bin("+", Bin("*", diff(a, x), b), Bin("*", a, diff(b, x)))
        case _: raise NotImplementedError(e)

def simplify(e):
    match e:
        case Bin(op, a, b):
            match op, simplify(a), simplify(b):
                case "+", Const(0), r: return r
                case "+", l, Const(0): return l
                case "*", Const(0), _: return Const(0)
                case "*", _, Const(0): return Const(0)
                case "*", Const(1), r: return r
                case "*", l, Const(1): return l
                case o, Const(l), Const(r): return Const(l + r if o == "+" else l * r)
                case o, l, r: return Bin(o, l, r)
        case _: return e

x, y = Var("x"), Var("y")
e = Bin("+", Bin("*", x, Bin("*", x, y)), Bin("*", Const(3), y))
print(show(e))
print("d/dx", show(simplify(diff(e, "x"))))
print("d/dy", show(simplify(diff(e, "y"))))
print(e.left, e._fields)

class Loss(ABC):
    def __init__(self, ys): self.ys = ys
    @abstractmethod
    def one(self, y, t): ...
    @cached_property
    def total(self):
        print("computing", type(self).__name__)
        return sum(self.one(y, t) for y, t in self.ys)

class L1(Loss):
    def one(self, y, t): return abs(y - t)

class Huber(Loss):
    delta = 1.0
    def one(self, y, t):
        r = abs(y - t)
        return 0.5 * r * r if r <= self.delta else self.delta * (r - 0.5 * self.delta)

pairs = [(0.5, 0.0), (3.0, 1.0)]
for L in L1(pairs), Huber(pairs):
    print(L.total, L.total)
try:
    Loss(pairs)
except TypeError as err:
    print(err)
try:
    show("x")
except TypeError as err:
    print(err)

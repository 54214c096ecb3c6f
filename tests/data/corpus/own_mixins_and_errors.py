# kind: class
"""autograd engine v3, now with proper errors"""
import math
from enum import Enum, auto
from functools import cache, wraps, reduce
import operator

class Describe:
    def describe(self):
        return f"<{type(self).__name__}: {self}>"

class GradError(Describe, ValueError):
    pass

class NotReadyError(GradError):
    def __init__(self, node):
        super().__init__(f"node {node.name} has no gradient yet")
        self.node = node

class Op(Enum):
    LEAF = auto()
    ADD = auto()
    MUL = auto()

    def __str__(self):
        return self.name.lower()

class History(Describe, list):
    def last(self):
        return self[-1] if self else None

class Tensor0:
    count = 0
    def __init__(self, v, *parents, op=Op.LEAF):
        Tensor0.count += 1
        self.name = f"t{Tensor0.count}"
        self.v = v
        self.parents = parents
        self.op = op
        self._grad = None

    @property
    def grad(self):
        if self._grad is None:
            raise NotReadyError(self)
        return self._grad

    @grad.setter
    def grad(self, g):
        self._grad = g

    def __add__(self, o): return Tensor0(self.v + o.v, self, o, op=Op.ADD)
    def __mul__(self, o): return Tensor0(self.v * o.v, self, o, op=Op.MUL)
    def __matmul__(self, o): return self * o
    def __str__(self): return f"{self.name}[{self.op}]={self.v}"

    def backward(self, g=1.0):
        self._grad = (self._grad or 0) + g
        match self.op:
            case Op.ADD:
                for p in self.parents: p.backward(g)
            case Op.MUL:
                a, b = self.parents
                a.backward(g * b.v)
                b.backward(g * a.v)
            case _:
                pass

a, b = Tensor0(2.0), Tensor0(-3.0)
c = a @ b + a
try:
    c.grad
except GradError as err:
    print(err.describe(), err.node.name, isinstance(err, ValueError))
c.backward()
print(c, a.grad, b.grad, sep=" | ")
h = History([1, 2])
h.append(c.v)
print(h, h.last(), h.describe(), len(h))
try:
    raise GradError("boom", 3)
except (KeyError, ValueError) as e:
    print(type(e).__name__, e.args, e)
print(reduce(operator.mul, [1, 2, 3, 4]), Op.ADD, Op["MUL"], list(Op))

@cache
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
print(fact(20), math.factorial(20) == fact(20))

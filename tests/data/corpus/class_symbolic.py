# kind: class
from __future__ import annotations
from dataclasses import dataclass, field
from functools import cached_property, reduce
import math, operator

class Expr:
    def __add__(self, o): return Add(self, wrap(o))
    def __radd__(self, o): return Add(wrap(o), self)
    def __mul__(self, o): return Mul(self, wrap(o))
    def __rmul__(self, o): return Mul(wrap(o), self)
    def __sub__(self, o): return Add(self, Mul(Const(-1), wrap(o)))
    def __pow__(self, n: int): return Pow(self, n)
    def __call__(self, **env): return self.eval(env)

def wrap(x) -> Expr:
    return x if isinstance(x, Expr) else Const(x)

@dataclass(frozen=True)
class Const(Expr):
    c: float
    def eval(self, env): return self.c
    def d(self, v): return Const(0)
    def __str__(self): return f"{self.c:g}"

@dataclass(frozen=True)
class Var(Expr):
    name: str
    def eval(self, env): return env[self.name]
    def d(self, v): return Const(1 if self.name == v else 0)
    def __str__(self): return self.name

@dataclass(frozen=True)
class Add(Expr):
    l: Expr
    r: Expr
    def eval(self, env): return self.l.eval(env) + self.r.eval(env)
    def d(self, v): return Add(self.l.d(v), self.r.d(v))
    def __str__(self): return f"({self.l} + {self.r})"

@dataclass(frozen=True)
class Mul(Expr):
    l: Expr
    r: Expr
    def eval(self, env): return self.l.eval(env) * self.r.eval(env)
    def d(self, v): return Add(Mul(self.l.d(v), self.r), Mul(self.l, self.r.d(v)))
    def __str__(self): return f"{self.l}*{self.r}"

@dataclass(frozen=True)
class Pow(Expr):
    base: Expr
    n: int
    def eval(self, env): return self.base.eval(env) ** self.n
    def d(self, v): return Mul(Mul(Const(self.n), Pow(self.base, self.n - 1)), self.base.d(v))
    def __str__(self): return f"{self.base}^{self.n}"

def simplify(e):
    match e:
        case Add(l, r):
            l, r = simplify(l), simplify(r)
            match (l, r):
                case (Const(0), x) | (x, Const(0)):
                    return x
                case (Const(a), Const(b)):
                    return Const(a + b)
                case _:
                    return Add(l, r)
        case Mul(l, r):
            l, r = simplify(l), simplify(r)
            match (l, r):
                case (Const(0), _) | (_, Const(0)): return Const(0)
                case (Const(1), x) | (x, Const(1)): return x
                case (Const(a), Const(b)): return Const(a*b)
            return Mul(l, r)
        case Pow(base, 1): return simplify(base)
        case Pow(base, n) if n > 1: return Pow(simplify(base), n)
        case other: return other

x, y = Var("x"), Var("y")
e = 3*x**2*y + (x - y)**3 + 7
print(e)
print(simplify(e))
dx = e.d("x")
print(simplify(dx))
print(dx(x=2, y=5), e.d("y")(x=2, y=5))
print(repr(simplify(x*1 + 0)), Var("x") == x, hash(Var("x")) == hash(x))
h = 1e-6
print(abs((e(x=2+h, y=5) - e(x=2-h, y=5))/(2*h) - dx(x=2, y=5)) < 1e-4)
try:
    x.name = "z"
except Exception as err:
    print(type(err).__name__, err)
print({x: 1, Var("x"): 2})
print(reduce(operator.mul, [x, y, Const(2)]))

# kind: class
# expression -> string, with derivative.  side project!
from dataclasses import dataclass
import math

class Expr:
    def __add__(self, o): return Add(self, lift(o))
    def __radd__(self, o): return Add(lift(o), self)
    def __mul__(self, o): return Mul(self, lift(o))
    def __rmul__(self, o): return Mul(lift(o), self)
    def __sub__(self, o): return Add(self, Mul(Const(-1), lift(o)))
    def __pow__(self, n): return Pow(self, n)
    def __call__(self, **env): return self.eval(env)

def lift(x):
    return x if isinstance(x, Expr) else Const(x)

@dataclass(frozen=True)
class Const(Expr):
    v: float
    def eval(self, env): return self.v
    def diff(self, var): return Const(0)
    def __str__(self): return str(self.v)

@dataclass(frozen=True)
class Var(Expr):
    name: str
    def eval(self, env):
        try:
            return env[self.name]
        except KeyError:
            raise NameError(f"unbound {self.name!r}") from None
    def diff(self, var): return Const(1 if var == self.name else 0)
    def __str__(self): return self.name

@dataclass(frozen=True)
class Add(Expr):
    l: Expr
    r: Expr
    def eval(self, env): return self.l.eval(env) + self.r.eval(env)
    def diff(self, var): return self.l.diff(var) + self.r.diff(var)
    def __str__(self): return f"({self.l} + {self.r})"

@dataclass(frozen=True)
class Mul(Expr):
    l: Expr
    r: Expr
    def eval(self, env): return self.l.eval(env) * self.r.eval(env)
    def diff(self, var): return self.l.diff(var) * self.r + self.l * self.r.diff(var)
    def __str__(self): return f"{self.l}*{self.r}"

@dataclass(frozen=True)
class Pow(Expr):
    base: Expr
    n: int
    def eval(self, env): return self.base.eval(env) ** self.n
    def diff(self, var): return self.n * self.base ** (self.n - 1) * self.base.diff(var)
    def __str__(self): return f"{self.base}^{self.n}"

def simplify(e):
    match e:
        case Add(l, r):
            l, r = simplify(l), simplify(r)
            match (l, r):
                case (Const(0), x) | (x, Const(0)): return x
                case (Const(a), Const(b)): return Const(a + b)
            return Add(l, r)
        case Mul(l, r):
            l, r = simplify(l), simplify(r)
            match (l, r):
                case (Const(v=0), _) | (_, Const(v=0)): return Const(0)
                case (Const(1), x) | (x, Const(1)): return x
                case (Const(a), Const(b)): return Const(a * b)
            return Mul(l, r)
        case Pow(base=b, n=1):
            return simplify(b)
        case Pow(b, n):
            return Pow(simplify(b), n)
    return e

x, y = Var("x"), Var("y")
f = 3 * x**2 - 4 * x + 5 + x * y
print(f)
df = f.diff("x")
print(df)
print(simplify(df))
print(f(x=2.0, y=1), df(x=2.0, y=1))
try:
    f(x=1)
except NameError as err:
    print("error:", err)
print(Const(1) == Const(1), len({Const(1), Const(1), Var("x")}), Var("x"))
try:
    x.name = "z"
except AttributeError as e:
    print(type(e).__name__, e)

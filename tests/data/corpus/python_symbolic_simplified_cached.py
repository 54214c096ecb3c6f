# kind: python
from functools import lru_cache

class Expr:
    def __add__(self, other): return Add(self, wrap(other))
    def __radd__(self, other): return Add(wrap(other), self)
    def __mul__(self, other): return Mul(self, wrap(other))
    def __rmul__(self, other): return Mul(wrap(other), self)
    def __pow__(self, n): return Pow(self, n)

class Const(Expr):
    def __init__(self, v): self.v = v
    def eval(self, **env): return self.v
    def diff(self, name): return Const(0)
    def __str__(self): return str(self.v)

class Var(Expr):
    def __init__(self, name): self.name = name
    def eval(self, **env): return env[self.name]
    def diff(self, name): return Const(1 if name == self.name else 0)
    def __str__(self): return self.name

class Add(Expr):
    def __init__(self, l, r): self.l, self.r = l, r
    def eval(self, **env): return self.l.eval(**env) + self.r.eval(**env)
    def diff(self, name): return self.l.diff(name) + self.r.diff(name)
    def __str__(self): return f"({self.l} + {self.r})"

class Mul(Expr):
    def __init__(self, l, r): self.l, self.r = l, r
    def eval(self, **env): return self.l.eval(**env) * self.r.eval(**env)
    def diff(self, name): return self.l.diff(name) * self.r + self.l * self.r.diff(name)
    def __str__(self): return f"{self.l}*{self.r}"

class Pow(Expr):
    def __init__(self, b, n): self.b, self.n = b, n
    def eval(self, **env): return self.b.eval(**env) ** self.n
    def diff(self, name): return self.n * self.b ** (self.n - 1) * self.b.diff(name)
    def __str__(self): return f"{self.b}^{self.n}"

def wrap(x): return x if isinstance(x, Expr) else Const(x)

@lru_cache(maxsize=None)
def simplify(e):
    if isinstance(e, Add):
        l, r = simplify(e.l), simplify(e.r)
        if isinstance(l, Const) and l.v == 0: return r
        if isinstance(r, Const) and r.v == 0: return l
        if isinstance(l, Const) and isinstance(r, Const): return Const(l.v + r.v)
        return Add(l, r)
    if isinstance(e, Mul):
        l, r = simplify(e.l), simplify(e.r)
        for a, b in ((l, r), (r, l)):
            if isinstance(a, Const):
                if a.v == 0: return Const(0)
                if a.v == 1: return b
        if isinstance(l, Const) and isinstance(r, Const): return Const(l.v * r.v)
        return Mul(l, r)
    if isinstance(e, Pow) and e.n == 1:
        return simplify(e.b)
    return e

x, y = Var("x"), Var("y")
f = 3 * x**2 + x * y + y**3
print("f      =", f)
for v in "xy":
    d = simplify(f.diff(v))
    print(f"df/d{v}  = {d}  -> {d.eval(x=2, y=-1)}")
print("second =", simplify(simplify(f.diff('x')).diff('x')))
print(simplify.cache_info().hits > 0)

# kind: python
import functools, inspect, types
def op(symbol):
    def decorate(fn):
        fn.symbol = symbol
        @functools.wraps(fn)
        def wrapper(self, *others):
            others = [o if isinstance(o, type(self)) else type(self)(o) for o in others]
            out = fn(self, *others)
            out.op, out.parents = symbol, (self, *others)
            wrapper.count += 1
            return out
        wrapper.count = 0
        wrapper.symbol = symbol
        return wrapper
    return decorate
class Value:
    ops = {}
    def __init__(self, v): self.v, self.op, self.parents = v, None, ()
    @op("+")
    def __add__(self, o):
        "addition"
        return Value(self.v + o.v)
    @op("*")
    def __mul__(self, o): return Value(self.v * o.v)
    __radd__, __rmul__ = __add__, __mul__
    @staticmethod
    def zero(): return Value(0)
    @classmethod
    def many(cls, *vs): return [cls(v) for v in vs]
    def show(self): return f"{self.v}" if not self.parents else "(" + f" {self.op} ".join(p.show() for p in self.parents) + ")"
a, b = Value.many(2, 3)
c = a * b + 1 + 4 * a
print(c.v, c.show(), Value.__add__.count, Value.__mul__.count, Value.__add__.__name__, Value.__add__.__doc__, Value.__mul__.symbol)
for name in [n for n in dir(Value) if hasattr(getattr(Value, n), "symbol")]: print(name, getattr(Value, name).symbol)
def relu(self): return Value(max(0, self.v))
Value.relu = relu
print(Value(-3).relu().v, hasattr(a, "relu"), Value.zero().v)
def debug(cls):
    orig = cls.__init__
    def __init__(self, *a, **k):
        orig(self, *a, **k)
        print("init", cls.__name__, a, k)
    cls.__init__ = __init__
    return cls
@debug
class P:
    def __init__(self, x, y=2): self.x, self.y = x, y
P(1); P(1, y=3)
def trace(fn):
    depth = 0
    @functools.wraps(fn)
    def inner(*a):
        nonlocal depth
        print("  "*depth + f"{fn.__name__}{a}")
        depth += 1
        try: return fn(*a)
        finally: depth -= 1
    return inner
@trace
def fact(n): return 1 if n <= 1 else n*fact(n-1)
print(fact(3))
compose = lambda *fs: functools.reduce(lambda f, g: lambda x: g(f(x)), fs)
print(compose(lambda x: x+1, lambda x: x*2, str)(3), (lambda *a, **k: (a, k))(1, b=2))
print(isinstance(fact, types.FunctionType), callable(Value), type(a.show).__name__)
class cached:
    def __init__(self, f): self.f, self.memo = f, {}; functools.update_wrapper(self, f)
    def __call__(self, *a):
        if a not in self.memo: self.memo[a] = self.f(*a)
        return self.memo[a]
@cached
def slow(x):
    "docs"
    print("computing", x); return x*x
print(slow(3), slow(3), slow.__name__, slow.__doc__, slow.memo)

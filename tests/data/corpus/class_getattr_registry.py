# kind: class
import math
OPS = {}
def register(name, *, arity=1):
    def deco(fn):
        OPS[name] = (fn, arity)
        return fn
    return deco

@register("sin")
def _sin(x): return math.sin(x), [math.cos(x)]
@register("exp")
def _exp(x):
    e = math.exp(x); return e, [e]
@register("mul", arity=2)
def _mul(a, b): return a*b, [b, a]
@register("add", arity=2)
def _add(a, b): return a+b, [1.0, 1.0]

class V:
    def __init__(self, val, args=(), locs=()):
        self.val = val; self.args = args; self.locs = locs; self.g = 0.0
    def __getattr__(self, name):
        if name.startswith("_") or name not in OPS:
            raise AttributeError(f"no op {name!r}; have {', '.join(sorted(OPS))}")
        fn, arity = OPS[name]
        def method(*others):
            args = (self,) + others
            if len(args) != arity:
                raise TypeError(f"{name}() takes {arity} args, got {len(args)}")
            out, locs = fn(*(a.val for a in args))
            return V(out, args, locs)
        return method
    def __dir__(self): return sorted(OPS)
    def __add__(self, o): return self.add(o)
    def __mul__(self, o): return self.mul(o)

def backprop(v, seed=1.0, depth=0):
    v.g += seed
    print("  "*depth + f"{v.val:.4f} <- {seed:.4f}")
    for a, l in zip(v.args, v.locs):
        backprop(a, seed*l, depth+1)
a, b = V(0.7), V(1.1)
out = (a*b).sin() + a.exp()
backprop(out)
print(a.g, b.g)
for bad in (lambda: a.cosh(), lambda: a.mul(), lambda: a._x):
    try: bad()
    except (AttributeError, TypeError) as e: print(type(e).__name__, '-', e)
print(math.cos(.77)*1.1 + math.exp(.7) == a.g)

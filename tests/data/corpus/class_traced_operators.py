# kind: class
import functools, math, time
from contextlib import contextmanager
TRACE = []
def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        out = fn(*args, **kwargs)
        TRACE.append((fn.__name__, tuple(round(getattr(a, 'data', a), 3) for a in args), round(out.data, 3)))
        return out
    return wrapper
class Var:
    _count = 0
    def __init__(self, data, parents=()):
        self.data = float(data); self.grad = 0.0; self.parents = parents
        Var._count += 1; self.id = Var._count
    @traced
    def __add__(self, o): return Var(self.data + o.data, ((self, 1.0), (o, 1.0)))
    @traced
    def __mul__(self, o): return Var(self.data * o.data, ((self, o.data), (o, self.data)))
    @classmethod
    def reset(cls): cls._count = 0; return cls
    def backward(self, seed=1.0):
        self.grad += seed
        for p, local in self.parents: p.backward(seed * local)
    def __str__(self): return f'v{self.id}={self.data:g} (grad={self.grad:g})'
@contextmanager
def section(title):
    print(f'--- {title} ---')
    yield
    print('-' * (8 + len(title)))
with section('forward'):
    Var.reset()
    x, y = Var(2), Var(3)
    f = x * y + x * x
    print(f)
with section('backward'):
    f.backward()
    print(x, y, sep=', ')
for row in TRACE: print('{0:<8}{1!s:<14}-> {2}'.format(*row))
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(30), fib.cache_info().hits, Var.__add__.__name__)
print(functools.reduce(lambda a, b: a * b, map(Var, [1, 2, 3, 4])).data)

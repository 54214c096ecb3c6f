# kind: class
from __future__ import annotations
import abc, math, random, functools, enum, sys
from dataclasses import dataclass, field
from typing import Iterable, Sequence

class Reduction(str, enum.Enum):
    MEAN = "mean"
    SUM = "sum"

@dataclass(frozen=True, order=True)
class Hyper:
    lr: float = 0.1
    momentum: float = 0.0
    tags: tuple[str, ...] = ()

    def with_(self, **changes) -> Hyper:
        from dataclasses import replace
        return replace(self, **changes)

@functools.total_ordering
class S:
    """scalar"""
    registry: dict[str, int] = {}
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        S.registry[cls.__name__] = len(S.registry)
    def __init__(self, v, src=()):
        self.v = v; self.g = 0.0; self.src = src
    def __eq__(self, o): return self.v == (o.v if isinstance(o, S) else o)
    def __lt__(self, o): return self.v < (o.v if isinstance(o, S) else o)
    __hash__ = object.__hash__
    def __add__(self, o):
        o = as_scalar(o); return S(self.v + o.v, ((self, 1.0), (o, 1.0)))
    def __mul__(self, o):
        o = as_scalar(o); return S(self.v * o.v, ((self, o.v), (o, self.v)))
    __radd__ = __add__; __rmul__ = __mul__
    def __neg__(self): return -1 * self
    def __sub__(self, o): return self + -as_scalar(o)
    def __rsub__(self, o): return as_scalar(o) - self
    def __abs__(self): return S(abs(self.v), ((self, math.copysign(1.0, self.v)),))
    def __matmul__(self, o): return self * o
    def relu(self): return S(max(self.v, 0.0), ((self, 1.0 if self > 0 else 0.0),))
    def topo(self):
        seen, out = set(), []
        def visit(n):
            if id(n) in seen: return
            seen.add(id(n))
            for s, _ in n.src: visit(s)
            out.append(n)
        visit(self)
        return out
    def backward(self):
        self.g = 1.0
        for n in self.topo()[::-1]:
            for s, d in n.src: s.g += d * n.g

class Param(S):
    def __repr__(self): return f"Param({self.v:+.4f})"
class Const(S): pass

def as_scalar(x): return x if isinstance(x, S) else Const(float(x))

class Loss(metaclass=abc.ABCMeta):
    reduction: Reduction = Reduction.MEAN
    def __call__(self, pred: Sequence[S], target: Sequence[float]) -> S:
        terms = [self.term(p, t) for p, t in zip(pred, target, strict=True)]
        total = functools.reduce(lambda a, b: a + b, terms)
        return total * (1 / len(terms)) if self.reduction is Reduction.MEAN else total
    @abc.abstractmethod
    def term(self, p: S, t: float) -> S: ...

class L1(Loss):
    def term(self, p, t): return abs(p - t)
class Huber(Loss):
    reduction = Reduction.SUM
    delta = 1.0
    def term(self, p, t):
        d = p - t
        return 0.5 * d * d if abs(d) <= self.delta else self.delta * (abs(d) - 0.5 * self.delta)

class Optim(abc.ABC):
    def __init__(self, params: Iterable[Param], hyper: Hyper):
        self.params = [*params]
        self.h = hyper
        self.buf = dict.fromkeys(map(id, self.params), 0.0)
    def __enter__(self):
        for p in self.params: p.g = 0.0
        return self
    def __exit__(self, *exc):
        if not any(exc): self.step()
    def step(self):
        for p in self.params:
            b = self.buf[id(p)] = self.h.momentum * self.buf[id(p)] + p.g
            p.v -= self.h.lr * b
class SGD(Optim): pass

random.seed(0)
xs = [random.uniform(-2, 2) for _ in range(16)]
ts = [1.7 * x - 0.4 + random.gauss(0, 0.05) for x in xs]
for loss_fn, h in [(L1(), Hyper(lr=0.1)), (Huber(), Hyper().with_(lr=0.01, momentum=0.5, tags=("huber",)))]:
    w, b = Param(0.0), Param(0.0)
    opt = SGD((w, b), h)
    for epoch in range(40):
        with opt:
            loss = loss_fn([w * x + b for x in xs], ts)
            loss.backward()
    print(f"{type(loss_fn).__name__:<6}", loss_fn.reduction.value, h, round(loss.v, 5), w, b, w > b, max(w, b) is w)
print(S.registry, Hyper() < Hyper(lr=0.2), Reduction("sum"), Reduction.MEAN == "mean", sorted([Hyper(0.3), Hyper(0.1)])[0].lr)
try:
    Hyper().lr = 3
except Exception as e:
    print(type(e).__name__, e)
try:
    loss_fn([w], [1.0, 2.0])
except ValueError as e:
    print("ValueError:", e)
print(sys.version_info >= (3, 8), sys.getrecursionlimit() >= 1000, isinstance(w, S) and not isinstance(w, Const))

# kind: class
from __future__ import annotations

import math
import random
from collections import deque
from typing import Iterable

class Tensor0D:
    """A zero-dimensional tensor."""

    grad: float
    data: float

    def __init__(self, data: float | int, *, _parents: tuple[Tensor0D, ...] = (), _op: str | None = None) -> None:
        self.data = data
        self.grad = 0.0
        self._parents = _parents
        self._op = _op
        self._ctx: dict = {}

    # -- ops --------------------------------------------------------------
    def _binop(self, other, op):
        if not isinstance(other, type(self)):
            other = self.__class__(other)
        ops = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
        }
        return Tensor0D(ops[op](self.data, other.data), _parents=(self, other), _op=op)

    def __add__(self, other): return self._binop(other, "add")
    def __sub__(self, other): return self._binop(other, "sub")
    def __mul__(self, other): return self._binop(other, "mul")
    def __truediv__(self, other): return self._binop(other, "div")
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    def __rsub__(self, other): return Tensor0D(other) - self
    def __rtruediv__(self, other): return Tensor0D(other) / self
    def exp(self): return Tensor0D(math.exp(self.data), _parents=(self,), _op="exp")
    def log(self): return Tensor0D(math.log(self.data), _parents=(self,), _op="log")

    def _local_grads(self) -> tuple[float, ...]:
        match self._op, self._parents:
            case "add", _:
                return 1.0, 1.0
            case "sub", _:
                return 1.0, -1.0
            case "mul", (a, b):
                return b.data, a.data
            case "div", (a, b):
                return 1 / b.data, -a.data / b.data ** 2
            case "exp", (Tensor0D(data=x),):
                return (math.exp(x),)
            case "log", (Tensor0D(data=x),):
                return (1 / x,)
            case None, ():
                return ()
            case other:
                raise RuntimeError(f"no gradient for {other[0]!r}")

    def backward(self):
        # Kahn's algorithm
        children: dict[Tensor0D, int] = {self: 0}
        q: deque[Tensor0D] = deque([self])
        while q:
            n = q.popleft()
            for p in n._parents:
                if p in children:
                    children[p] += 1
                else:
                    children[p] = 1
                    q.append(p)
        self.grad = 1.0
        q.append(self)
        while q:
            n = q.popleft()
            for p, d in zip(n._parents, n._local_grads()):
                p.grad += d * n.grad
                children[p] -= 1
                if children[p] == 0:
                    q.append(p)
        return self


class Classifier:
    def __init__(self, n_in: int, n_classes: int, /, *, scale: float = 0.01):
        self.W = [[Tensor0D(random.gauss(0.0, scale)) for _ in range(n_in)] for _ in range(n_classes)]
        self.b = [Tensor0D(0.0) for _ in range(n_classes)]

    def logits(self, x): return [sum((w * xi for w, xi in zip(row, x)), b) for row, b in zip(self.W, self.b)]

    @property
    def params(self) -> Iterable[Tensor0D]:
        for row in self.W:
            yield from row
        yield from self.b


def cross_entropy(logits, target):
    biggest = max(l.data for l in logits)
    shifted = [l - biggest for l in logits]
    return sum(s.exp() for s in shifted).log() - shifted[target]


random.seed(99)
centers = [(-2, 0), (2, 0), (0, 2.5)]
points = [((cx + random.gauss(0, .5), cy + random.gauss(0, .5)), k) for k, (cx, cy) in enumerate(centers) for _ in range(8)]
random.shuffle(points)
clf = Classifier(2, 3)
batches = lambda seq, n: (seq[i:i + n] for i in range(0, len(seq), n))
lr, decay = 0.5, 0.95
for epoch in range(6):
    running = 0.0
    for batch in batches(points, 6):
        loss = sum(cross_entropy(clf.logits(x), t) for x, t in batch) / len(batch)
        for p in clf.params:
            p.grad = 0.0
        loss.backward()
        for p in clf.params:
            p.data -= lr * p.grad
        running += loss.data * len(batch)
    lr *= decay
    correct = sum(max(range(3), key=lambda k, z=clf.logits(x): z[k].data) == t for x, t in points)
    print(f"epoch={epoch} loss={running / len(points):<8.5f} acc={correct}/{len(points)} lr={lr:.4f}")
print(*(f"{p.data:7.3f}" for p in clf.params))
try:
    Tensor0D(1.0, _parents=(Tensor0D(1),), _op="sinh").backward()
except RuntimeError as e:
    print("RuntimeError", e)
try:
    Tensor0D(1.0, (1, 2))
except TypeError as e:
    print(e)

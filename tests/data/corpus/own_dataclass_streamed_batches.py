# kind: class
"""streaming training with generators, a tiny dataset class, and a metrics dict"""
import itertools, math, random, statistics
from collections import deque, defaultdict, Counter
from dataclasses import dataclass, field, astuple
from contextlib import contextmanager
import copy

random.seed(21)

@dataclass
class Value:
    data: float
    grad: float = 0.0
    _prev: tuple = field(default=(), repr=False, compare=False)
    _backward: object = field(default=None, repr=False, compare=False)
    __hash__ = object.__hash__

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, 0.0, (self, other))
        def _backward():
            self.grad += out.grad; other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, 0.0, (self, other))
        def _backward():
            self.grad += other.data * out.grad; other.grad += self.data * out.grad
        out._backward = _backward
        return out
    __radd__ = __add__; __rmul__ = __mul__
    def __sub__(self, o): return self + (-1) * (o if isinstance(o, Value) else Value(o))
    def backward(self):
        for n in toposort(self): 
            if n._backward: n._backward()

def toposort(root):
    seen = set()
    def walk(n):
        if n in seen: return
        seen.add(n)
        for p in n._prev: yield from walk(p)
        yield n
    order = list(walk(root))
    root.grad = 1.0
    return reversed(order)

class Dataset:
    def __init__(self, n): self.items = [(x := random.uniform(-1, 1), 2 * x - 0.3) for _ in range(n)]
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
    def batches(self, size):
        order = list(range(len(self)))
        while True:
            random.shuffle(order)
            for i in range(0, len(order), size):
                yield [self[j] for j in order[i:i + size]]

def running_mean(n):
    window = deque(maxlen=n)
    value = None
    while True:
        x = yield value
        window.append(x)
        value = sum(window) / len(window)

@contextmanager
def frozen(*params):
    saved = [p.data for p in params]
    try:
        yield tuple(saved)
    finally:
        for p, s in zip(params, saved): p.data = s

w, b = Value(0.0), Value(0.0)
ds = Dataset(12)
avg = running_mean(5)
next(avg)
metrics = defaultdict(list)
for step, batch in zip(itertools.count(1), itertools.islice(ds.batches(4), 30)):
    loss = sum(((w * x + b - y) * (w * x + b - y) for x, y in batch), Value(0.0)) * (1 / len(batch))
    w.grad = b.grad = 0.0
    loss.backward()
    w.data, b.data = (p.data - 0.3 * p.grad for p in (w, b))
    metrics['loss'].append(loss.data)
    m = avg.send(loss.data)
    if step % 10 == 0: print(f'{step=} {m=:.6f} w={w.data:+.4f} b={b.data:+.4f}')
with frozen(w, b) as saved:
    w.data = 100.0
print(w.data == saved[0], w, astuple(Value(1.0))[:2], Value(1.0) == Value(1.0), copy.copy(b) == b)
print(statistics.fmean(metrics['loss'][-5:]) < 1e-2, Counter('backprop').most_common(2))
print(list(itertools.accumulate([1, 2, 3, 4], lambda a, b: a * b)), list(itertools.pairwise('abc')), list(itertools.chain.from_iterable([[1], [2, 3]])))
for (i, (x, y)), ch in zip(enumerate(ds.items[:2]), 'pq'): print(i, round(x, 4), round(y, 4), ch)
first, *_, last = sorted(ds.items)
print([round(v, 3) for v in (*first, *last)])
match (w.data > 1.5, b.data < 0):
    case (True, True): print('converging')
    case (True, _) | (_, True): print('half')
    case _: print('lost')

# kind: python
from collections import Counter
from contextlib import contextmanager
import math

counts = Counter()

@contextmanager
def counting(name):
    before = sum(counts.values())
    try:
        yield counts
    finally:
        print(f"{name}: {sum(counts.values()) - before} operations")

class Value:
    def __init__(self, data, prev=()):
        self.data, self.grad, self.prev = data, 0.0, prev
    def __add__(self, o):
        counts["add"] += 1
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data + o.data, ((self, 1.0), (o, 1.0)))
    __radd__ = __add__
    def __mul__(self, o):
        counts["mul"] += 1
        o = o if isinstance(o, Value) else Value(o)
        return Value(self.data * o.data, ((self, o.data), (o, self.data)))
    def backward(self, g=1.0):
        self.grad += g
        for p, d in self.prev: p.backward(g * d)

signal = [Value(x) for x in (1.0, 2.0, -1.0, 0.5, 3.0)]
kernel = [Value(0.25), Value(0.5), Value(0.25)]
with counting("convolution"):
    out = [sum(k * s for k, s in zip(kernel, signal[i:])) for i in range(len(signal) - len(kernel) + 1)]
with counting("loss"):
    loss = sum(o * o for o in out)
loss.backward()
print([o.data for o in out], loss.data)
print([k.grad for k in kernel])
print(counts.most_common(), counts["sub"])
@contextmanager
def tag(name):
    print(f"<{name}>")
    yield name.upper()
    print(f"</{name}>")
with tag("a") as a, tag("b") as b:
    print(a + b)

# kind: network
import math, random
random.seed(3)

class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._bw = data, 0.0, _prev, None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))
        def bw(): self.grad += out.grad; o.grad += out.grad
        out._bw = bw
        return out
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))
        def bw(): self.grad += o.data * out.grad; o.grad += self.data * out.grad
        out._bw = bw
        return out
    def __sub__(self, o): return self + (o * -1 if isinstance(o, Value) else -o)
    def tanh(self):
        out = Value(math.tanh(self.data), (self,))
        def bw(): self.grad += (1 - out.data ** 2) * out.grad
        out._bw = bw
        return out
    def backward(self):
        topo, seen = [], set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for p in v._prev: go(p)
                topo.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(topo):
            if v._bw is not None: v._bw()

wx, wh, b, wo = params = [Value(random.uniform(-0.5, 0.5)) for _ in range(4)]
xs = [0.0, 0.5, 0.9, 0.7, 0.1, -0.4]
ys = xs[1:] + [-0.8]

def unroll(xs):
    h = Value(0.0)
    for x in xs:
        h = (wx * x + wh * h + b).tanh()
        yield h * wo

for it in range(25):
    loss = Value(0.0)
    for o, y in zip(unroll(xs), ys):
        e = o - y
        loss = loss + e * e
    for p in params: p.grad = 0.0
    loss.backward()
    norm = math.sqrt(sum(p.grad ** 2 for p in params))
    scale = min(1.0, 1.0 / norm)
    for p in params: p.data -= 0.1 * scale * p.grad
    if it % 6 == 0: print(f"{it:2d} loss={loss.data:.5f} norm={norm:.4f}{' (clipped)' if scale < 1 else ''}")
print([round(o.data, 3) for o in unroll(xs)])

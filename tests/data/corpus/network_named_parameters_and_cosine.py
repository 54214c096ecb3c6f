# kind: network
import json, math, random, copy, os
from typing import Iterable

random.seed(123)

class Value:
    def __init__(self, data, _children=(), _op='', label='', requires_grad=True):
        self.data = data
        self.grad = 0.0
        self._prev = frozenset(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None
    def __repr__(self): return f'Value({self.data:.4f})'
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    __radd__ = __add__
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)
    def __pow__(self, p):
        out = Value(self.data ** p, (self,), f'**{p}')
        def _backward(): self.grad += p * self.data ** (p - 1) * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')
        def _backward(): self.grad += (1 - t ** 2) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, vis = [], set()
        def build(v):
            if v not in vis:
                vis.add(v)
                for c in v._prev: build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo): v._backward()

class Module:
    training = True
    def named_parameters(self, prefix=''):
        for name, attr in self.__dict__.items():
            path = f'{prefix}.{name}' if prefix else name
            if isinstance(attr, Value):
                yield path, attr
            elif isinstance(attr, Module):
                yield from attr.named_parameters(path)
            elif isinstance(attr, (list, tuple)):
                for i, item in enumerate(attr):
                    if isinstance(item, Value): yield f'{path}.{i}', item
                    elif isinstance(item, Module): yield from item.named_parameters(f'{path}.{i}')
    def parameters(self): return [p for _, p in self.named_parameters()]
    def state_dict(self): return {n: p.data for n, p in self.named_parameters()}
    def load_state_dict(self, state, strict=True):
        own = dict(self.named_parameters())
        missing = own.keys() - state.keys()
        unexpected = state.keys() - own.keys()
        if strict and (missing or unexpected):
            raise KeyError(f'missing: {sorted(missing)}, unexpected: {sorted(unexpected)}')
        for n, v in state.items():
            if n in own: own[n].data = v
    def train(self, mode=True):
        self.training = mode
        return self
    def eval(self): return self.train(False)

class Linear(Module):
    def __init__(self, n, m):
        k = math.sqrt(1 / n)
        self.weight = [Neuronlet(n, k) for _ in range(m)]
    def __call__(self, x): return [u(x) for u in self.weight]

class Neuronlet(Module):
    def __init__(self, n, k):
        self.w = [Value(random.uniform(-k, k)) for _ in range(n)]
        self.b = Value(random.uniform(-k, k))
    def __call__(self, x): return sum((w * v for w, v in zip(self.w, x)), self.b)

class Dropout(Module):
    def __init__(self, p): self.p = p
    def __call__(self, x):
        if not self.training: return x
        return [v * (random.random() > self.p) * (1 / (1 - self.p)) for v in x]

class Sequential(Module):
    def __init__(self, *layers): self.layers = list(layers)
    def __call__(self, x):
        for l in self.layers: x = l(x)
        return x
    def train(self, mode=True):
        for l in self.layers:
            if isinstance(l, Module): l.train(mode)
        return super().train(mode)

def Tanh(x): return [v.tanh() for v in x]

class CosineLR:
    def __init__(self, base, total, warmup=3):
        self.base, self.total, self.warmup = base, total, warmup
    def __getitem__(self, t):
        if t < self.warmup: return self.base * (t + 1) / self.warmup
        return 0.5 * self.base * (1 + math.cos(math.pi * (t - self.warmup) / (self.total - self.warmup)))

net = Sequential(Linear(1, 6), Tanh, Dropout(0.1), Linear(6, 1))
data = [(x / 5, math.sin(x / 2)) for x in range(-5, 6)]
sched = CosineLR(0.1, 20)
for t in range(20):
    net.train()
    batch = random.sample(data, 6)
    loss = sum((net([x])[0] - y) ** 2 for x, y in batch) * (1 / len(batch))
    for p in net.parameters(): p.grad = 0.0
    loss.backward()
    norm = math.sqrt(sum(p.grad ** 2 for p in net.parameters()))
    scale = min(1.0, 1.0 / (norm + 1e-6))
    for p in net.parameters(): p.data -= sched[t] * scale * p.grad
    if t % 5 == 4: print(f'{t=:2d} {loss.data=:.4f} {norm=:.3f} lr={sched[t]:.4f}')
net.eval()
print([round(net([x])[0].data, 3) for x, _ in data[::5]])
text = json.dumps(net.state_dict(), indent=None)
print(len(net.state_dict()), list(net.state_dict())[:3], list(net.state_dict())[-1])
clone = Sequential(Linear(1, 6), Tanh, Dropout(0.1), Linear(6, 1)).eval()
clone.load_state_dict(json.loads(text))
print(clone([0.2])[0].data == net([0.2])[0].data)
best = copy.deepcopy(net.state_dict())
try:
    clone.load_state_dict({'layers.0.oops': 1.0})
except KeyError as e:
    print(str(e)[:40])
print(type(best), callable(net), hasattr(net, 'layers'), os.path.join('runs', 'best.json'))

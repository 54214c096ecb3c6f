# kind: network
from collections import OrderedDict
import math, random

class Value:
    def __init__(self, data, parents=()):
        self.data = float(data)
        self.grad = 0.0
        self._parents = parents
    def _op(self, data, *edges): return Value(data, edges)
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return self._op(self.data + o.data, (self, 1.0), (o, 1.0))
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        return self._op(self.data * o.data, (self, o.data), (o, self.data))
    __radd__, __rmul__ = __add__, __mul__
    def tanh(self):
        t = math.tanh(self.data)
        return self._op(t, (self, 1 - t * t))
    def backward(self):
        order, seen = [], set()
        def walk(v):
            if v not in seen:
                seen.add(v)
                for p, _ in v._parents: walk(p)
                order.append(v)
        walk(self)
        self.grad = 1.0
        for v in reversed(order):
            for p, w in v._parents: p.grad += w * v.grad

class Module:
    def __init__(self):
        object.__setattr__(self, "_modules", OrderedDict())
        object.__setattr__(self, "_params", OrderedDict())
        self.training = True
    def __setattr__(self, name, value):
        if isinstance(value, Module):
            self._modules[name] = value
        elif isinstance(value, Value):
            self._params[name] = value
        object.__setattr__(self, name, value)
    def named_parameters(self, prefix=""):
        for name, p in self._params.items():
            yield prefix + name, p
        for name, m in self._modules.items():
            yield from m.named_parameters(prefix + name + ".")
    def train(self, mode=True):
        self.training = mode
        for m in self._modules.values(): m.train(mode)
        return self
    def eval(self): return self.train(False)
    def state_dict(self): return {n: p.data for n, p in self.named_parameters()}
    def load_state_dict(self, state):
        missing = []
        for n, p in self.named_parameters():
            if n in state: p.data = state[n]
            else: missing.append(n)
        return missing
    def __call__(self, *args): return self.forward(*args)
    def __repr__(self):
        inner = ", ".join(f"({n}): {m!r}" for n, m in self._modules.items())
        return f"{type(self).__name__}({inner})"

class Neuron(Module):
    def __init__(self, n):
        super().__init__()
        for i in range(n): setattr(self, f"w{i}", Value(random.uniform(-1, 1)))
        self.b = Value(0)
        self.n = n
    def forward(self, x):
        return (sum((getattr(self, f"w{i}") * xi for i, xi in enumerate(x)), self.b)).tanh()

class Dropout(Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
    def forward(self, x):
        if not self.training: return x
        return [xi if random.random() > self.p else xi * 0.0 for xi in x]

class Net(Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.drop = Neuron(2), Neuron(2), Dropout(0.5)
        self.out = Neuron(2)
    def forward(self, x):
        return self.out(self.drop([self.first(x), self.second(x)]))

random.seed(0)
net = Net()
print(net)
print([n for n, _ in net.named_parameters()])
y = net.train()([1.0, -1.0])
y.backward()
print(round(y.data, 6), {n: round(p.grad, 5) for n, p in net.named_parameters() if p.grad})
net.eval()
print(round(net([1.0, -1.0]).data, 6), net.drop.training)
saved = net.state_dict()
net.first.w0.data = 9.0
print(net.load_state_dict({k: v for k, v in saved.items() if k != "out.b"}), net.first.w0.data == saved["first.w0"])

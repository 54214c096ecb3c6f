# kind: network
from abc import ABC, abstractmethod, ABCMeta
from typing import Sequence, Optional, Callable, Dict, Type
import random, math
random.seed(5)
class Layer(metaclass=ABCMeta):
    registry: Dict[str, Type["Layer"]] = {}
    kind = None
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        if cls.kind is not None:
            Layer.registry[cls.kind] = cls
    @abstractmethod
    def forward(self, x): ...
    @abstractmethod
    def backward(self, g): ...
    @property
    @abstractmethod
    def n_params(self) -> int: ...
    def step(self, lr): pass
    @classmethod
    def create(cls, spec):
        kind, *args = spec.split(":")
        return cls.registry[kind](*map(int, args))
class Linear(Layer):
    kind = "linear"
    def __init__(self, i, o):
        self.W = [[random.uniform(-.5, .5) for _ in range(i)] for _ in range(o)]
        self.gW = None
    def forward(self, x):
        self.x = x
        return [sum(w*a for w, a in zip(r, x)) for r in self.W]
    def backward(self, g):
        self.gW = [[gi*a for a in self.x] for gi in g]
        return [sum(g[o]*self.W[o][i] for o in range(len(g))) for i in range(len(self.x))]
    def step(self, lr):
        for r, gr in zip(self.W, self.gW):
            for i, v in enumerate(gr): r[i] -= lr*v
    @property
    def n_params(self): return sum(map(len, self.W))
class Tanh(Layer):
    kind = "tanh"
    def forward(self, x): self.y = [math.tanh(v) for v in x]; return self.y
    def backward(self, g): return [gi*(1-y*y) for gi, y in zip(g, self.y)]
    n_params = 0
class Sequential(Layer):
    def __init__(self, *specs): self.layers = [Layer.create(s) for s in specs]
    def forward(self, x):
        for l in self.layers: x = l.forward(x)
        return x
    def backward(self, g):
        for l in self.layers[::-1]: g = l.backward(g)
        return g
    def step(self, lr): [l.step(lr) for l in self.layers]
    @property
    def n_params(self): return sum(l.n_params for l in self.layers)
    def __len__(self): return len(self.layers)
    def __getitem__(self, i): return self.layers[i]
net = Sequential("linear:2:3", "tanh", "linear:3:1")
print(net.n_params, len(net), [type(l).__name__ for l in net], Layer.registry.keys(), net[1].__class__.__name__)
for ep in range(40):
    L = 0
    for x, t in [([1, 2], .5), ([2, -1], -.3), ([0, 1], .1)]:
        y, = net.forward(x); L += (y-t)**2
        net.backward([2*(y-t)]); net.step(.1)
    if ep in (0, 9, 39): print(ep, f"{L:.3e}")
try: Layer()
except TypeError as e: print(e)
class Bad(Layer):
    kind = "bad"
    def forward(self, x): return super().forward(x)
try: Bad()
except TypeError as e: print(e)
try: Layer.create("nope:1")
except KeyError as e: print("unknown layer", e)
print(issubclass(Tanh, Layer), isinstance(net, Layer))

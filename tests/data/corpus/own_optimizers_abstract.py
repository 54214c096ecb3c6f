# kind: class
import random
from abc import ABC, abstractmethod
from collections import defaultdict, namedtuple

import math
class Value:
    """ stores a single scalar value and its gradient """

    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0
        # internal variables used for autograd graph construction
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op # the op that produced this node, for graphviz / debugging / etc

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward

        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward

        return out

    def __pow__(self, other):
        assert isinstance(other, (int, float)), "only supporting int/float powers for now"
        out = Value(self.data**other, (self,), f'**{other}')

        def _backward():
            self.grad += (other * self.data**(other-1)) * out.grad
        out._backward = _backward

        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')

        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward

        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), 'tanh')
        def _backward():
            self.grad += (1 - out.data**2) * out.grad
        out._backward = _backward
        return out

    def backward(self):

        # topological order all of the children in the graph
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)

        # go one variable at a time and apply the chain rule to get its gradient
        self.grad = 1
        for v in reversed(topo):
            v._backward()

    def __neg__(self): # -self
        return self * -1

    def __radd__(self, other): # other + self
        return self + other

    def __sub__(self, other): # self - other
        return self + (-other)

    def __rsub__(self, other): # other - self
        return other + (-self)

    def __rmul__(self, other): # other * self
        return self * other

    def __truediv__(self, other): # self / other
        return self * other**-1

    def __rtruediv__(self, other): # other / self
        return other * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

class Optimizer(ABC):
    def __init__(self, params, lr=0.01):
        self.params = list(params)
        self.lr = lr
    def zero_grad(self):
        for p in self.params:
            p.grad = 0
    @abstractmethod
    def step(self): ...

class SGD(Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.0):
        super().__init__(params, lr)
        self.momentum = momentum
        self.velocity = [0.0] * len(self.params)
    def step(self):
        for i, p in enumerate(self.params):
            self.velocity[i] = self.momentum * self.velocity[i] - self.lr * p.grad
            p.data += self.velocity[i]

class Adam(Optimizer):
    def __init__(self, params, lr=0.01, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, lr)
        self.b1, self.b2 = betas
        self.eps = eps
        self.t = 0
        self.state = defaultdict(lambda: {"m": 0.0, "v": 0.0})
    def step(self):
        self.t += 1
        for p in self.params:
            s = self.state[p]
            s["m"] = self.b1 * s["m"] + (1 - self.b1) * p.grad
            s["v"] = self.b2 * s["v"] + (1 - self.b2) * p.grad ** 2
            mhat = s["m"] / (1 - self.b1 ** self.t)
            vhat = s["v"] / (1 - self.b2 ** self.t)
            p.data -= self.lr * mhat / (math.sqrt(vhat) + self.eps)

try:
    Optimizer([])
except TypeError as e:
    print("cannot instantiate:", str(e)[:48])

Result = namedtuple("Result", "name x y loss")
results = []
for cls, kw in [(SGD, dict(lr=0.05)), (SGD, dict(lr=0.02, momentum=0.9)), (Adam, dict(lr=0.3))]:
    x, y = Value(-1.5), Value(2.0)
    opt = cls([x, y], **kw)
    for _ in range(50):
        loss = (x - 1)**2 + 5 * (y + 0.5)**2
        opt.zero_grad()
        loss.backward()
        opt.step()
    results.append(Result(cls.__name__, round(x.data, 4), round(y.data, 4), loss.data))

for r in sorted(results, key=lambda r: r.loss):
    print(f"{r.name:5s} x={r.x:7.4f} y={r.y:7.4f} loss={r.loss:.3e}")
print(results[0]._replace(loss=0))

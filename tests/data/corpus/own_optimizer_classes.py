# kind: own
import math
import random
from abc import ABC, abstractmethod


class Value:
    def __init__(self, data, _prev=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._op = _op
        self._backward = None

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward(grad):
            self.grad += grad
            other.grad += grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward(grad):
            self.grad += other.data * grad
            other.grad += self.data * grad
        out._backward = _backward
        return out

    def __pow__(self, n):
        out = Value(self.data ** n, (self,), "pow")

        def _backward(grad):
            self.grad += n * self.data ** (n - 1) * grad
        out._backward = _backward
        return out

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)
    def __radd__(self, other): return self + other
    def __rsub__(self, other): return (-self) + other
    def __rmul__(self, other): return self * other

    def backward(self):
        order, done = [], set()

        def visit(v):
            if v in done:
                return
            done.add(v)
            for u in v._prev:
                visit(u)
            order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            if v._backward is not None:
                v._backward(v.grad)

    def __repr__(self):
        return "Value({:.4f})".format(self.data)


class Optimizer(ABC):
    def __init__(self, params, lr):
        self.params = list(params)
        self.lr = lr

    def zero_grad(self):
        for p in self.params:
            p.grad = 0.0

    @abstractmethod
    def step(self):
        ...


class SGD(Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.0):
        super().__init__(params, lr)
        self.momentum = momentum
        self.v = [0.0] * len(self.params)

    def step(self):
        for i, p in enumerate(self.params):
            self.v[i] = self.momentum * self.v[i] - self.lr * p.grad
            p.data += self.v[i]


class RMSProp(Optimizer):
    def __init__(self, params, lr=0.01, rho=0.9, eps=1e-8):
        super().__init__(params, lr)
        self.rho, self.eps = rho, eps
        self.cache = {id(p): 0.0 for p in self.params}

    def step(self):
        for p in self.params:
            c = self.rho * self.cache[id(p)] + (1 - self.rho) * p.grad ** 2
            self.cache[id(p)] = c
            p.data -= self.lr * p.grad / (math.sqrt(c) + self.eps)


class Adam(Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, lr)
        self.b1, self.b2 = betas
        self.eps = eps
        self.t = 0
        self.m = [0.0 for _ in self.params]
        self.s = [0.0 for _ in self.params]

    def step(self):
        self.t += 1
        for i, p in enumerate(self.params):
            g = p.grad
            self.m[i] = self.b1 * self.m[i] + (1 - self.b1) * g
            self.s[i] = self.b2 * self.s[i] + (1 - self.b2) * g * g
            mhat = self.m[i] / (1 - self.b1 ** self.t)
            shat = self.s[i] / (1 - self.b2 ** self.t)
            p.data -= self.lr * mhat / (shat ** 0.5 + self.eps)


def rosenbrock(x, y):
    return (1 - x) ** 2 + 100 * (y - x ** 2) ** 2


results = {}
for name, make in {
    "sgd": lambda ps: SGD(ps, lr=5e-4),
    "momentum": lambda ps: SGD(ps, lr=5e-4, momentum=0.9),
    "rmsprop": lambda ps: RMSProp(ps, lr=1e-2),
    "adam": lambda ps: Adam(ps, lr=5e-2),
}.items():
    x, y = Value(-1.2), Value(1.0)
    opt = make([x, y])
    for step in range(100):
        loss = rosenbrock(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    results[name] = loss.data
    print(f"{name:<10} loss = {loss.data:10.6f}   x = {x.data:+.4f}, y = {y.data:+.4f}")

best = min(results, key=results.get)
print("best optimizer:", best)
print(sorted(results.items(), key=lambda kv: kv[1])[0][0])
try:
    Optimizer([], 0.1)
except TypeError as e:
    print("cannot instantiate:", type(e).__name__)

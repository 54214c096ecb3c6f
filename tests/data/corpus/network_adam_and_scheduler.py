# kind: network
import math
import random
from collections import defaultdict

class Tensor0:
    """zero-dimensional tensor"""
    def __init__(self, data, deps=()):
        self.data = float(data)
        self.grad = 0.0
        self.deps = deps
    @staticmethod
    def ensure(x):
        return x if isinstance(x, Tensor0) else Tensor0(x)
    def __add__(self, o):
        o = Tensor0.ensure(o)
        return Tensor0(self.data + o.data, [(self, lambda g: g), (o, lambda g: g)])
    def __mul__(self, o):
        o = Tensor0.ensure(o)
        return Tensor0(self.data * o.data, [(self, lambda g: g * o.data), (o, lambda g: g * self.data)])
    def __sub__(self, o): return self + Tensor0.ensure(o) * -1
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __pow__(self, k):
        return Tensor0(self.data ** k, [(self, lambda g: g * k * self.data ** (k - 1))])
    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        return Tensor0(s, [(self, lambda g: g * s * (1 - s))])
    def backward(self):
        topo, done = [], set()
        def visit(t):
            if id(t) in done: return
            done.add(id(t))
            for d, _ in t.deps: visit(d)
            topo.append(t)
        visit(self)
        grads = defaultdict(float)
        grads[id(self)] = 1.0
        for t in reversed(topo):
            g = grads[id(t)]
            t.grad += g
            for d, f in t.deps:
                grads[id(d)] += f(g)

class Optimizer:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr
    def zero_grad(self):
        for p in self.params: p.grad = 0.0
    def step(self):
        raise NotImplementedError

class SGD(Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.0):
        super().__init__(params, lr)
        self.momentum = momentum
        self.v = [0.0] * len(self.params)
    def step(self):
        for i, p in enumerate(self.params):
            self.v[i] = self.momentum * self.v[i] - self.lr * p.grad
            p.data += self.v[i]

class Adam(Optimizer):
    def __init__(self, params, lr=0.1, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, lr)
        self.b1, self.b2 = betas
        self.eps, self.t = eps, 0
        self.m = {p: 0.0 for p in self.params}
        self.s = {p: 0.0 for p in self.params}
    def step(self):
        self.t += 1
        for p in self.params:
            self.m[p] = self.b1 * self.m[p] + (1 - self.b1) * p.grad
            self.s[p] = self.b2 * self.s[p] + (1 - self.b2) * p.grad ** 2
            m_hat = self.m[p] / (1 - self.b1 ** self.t)
            s_hat = self.s[p] / (1 - self.b2 ** self.t)
            p.data -= self.lr * m_hat / (math.sqrt(s_hat) + self.eps)

class StepLR:
    def __init__(self, opt, every, gamma):
        self.opt, self.every, self.gamma, self.n = opt, every, gamma, 0
    def step(self):
        self.n += 1
        if self.n % self.every == 0:
            self.opt.lr *= self.gamma

XOR = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 0)]

def build(seed):
    rng = random.Random(seed)
    hidden = [[Tensor0(rng.uniform(-2, 2)) for _ in range(3)] for _ in range(3)]
    out = [Tensor0(rng.uniform(-2, 2)) for _ in range(4)]
    def forward(x):
        h = [(w[0] * x[0] + w[1] * x[1] + w[2]).sigmoid() for w in hidden]
        return (sum((o * hi for o, hi in zip(out, h)), out[-1])).sigmoid()
    return forward, [p for w in hidden for p in w] + out

for make in (lambda ps: SGD(ps, lr=1.0, momentum=0.9), lambda ps: Adam(ps, lr=0.3)):
    forward, params = build(3)
    opt = make(params)
    sched = StepLR(opt, every=30, gamma=0.5)
    for step in range(60):
        loss = sum((forward(x) - t) ** 2 for x, t in XOR)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 20 == 0:
            print(f"{type(opt).__name__:<5} step {step:>3} lr {opt.lr:.3f} loss {loss.data:.6f}")
    print([round(forward(x).data, 3) for x, _ in XOR])
try:
    Optimizer([], 1).step()
except NotImplementedError as e:
    print(repr(e))

# kind: own
import math
import random
random.seed(1)

class Value:
    def __init__(self, data, _prev=(), _op=''):
        self.data = float(data)
        self.grad = 0.0
        self._prev = tuple(_prev)
        self._op = _op
        self._backward = lambda: None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o), '+')
        def _b():
            self.grad += out.grad
            o.grad += out.grad
        out._backward = _b
        return out
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o), '*')
        def _b():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out._backward = _b
        return out
    def relu(self):
        out = Value(max(0.0, self.data), (self,), 'relu')
        def _b():
            self.grad += (self.data > 0) * out.grad
        out._backward = _b
        return out
    def sigmoid(self):
        t = 1 / (1 + math.exp(-self.data))
        out = Value(t, (self,), 'sigmoid')
        def _b():
            self.grad += t * (1 - t) * out.grad
        out._backward = _b
        return out
    def __radd__(self, o): return self + o
    def __rmul__(self, o): return self * o
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + -o
    def backward(self):
        topo, seen = [], set()
        stack = [(self, False)]
        while stack:
            v, done = stack.pop()
            if done:
                topo.append(v)
                continue
            if v in seen:
                continue
            seen.add(v)
            stack.append((v, True))
            for c in v._prev:
                stack.append((c, False))
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

class Linear:
    def __init__(self, n_in, n_out):
        k = 1 / math.sqrt(n_in)
        self.weight = [[Value(random.uniform(-k, k)) for _ in range(n_in)] for _ in range(n_out)]
        self.bias = [Value(0.0) for _ in range(n_out)]
    def __call__(self, x):
        return [sum((w * xi for w, xi in zip(row, x)), b) for row, b in zip(self.weight, self.bias)]
    def parameters(self):
        for row in self.weight:
            yield from row
        yield from self.bias

class ReLU:
    def __call__(self, x): return [v.relu() for v in x]
    def parameters(self): return iter(())

class Sigmoid:
    def __call__(self, x): return [v.sigmoid() for v in x]
    def parameters(self): return iter(())

class Sequential:
    def __init__(self, *layers):
        self.layers = layers
    def __call__(self, x):
        for l in self.layers:
            x = l(x)
        return x
    def parameters(self):
        return [p for l in self.layers for p in l.parameters()]

def mse(pred, target):
    return sum(((p - t) * (p - t) for p, t in zip(pred, target)), Value(0.0))

net = Sequential(Linear(2, 3), ReLU(), Linear(3, 1), Sigmoid())
data = [([0, 0], [0]), ([0, 1], [1]), ([1, 0], [1]), ([1, 1], [0])]
for epoch in range(10):
    total = 0.0
    for x, t in data:
        loss = mse(net(x), t)
        for p in net.parameters():
            p.grad = 0.0
        loss.backward()
        for p in net.parameters():
            p.data -= 0.5 * p.grad
        total += loss.data
    if epoch % 3 == 0:
        print(f"Epoch {epoch:2d}  loss {total / len(data):.4f}")
print([round(net(x)[0].data, 3) for x, _ in data])
print(len(net.parameters()))

# kind: network
import math, random
random.seed(42)

def make_moons(n, noise=0.1):
    X, y = [], []
    for i in range(n):
        t = math.pi * random.random()
        if i % 2:
            X.append([math.cos(t) + random.gauss(0, noise), math.sin(t) + random.gauss(0, noise)])
            y.append(1)
        else:
            X.append([1 - math.cos(t) + random.gauss(0, noise), 0.5 - math.sin(t) + random.gauss(0, noise)])
            y.append(-1)
    return X, y

class Value:
    def __init__(self, data, prev=(), back=None):
        self.data, self.grad, self.prev, self.back = data, 0.0, prev, back
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o))
        def back():
            self.grad += out.grad
            o.grad += out.grad
        out.back = back
        return out
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o))
        def back():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out.back = back
        return out
    __rmul__ = __mul__
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def back():
            self.grad += (1 - t * t) * out.grad
        out.back = back
        return out
    def relu(self):
        out = Value(max(self.data, 0.0), (self,))
        def back():
            self.grad += (out.data > 0) * out.grad
        out.back = back
        return out
    def backward(self):
        order, seen = [], set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for p in v.prev: go(p)
                order.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.back: v.back()

X, y = make_moons(20)
W1 = [[Value(random.uniform(-1, 1)) for _ in range(2)] for _ in range(4)]
b1 = [Value(0.0) for _ in range(4)]
W2 = [Value(random.uniform(-1, 1)) for _ in range(4)]
b2 = Value(0.0)
params = [w for row in W1 for w in row] + b1 + W2 + [b2]

def model(x):
    h = [sum((w * xi for w, xi in zip(row, x)), b).tanh() for row, b in zip(W1, b1)]
    return sum((w * hi for w, hi in zip(W2, h)), b2)

batch_size, lr = 5, 0.2
for epoch in range(8):
    idx = list(range(len(X)))
    random.shuffle(idx)
    losses, correct = [], 0
    for start in range(0, len(idx), batch_size):
        batch = idx[start:start + batch_size]
        scores = [model(X[i]) for i in batch]
        hinge = sum((1 + -y[i] * s).relu() for i, s in zip(batch, scores)) * (1 / len(batch))
        reg = sum(p * p for p in params) * 1e-4
        loss = hinge + reg
        for p in params: p.grad = 0.0
        loss.backward()
        for p in params: p.data -= lr * (1 - 0.9 * epoch / 8) * p.grad
        losses.append(loss.data)
        correct += sum((s.data > 0) == (y[i] > 0) for i, s in zip(batch, scores))
    print(f"epoch {epoch} loss {sum(losses)/len(losses):.4f} acc {correct/len(X):.0%}")
for r in range(6):
    yy = 1.2 - r * 0.45
    print("".join("#" if model([-1.2 + c * 0.28, yy]).data > 0 else "." for c in range(13)))

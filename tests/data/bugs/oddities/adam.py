import math


class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self._children = children
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,))

        def _backward():
            self.grad += (1 - out.data * out.data) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()

        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._children:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


class Adam:
    def __init__(self, params, lr):
        self.params, self.lr, self.t = params, lr, 0
        self.m = [0.0] * len(params)
        self.v = [0.0] * len(params)

    def zero_grad(self):
        for p in self.params:
            p.grad = 0.0

    def step(self):
        self.t += 1
        for i, p in enumerate(self.params):
            self.m[i] = 0.9 * self.m[i] + 0.1 * p.grad
            self.v[i] = 0.999 * self.v[i] + 0.001 * p.grad**2
            m = self.m[i] / (1 - 0.9**self.t)
            v = self.v[i] / (1 - 0.999**self.t)
            p.data -= self.lr * m / (math.sqrt(v) + 1e-8)


w1, b1, w2 = Value(0.6), Value(-0.2), Value(1.1)
minus = Value(-1.0)
optimiser = Adam([w1, b1, w2], 0.05)
for epoch in range(5):
    h = (w1 * Value(1.5) + b1).tanh()
    error = h * w2 + Value(0.3) * minus
    loss = error * error
    loss.backward()
    optimiser.step()
    print(epoch, loss.data)
    if epoch < 4:
        optimiser.zero_grad()
print(w1.grad, b1.grad, w2.grad)

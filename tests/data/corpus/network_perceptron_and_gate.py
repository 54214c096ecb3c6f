# kind: network
import math
import random
random.seed(3)

class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = _children
        self._op = _op
        self.label = label

    def __repr__(self):
        return f"Value(data={self.data})"

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

    def __pow__(self, power):
        out = Value(self.data ** power, (self,), f'**{power}')

        def _backward():
            self.grad += power * self.data ** (power - 1) * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), 'relu')

        def _backward():
            self.grad += out.grad if out.data > 0 else 0.0
        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), 'tanh')

        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = _backward
        return out

    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)
    def __rsub__(self, other): return (-self) + other
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    def __truediv__(self, other): return self * other ** -1

    def backward(self):
        topo, visited = [], set()

        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

class Perceptron:
    def __init__(self, n, rate=0.2):
        self.weights = [Value(random.gauss(0, 1)) for _ in range(n)]
        self.bias = Value(random.gauss(0, 1))
        self.rate = rate

    def predict(self, x):
        out = self.bias
        for w, xi in zip(self.weights, x):
            out = out + w * xi
        return out

    def fit(self, samples, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in samples:
                error = (self.predict(x) - y) ** 2
                for p in self.weights + [self.bias]:
                    p.grad = 0.0
                error.backward()
                for p in self.weights + [self.bias]:
                    p.data -= self.rate * p.grad
                total += error.data
            print(f"epoch {epoch}: {total:.6f}")

table = [((0, 0), 0), ((0, 1), 0), ((1, 0), 0), ((1, 1), 1)]
gate = Perceptron(2)
gate.fit(table, 5)
for x, y in table:
    print(x, y, round(gate.predict(x).data, 3), gate.predict(x).data > 0.5)

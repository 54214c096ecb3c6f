# kind: network
import math
import random
random.seed(5)

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

w = [Value(random.uniform(-1, 1)) for _ in range(2)]
b = Value(0.0)
points = [(1.0, 2.0, 1), (2.0, 1.5, 1), (-1.0, -0.5, -1), (-2.0, 1.0, -1)]

def loss():
    scores = [w[0]*x + w[1]*y + b for x, y, _ in points]
    losses = [(1 + -t*s).relu() for (_, _, t), s in zip(points, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    reg = 1e-2 * sum(p*p for p in w)
    accuracy = [(t > 0) == (s.data > 0) for (_, _, t), s in zip(points, scores)]
    return data_loss + reg, sum(accuracy) / len(accuracy)

for k in range(5):
    total, acc = loss()
    for p in [*w, b]:
        p.grad = 0.0
    total.backward()
    rate = 1.0 - 0.9*k/100
    for p in [*w, b]:
        p.data -= rate * p.grad
    print(f"step {k} loss {total.data:.8f}, accuracy {acc*100}%")

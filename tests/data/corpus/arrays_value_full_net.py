# kind: arrays
import numpy as np

class Value:
    """ stores a single scalar value and its gradient """
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

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
        assert isinstance(other, (int, float))
        out = Value(self.data**other, (self,), f'**{other}')
        def _backward():
            self.grad += (other * self.data**(other-1)) * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(np.maximum(0, self.data), (self,), 'ReLU')
        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out

    def log(self):
        out = Value(np.log(self.data), (self,), 'log')
        def _backward():
            self.grad += 1 / self.data * out.grad
        out._backward = _backward
        return out

    def sigmoid(self):
        s = 1 / (1 + np.exp(-self.data))
        out = Value(s, (self,), 'sigmoid')
        def _backward():
            self.grad += s * (1 - s) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()

    def __neg__(self): return self * -1
    def __radd__(self, other): return self + other
    def __sub__(self, other): return self + (-other)
    def __rsub__(self, other): return other + (-self)
    def __rmul__(self, other): return self * other
    def __truediv__(self, other): return self * other**-1
    def __repr__(self): return f"Value(data={self.data}, grad={self.grad})"

np.random.seed(0)
class Neuron:
    def __init__(self, n):
        self.w = [Value(x) for x in np.random.randn(n)]
        self.b = Value(0.0)
    def __call__(self, x):
        return sum((w*xi for w, xi in zip(self.w, x)), self.b).sigmoid()
    def parameters(self):
        return self.w + [self.b]

n = Neuron(2)
X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
Y = np.array([0, 1, 1, 1])
for epoch in range(5):
    loss = 0
    for x, y in zip(X, Y):
        p = n(x)
        loss = loss + (-(p.log()) if y == 1 else -((1 - p).log()))
    loss = loss / len(X)
    for p in n.parameters():
        p.grad = 0
    loss.backward()
    for p in n.parameters():
        p.data -= 0.5 * p.grad
    print(epoch, round(float(loss.data), 6))
a = Value(3.0)
b = a.relu() ** 2
b.backward()
print(a.grad, b.data)
print([round(float(p.data), 4) for p in n.parameters()])

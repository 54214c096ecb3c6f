# kind: network
import math
import random
random.seed(1)

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

class Module:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0

    def parameters(self):
        return []

class Linear(Module):
    def __init__(self, nin, nout, bias=True):
        self.w = [[Value(random.uniform(-1, 1)) for _ in range(nin)] for _ in range(nout)]
        self.b = [Value(0.0) for _ in range(nout)] if bias else None

    def __call__(self, x):
        out = [sum(wi*xi for wi, xi in zip(row, x)) for row in self.w]
        if self.b:
            out = [o + b for o, b in zip(out, self.b)]
        return out

    def parameters(self):
        return [p for row in self.w for p in row] + (self.b or [])

class ReLU(Module):
    def __call__(self, x):
        return [xi.relu() for xi in x]

class Sequential(Module):
    def __init__(self, *modules):
        self.modules = modules

    def __call__(self, x):
        for m in self.modules:
            x = m(x)
        return x

    def parameters(self):
        return [p for m in self.modules for p in m.parameters()]

net = Sequential(Linear(2, 3), ReLU(), Linear(3, 1, bias=False))
print(len(net.parameters()))
out = net([1.0, 0.5])[0]
out.backward()
print(out.data)
print([round(p.grad, 10) for p in net.parameters()])
net.zero_grad()
print(sum(p.grad for p in net.parameters()))

# kind: network
import math

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

class Adam:
    def __init__(self, parameters, lr=0.1, betas=(0.9, 0.999), eps=1e-8):
        self.parameters, self.lr, self.betas, self.eps = parameters, lr, betas, eps
        self.m = {i: 0.0 for i in range(len(parameters))}
        self.v = {i: 0.0 for i in range(len(parameters))}
        self.t = 0

    def step(self):
        self.t += 1
        b1, b2 = self.betas
        for i, p in enumerate(self.parameters):
            self.m[i] = b1*self.m[i] + (1 - b1)*p.grad
            self.v[i] = b2*self.v[i] + (1 - b2)*p.grad**2
            m_hat = self.m[i]/(1 - b1**self.t)
            v_hat = self.v[i]/(1 - b2**self.t)
            p.data -= self.lr*m_hat/(math.sqrt(v_hat) + self.eps)
            p.grad = 0.0

w = Value(2.0)
adam = Adam([w])
for _ in range(5):
    loss = (w - 1.0)**2
    loss.backward()
    adam.step()
    print(f"{loss.data:.8f} {w.data:.8f}")

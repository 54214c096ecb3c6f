# kind: class
import random
import math

import math
class Value:
    """ stores a single scalar value and its gradient """

    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0
        # internal variables used for autograd graph construction
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op # the op that produced this node, for graphviz / debugging / etc

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
        assert isinstance(other, (int, float)), "only supporting int/float powers for now"
        out = Value(self.data**other, (self,), f'**{other}')

        def _backward():
            self.grad += (other * self.data**(other-1)) * out.grad
        out._backward = _backward

        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')

        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward

        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), 'tanh')
        def _backward():
            self.grad += (1 - out.data**2) * out.grad
        out._backward = _backward
        return out

    def backward(self):

        # topological order all of the children in the graph
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)

        # go one variable at a time and apply the chain rule to get its gradient
        self.grad = 1
        for v in reversed(topo):
            v._backward()

    def __neg__(self): # -self
        return self * -1

    def __radd__(self, other): # other + self
        return self + other

    def __sub__(self, other): # self - other
        return self + (-other)

    def __rsub__(self, other): # other - self
        return other + (-self)

    def __rmul__(self, other): # other * self
        return self * other

    def __truediv__(self, other): # self / other
        return self * other**-1

    def __rtruediv__(self, other): # other / self
        return other * self**-1

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

class Vector:
    def __init__(self, items):
        self.items = [i if isinstance(i, Value) else Value(i) for i in items]
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        return self.items[i]
    def __iter__(self):
        return iter(self.items)
    def __matmul__(self, other):
        assert len(self) == len(other), f"shape mismatch: {len(self)} vs {len(other)}"
        return sum((a * b for a, b in zip(self, other, strict=True)), Value(0.0))
    def __repr__(self):
        return "Vector([" + ", ".join(f"{v.data:.2f}" for v in self) + "])"

class Matrix:
    def __init__(self, rows):
        self.rows = [Vector(r) for r in rows]

    @classmethod
    def random(cls, n, m, seed=None):
        rng = random.Random(seed)
        return cls([[rng.gauss(0, 1) / math.sqrt(m) for _ in range(m)] for _ in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    def __matmul__(self, v):
        return Vector([r @ v for r in self.rows])

    @property
    def T(self):
        return Matrix(list(map(list, zip(*self.rows))))

W = Matrix.random(2, 3, seed=7)
x = Vector([1.0, -2.0, 0.5])
print(W.shape, W.T.shape)
h = W @ x
print(h)
loss = sum((v.tanh() for v in h), Value(0.0)) ** 2
loss.backward()
print("loss", loss)
for r in W.rows:
    print(*(f"{v.grad:+.4f}" for v in r), sep="  ")
try:
    x @ Vector([1, 2])
except AssertionError as e:
    print("AssertionError:", e)

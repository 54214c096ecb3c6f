# kind: class
import math

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None

    def sigmoid(self):
        s = 1/(1 + math.exp(-self.data))
        out = Value(s, (self,))
        def _backward():
            self.grad += s*(1 - s)*out.grad
        out._backward = _backward
        return out

    def softplus(self):
        out = Value(math.log1p(math.exp(self.data)), (self,))
        def _backward():
            self.grad += out.grad/(1 + math.exp(-self.data))
        out._backward = _backward
        return out

    def leaky_relu(self, slope=0.1):
        out = Value(self.data if self.data > 0 else slope*self.data, (self,))
        def _backward():
            self.grad += (1.0 if self.data > 0 else slope)*out.grad
        out._backward = _backward
        return out

for name in ["sigmoid", "softplus", "leaky_relu"]:
    for x in [-2.0, 0.5]:
        a = Value(x)
        y = getattr(a, name)()
        y.grad = 1.0
        y._backward()
        print(f"{name:>10} {x:5.1f} {y.data:.12f} {a.grad:.12f}")

import math
import numpy as np
import matplotlib.pyplot as plt
 
class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None  # function that computes local gradients
        self._prev = set(_children)
        self._op = _op
 
    def __repr__(self):
        return f"Value(data={self.data:.4f}, grad={self.grad:.4f})"
 
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
 
        def _backward():
            self.grad += out.grad     # d(a+b)/da = 1
            other.grad += out.grad    # d(a+b)/db = 1
        out._backward = _backward
        return out
 
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
 
        def _backward():
            self.grad += other.data * out.grad   # d(a*b)/da = b
            other.grad += self.data * out.grad   # d(a*b)/db = a
        out._backward = _backward
        return out
 
    def __pow__(self, other):
        assert isinstance(other, (int, float))
        out = Value(self.data ** other, (self,), f'**{other}')
 
        def _backward():
            self.grad += other * (self.data ** (other - 1)) * out.grad
        out._backward = _backward
        return out
 
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')
 
        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out
 
    def relu(self):
        out = Value(max(0, self.data), (self,), 'relu')
 
        def _backward():
            self.grad += (self.data > 0) * out.grad
        out._backward = _backward
        return out
 
    def exp(self):
        e = math.exp(self.data)
        out = Value(e, (self,), 'exp')
 
        def _backward():
            self.grad += e * out.grad
        out._backward = _backward
        return out
 
    def backward(self):
        """Backprop through the entire computation graph."""
        # Topological sort — process children before parents
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
 
        self.grad = 1.0  # dL/dL = 1
        for v in reversed(topo):
            v._backward()
 
    # Make operations work both ways: 2 * Value and Value * 2
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)
    def __rsub__(self, other): return (-self) + other
    def __truediv__(self, other): return self * (other ** -1) if isinstance(other, Value) else self * Value(other) ** -1

# kind: class
import sys
sys.setrecursionlimit(10000)

class Value:
    def __init__(self, v, children=None, op=None):
        self.v = v
        self.grad = 0
        self.children = children or []
        self.op = op
        self._backward = lambda: None

    def __add__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.v + other.v, [self, other], '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.v * other.v, [self, other], '*')
        def _backward():
            self.grad += out.grad * other.v
            other.grad += out.grad * self.v
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()
        def build(n):
            if n not in visited:
                visited.add(n)
                for c in n.children:
                    build(c)
                topo.append(n)
        build(self)
        self.grad = 1
        for n in topo[::-1]:
            n._backward()

a = Value(1.0)
s = Value(0.0)
for i in range(400):
    s = s + a * 0.5
s.backward()
print(s.v, a.grad)

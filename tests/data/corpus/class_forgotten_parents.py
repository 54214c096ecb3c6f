# kind: class
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def square(self):
        out = Value(self.data ** 2)      # (self,) is missing
        def _backward():
            self.grad += 2 * self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, seen = [], []
        def build(v):
            if v not in seen:
                seen.append(v)
                for c in v._prev:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

a = Value(3.0)
y = (a * a).square()
y.backward()
print(y.data, a.grad)

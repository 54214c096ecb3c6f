# kind: python
class Value:
    def __init__(self, data, _prev=()):
        self.data, self._prev, self.grad = data, _prev, 0.0
        self._backward = lambda: None
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

def build(v, topo, visited):
    if v not in visited:
        visited.add(v)
        for child in v._prev:
            build(child, topo, visited)
        topo.append(v)

x = Value(1.0)
y = x
for i in range(300):
    y = y + x
topo = []
build(y, topo, set())
y.grad = 1.0
for v in reversed(topo):
    v._backward()
print(y.data, x.grad, len(topo))

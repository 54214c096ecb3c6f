# kind: long
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

x = Value(0.5)
y = x
for _ in range(900):
    y = y + x
y.backward()
print(y.data, x.grad)

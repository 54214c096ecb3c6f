# kind: class
class Value:
    def __init__(self, data, _children=(), label=""):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self.label = label
        self._backward = lambda: None
    def __repr__(self):
        return f"{self.label}: {self.data} [{self.grad}]"
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def relu(self):
        out = Value(max(0.0, self.data), (self,))
        def _backward():
            self.grad = out.grad if self.data > 0 else 0.0
        out._backward = _backward
        return out
    def backward(self):
        topo, seen = [], set()
        def build(v):
            if id(v) in seen: return
            seen.add(id(v))
            for c in v._prev: build(c)
            topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo): v._backward()

x = Value(2.0, label="x")
y = x.relu() + x.relu() + x
y.backward()
print(x)

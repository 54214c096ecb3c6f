class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


w = Value(0.5)
v = Value(-0.25)
for step in range(3):
    w.grad = v.grad = 0.0
    fit = w * Value(2.0) + v
    first = fit * fit
    first.backward()
    decay = w * w + v * v
    second = decay * Value(0.1)
    second.backward()
    w.data -= 0.1 * w.grad
    v.data -= 0.1 * v.grad
print(w.grad, v.grad, fit.grad, decay.grad)

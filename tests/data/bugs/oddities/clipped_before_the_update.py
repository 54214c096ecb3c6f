class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __sub__(self, other):
        return self + other * -1

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


w = Value(4.0)
b = Value(1.0)
data = [(1.0, 2.0), (2.0, 3.5), (-1.0, -1.0)]
for step in range(30):
    loss = Value(0.0)
    for x, y in data:
        error = w * x + b - Value(y)
        loss = loss + error * error
    w.grad = b.grad = 0.0
    loss.backward()
    for p in (w, b):
        p.grad = max(-5.0, min(5.0, p.grad))
        p.data -= 0.05 * p.grad
print(w.data, b.data, loss.data)

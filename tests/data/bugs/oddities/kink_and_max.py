class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
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

    def relu(self):
        out = Value(max(self.data, 0.0), (self,))
        def _backward():
            if self.data >= 0:
                self.grad += out.grad
        out._backward = _backward
        return out

    def abs(self):
        out = Value(abs(self.data), (self,))
        def _backward():
            sign = (self.data > 0) - (self.data < 0)
            self.grad += sign * out.grad
        out._backward = _backward
        return out

    def clamp(self, low, high):
        out = Value(min(max(self.data, low), high), (self,))
        def _backward():
            if low < self.data < high:
                self.grad += out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        def build(v):
            if v not in topo:
                for u in v._prev:
                    build(u)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


a = Value(2.0)
b = Value(-2.0)
zero = a + b
k = zero.relu() * 3
m = zero.abs() * b
n = a.clamp(-1.0, 1.5) * b + b.clamp(-3.0, 3.0)
out = n * a + k + m
out.backward()
print(zero.grad, n.grad, k.grad)
print(a.grad, b.grad)

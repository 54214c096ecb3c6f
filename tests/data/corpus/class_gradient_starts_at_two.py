# kind: class
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
    def backward(self, seed=1.0):
        self.grad = seed
        for v in [self, *self._prev]:
            v._backward()

a, b = Value(1.0), Value(2.0)
c = a + b
c.backward(seed=2.0)
print(a.grad, b.grad, c.grad)

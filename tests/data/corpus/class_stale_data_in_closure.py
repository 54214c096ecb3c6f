# kind: class
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

a, b = Value(2.0), Value(3.0)
c = a * b
b.data = 100.0        # changed after the forward pass
c.grad = 1.0
c._backward()
print(c.data, a.grad, b.grad)

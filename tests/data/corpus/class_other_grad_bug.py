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
            self.grad += 1.0 * out.grad
            other.grad += 1.0 * self.grad   # meant out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        stack = [self]
        while stack:
            v = stack.pop()
            v._backward()
            stack.extend(v._prev)

a = Value(1.0)
b = Value(2.0)
c = a + b
d = c + a
d.backward()
print(a.grad, b.grad, c.grad)

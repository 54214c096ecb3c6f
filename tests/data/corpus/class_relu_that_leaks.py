# kind: class
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._backward = lambda: None
    def relu(self):
        out = Value(self.data if self.data > 0 else 0.5 * self.data, (self,))
        def _backward():
            self.grad += (1.0 if self.data > 0 else 0.5) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()

a = Value(-4.0)
b = a.relu()
b.backward()
print(b.data, a.grad)

# kind: lecture
class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._backward = lambda: None
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad = out.grad
            other.grad = out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()

a = Value(3.0)
b = a + a
b.backward()
print("with =, a.grad is", a.grad)

class Value2(Value):
    def __add__(self, other):
        out = Value2(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

a = Value2(3.0)
b = a + a
b.backward()
print("with +=, a.grad is", a.grad)

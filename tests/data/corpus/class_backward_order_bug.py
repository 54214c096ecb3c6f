# kind: class
class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
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
        # breadth first: a Value may be done before all its users
        self.grad = 1.0
        queue = [self]
        done = []
        while queue:
            v = queue.pop(0)
            if v in done:
                continue
            done.append(v)
            v._backward()
            queue += v.children

a = Value(2.0)
b = a * a
c = b + a
d = c * b
d.backward()
print(d.data, a.grad, b.grad, c.grad)

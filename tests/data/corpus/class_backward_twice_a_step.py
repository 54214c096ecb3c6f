# kind: class
class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._backward = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        def walk(v):
            v._backward()
            for p in v._prev:
                walk(p)
        walk(self)

w = Value(4.0)
for step in range(4):
    loss = w * w
    w.grad = 0.0
    loss.backward()
    loss.backward()
    w.data -= 0.125 * w.grad
    print(step, loss.data, w.grad, w.data)

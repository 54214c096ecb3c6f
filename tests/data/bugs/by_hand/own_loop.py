class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self._prev = set(children)
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


x = Value(2.0)
w = Value(0.5)
p = x * w
q = p + w
r = q * p
s = r + q
order = [p, q, r, s]
s.grad = 1.0
for node in reversed(order):
    node._backward()
print(x.grad, w.grad, p.grad, q.grad, r.grad, s.grad)

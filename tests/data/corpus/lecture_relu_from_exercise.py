# kind: lecture
class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')
        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out
    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

for number in [-1.0, 0.0, 2.0]:
    a = Value(number)
    r = a.relu()
    r.grad = 1
    r._backward()
    print(a, '->', r)

# kind: lecture
class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), '+')

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), '*')

a = Value(2.0, label='a')
b = Value(-5.0, label='b')
c = Value(12.0, label='c')
e = a*b; e.label = 'e'
d = e + c; d.label = 'd'
f = Value(-1.5, label='f')
L = d * f; L.label = 'L'
print(L)

# by hand
L.grad = 1.0
f.grad = d.data
d.grad = f.data
c.grad = d.grad
e.grad = d.grad
a.grad = e.grad * b.data
b.grad = e.grad * a.data
for v in [L, f, d, c, e, a, b]:
    print(v.label, v.data, v.grad)

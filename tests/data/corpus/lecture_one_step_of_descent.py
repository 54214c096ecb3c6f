# kind: lecture
class Value:
    def __init__(self, data, label=''):
        self.data = data
        self.label = label
        self.grad = 0.0
    def __add__(self, other):
        return Value(self.data + other.data)
    def __mul__(self, other):
        return Value(self.data * other.data)

a, b, c, f = Value(2.0, 'a'), Value(-3.0, 'b'), Value(10.0, 'c'), Value(-2.0, 'f')
L = (a*b + c) * f
print(L.data)

a.grad, b.grad, c.grad, f.grad = 6.0, -4.0, -2.0, 4.0
for p in (a, b, c, f):
    p.data += 0.01 * p.grad

L = (a*b + c) * f
print(L.data)

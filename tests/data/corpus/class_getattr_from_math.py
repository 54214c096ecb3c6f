# kind: class
import math

DERIVS = {
    'sin': lambda x, y: math.cos(x),
    'cos': lambda x, y: -math.sin(x),
    'exp': lambda x, y: y,
    'log': lambda x, y: 1.0 / x,
    'sqrt': lambda x, y: 0.5 / y,
    'tanh': lambda x, y: 1 - y * y,
}

class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0

    def __getattr__(self, name):
        if name in DERIVS:
            def method():
                y = getattr(math, name)(self.data)
                return Value(y, [(self, DERIVS[name](self.data, y))])
            return method
        raise AttributeError(f"Value has no op {name!r}")

    def __add__(self, other):
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def backprop(self, g=1.0):
        self.grad += g
        for p, l in self.parents:
            p.backprop(g * l)

x = Value(0.8)
for fn in DERIVS:
    x.grad = 0.0
    y = getattr(x, fn)()
    y.backprop()
    h = 1e-6
    num = (getattr(math, fn)(x.data + h) - getattr(math, fn)(x.data - h)) / (2*h)
    print(f"{fn:>5}: {y.data: .6f}  {x.grad: .6f}  {'ok' if abs(num - x.grad) < 1e-6 else 'BAD'}")
z = x.sin() * x.exp() + x.sqrt()
x.grad = 0
z.backprop()
print(z.data, x.grad)
try:
    x.gamma()
except AttributeError as e:
    print('error:', e)
print(hasattr(x, 'cos'), hasattr(x, 'acos'))

# kind: class
import operator
import math

OPS = {
    'add': (operator.add, lambda a, b: 1, lambda a, b: 1),
    'sub': (operator.sub, lambda a, b: 1, lambda a, b: -1),
    'mul': (operator.mul, lambda a, b: b, lambda a, b: a),
    'div': (operator.truediv, lambda a, b: 1/b, lambda a, b: -a/(b*b)),
    'pow': (operator.pow, lambda a, b: b*a**(b-1), lambda a, b: math.log(a)*a**b if a > 0 else 0.0),
}

class Scalar:
    def __init__(self, data, op=None, args=()):
        self.data, self.op, self.args, self.grad = data, op, args, 0.0
    def __repr__(self):
        return f"Scalar({self.data:g})"

def _make(name):
    fn = OPS[name][0]
    def forward(self, other):
        if not isinstance(other, Scalar):
            other = Scalar(other)
        return Scalar(fn(self.data, other.data), name, (self, other))
    def reflected(self, other):
        return forward(Scalar(other), self)
    return forward, reflected

for _name, _dunder in {'add': 'add', 'sub': 'sub', 'mul': 'mul', 'div': 'truediv', 'pow': 'pow'}.items():
    f, r = _make(_name)
    setattr(Scalar, f'__{_dunder}__', f)
    setattr(Scalar, f'__r{_dunder}__', r)

def backward(root):
    order = []
    def walk(n, seen=set()):
        if id(n) not in seen:
            seen.add(id(n))
            for a in n.args:
                walk(a)
            order.append(n)
    walk(root)
    root.grad = 1.0
    for n in reversed(order):
        if n.op:
            a, b = n.args
            _, da, db = OPS[n.op]
            a.grad += n.grad * da(a.data, b.data)
            b.grad += n.grad * db(a.data, b.data)

x = Scalar(2.0)
y = Scalar(3.0)
z = (x ** y - 1) / (2 * y) + 4 - x
backward(z)
print(z, x.grad, y.grad)
print(sorted(OPS))

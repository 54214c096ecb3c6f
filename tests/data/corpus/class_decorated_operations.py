# kind: class
import functools
import math

def differentiable(*derivatives):
    """Decorate a function of numbers so that it works on Values."""
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            vals = [a if isinstance(a, Value) else Value(a) for a in args]
            xs = [v.data for v in vals]
            out = Value(fn(*xs))
            out.back = [(v, d(*xs)) for v, d in zip(vals, derivatives)]
            out.op = fn.__name__
            return out
        return wrapper
    return decorate

class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self.back = []
        self.op = None

@differentiable(lambda x, y: 1, lambda x, y: 1)
def add(x, y):
    "sum of two"
    return x + y

@differentiable(lambda x, y: y, lambda x, y: x)
def mul(x, y):
    return x * y

@differentiable(lambda x: -math.sin(x))
def cos(x):
    return math.cos(x)

Value.__add__ = add
Value.__radd__ = add
Value.__mul__ = mul
Value.__rmul__ = mul
Value.cos = cos

def backward(v):
    seen, order = set(), []
    def go(n):
        if n not in seen:
            seen.add(n)
            for c, _ in n.back: go(c)
            order.append(n)
    go(v)
    v.grad = 1
    for n in reversed(order):
        for c, d in n.back:
            c.grad += d * n.grad

a = Value(1.25); b = Value(-0.5)
r = 2 * a * b + (a + b).cos() + 1
backward(r)
print(r.op, r.data, a.grad, b.grad)
print(add.__name__, '-', add.__doc__)

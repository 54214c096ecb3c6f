# kind: python
# autodiff with nothing but closures: a number is (value, pullback)
import math

def const(x):
    return x, lambda g: None

def var(x, sink, key):
    def pull(g):
        sink[key] = sink.get(key, 0.0) + g
    return x, pull

def add(a, b):
    (x, pa), (y, pb) = a, b
    def pull(g):
        pa(g); pb(g)
    return x + y, pull

def mul(a, b):
    (x, pa), (y, pb) = a, b
    def pull(g):
        pa(g * y); pb(g * x)
    return x * y, pull

def tanh(a):
    x, pa = a
    t = math.tanh(x)
    return t, lambda g: pa(g * (1 - t * t))

def grad(f):
    def gradient(*xs):
        sink = {}
        value, pull = f(*(var(x, sink, i) for i, x in enumerate(xs)))
        pull(1.0)
        return value, tuple(sink.get(i, 0.0) for i in range(len(xs)))
    return gradient

neuron = lambda x, w, b: tanh(add(mul(x, w), b))
print(grad(neuron)(0.5, -1.5, 0.25))
print(grad(lambda x, y, z: add(mul(x, x), mul(const(3.0), y)))(2.0, 1.0, 7.0))

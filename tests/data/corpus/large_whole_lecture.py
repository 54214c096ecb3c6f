# kind: large
# ---- part 1 ----

import math

def f(x):
    return 2*x**2 - 3*x + 1

print(f(2.5))

h = 0.0001
x = 1.5
slope = (f(x + h) - f(x)) / h
print(slope)

# where does it stop going down?
h = 0.000001
x = 3/4
(f(x + h) - f(x)) / h


# ---- part 2 ----

a = 3.0
b = -2.0
c = 5.0
d = a*b + c
print(d)

h = 0.001

# nudge a
d1 = a*b + c
a += h
d2 = a*b + c
print('d1', d1)
print('d2', d2)
print('slope', (d2 - d1)/h)

a = 3.0
d1 = a*b + c
b += h
d2 = a*b + c
print('slope of b', (d2 - d1)/h)

b = -2.0
d1 = a*b + c
c += h
d2 = a*b + c
print('slope of c', (d2 - d1)/h)


# ---- part 3 ----

def g(x):
    return x**3 - x

x = 2.0
for k in range(1, 8):
    h = 10**-k
    print(k, h, (g(x+h) - g(x))/h)


# ---- part 4 ----

import math

def f(x):
    return math.sin(x) * math.exp(-x)

def df(x):
    return math.exp(-x) * (math.cos(x) - math.sin(x))

x0 = 0.7
for h in [0.1, 0.01, 0.001]:
    forward = (f(x0 + h) - f(x0)) / h
    central = (f(x0 + h) - f(x0 - h)) / (2*h)
    print(f"h={h:<6} forward={forward:.6f} central={central:.6f} true={df(x0):.6f}")


# ---- part 5 ----

class Value:
    def __init__(self, data):
        self.data = data

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        return Value(self.data + other.data)

    def __mul__(self, other):
        return Value(self.data * other.data)

a = Value(1.5)
b = Value(-4.0)
c = Value(8.0)
print(a)
print(a + b)
d = a*b + c
d


# ---- part 6 ----

class Value:

    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self._prev = set(_children)
        self._op = _op

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        return out

a = Value(4.0)
b = Value(-0.5)
c = Value(3.0)
d = a*b + c
print(d, d._op, len(d._prev))
print(sorted(v.data for v in d._prev))
leaf = a._prev
print(leaf)


# ---- part 7 ----

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


# ---- part 8 ----

def lol():
    h = 0.001

    a = 2.0
    b = -3.0
    c = 10.0
    e = a*b
    d = e + c
    f = -2.0
    L = d*f
    L1 = L

    a = 2.0 + h
    b = -3.0
    c = 10.0
    e = a*b
    d = e + c
    f = -2.0
    L = d*f
    L2 = L

    print((L2 - L1)/h)

lol()


# ---- part 9 ----

class Value:
    def __init__(self, data):
        self.data = data
    def __add__(self, other):
        return Value(self.data + other.data)
    def __mul__(self, other):
        return Value(self.data * other.data)

def bump(which, h=0.0001):
    inputs = {'a': 2.0, 'b': -5.0, 'c': 12.0, 'f': -1.5}
    def run(numbers):
        a, b, c, f = (Value(numbers[k]) for k in 'abcf')
        return ((a*b + c) * f).data
    before = run(inputs)
    inputs[which] += h
    return (run(inputs) - before) / h

for name in 'abcf':
    print(name, round(bump(name), 4))


# ---- part 10 ----

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


# ---- part 11 ----

import math

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
    def tanh(self):
        x = self.data
        t = (math.exp(2*x) - 1)/(math.exp(2*x) + 1)
        return Value(t, (self,), 'tanh')

x1 = Value(1.0, label='x1')
x2 = Value(-0.5, label='x2')
w1 = Value(0.8, label='w1')
w2 = Value(1.2, label='w2')
b = Value(0.3, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
s = x1w1 + x2w2
n = s + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
print(o)

o.grad = 1.0
n.grad = 1 - o.data**2
b.grad = n.grad
s.grad = n.grad
x1w1.grad = s.grad
x2w2.grad = s.grad
x1.grad = w1.data * x1w1.grad
w1.grad = x1.data * x1w1.grad
x2.grad = w2.data * x2w2.grad
w2.grad = x2.data * x2w2.grad
print(x1.grad, w1.grad)
print(x2.grad, w2.grad)


# ---- part 12 ----

import math

class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad = 1.0 * out.grad
            other.grad = 1.0 * out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')
        def _backward():
            self.grad = (1 - t**2) * out.grad
        out._backward = _backward
        return out

x1, x2 = Value(2.0), Value(0.0)
w1, w2 = Value(-3.0), Value(1.0)
b = Value(6.7)
p1 = x1*w1
p2 = x2*w2
s = p1 + p2
n = s + b
o = n.tanh()
o.grad = 1.0
o._backward()
n._backward()
b._backward()
s._backward()
p2._backward()
p1._backward()
print(w1.grad, w2.grad, x1.grad, x2.grad)


# ---- part 13 ----

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._backward = lambda: None
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad = out.grad
            other.grad = out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()

a = Value(3.0)
b = a + a
b.backward()
print("with =, a.grad is", a.grad)

class Value2(Value):
    def __add__(self, other):
        out = Value2(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

a = Value2(3.0)
b = a + a
b.backward()
print("with +=, a.grad is", a.grad)


# ---- part 14 ----

import math

class Value:

    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op
        self.label = label

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += 1.0 * out.grad
            other.grad += 1.0 * out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, other):
        assert isinstance(other, (int, float)), "only int/float powers"
        out = Value(self.data**other, (self,), f'**{other}')
        def _backward():
            self.grad += other * (self.data ** (other - 1)) * out.grad
        out._backward = _backward
        return out

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __radd__(self, other):
        return self + other

    def exp(self):
        x = self.data
        out = Value(math.exp(x), (self, ), 'exp')
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

a = Value(4.0)
b = Value(2.0)
print(a / b, a - b, 2 * a, 1 + b)
x = Value(0.5)
e = (2*x).exp()
o = (e - 1) / (e + 1)
o.backward()
print(o.data, x.grad)
o


# ---- part 15 ----

import math
import random

class Value:
    def __init__(self, data, _children=()):
        self.data, self.grad = data, 0.0
        self._prev, self._backward = _children, lambda: None
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
    def __rmul__(self, other):
        return self * other
    def __pow__(self, k):
        out = Value(self.data**k, (self,))
        def _backward():
            self.grad += k * self.data**(k-1) * out.grad
        out._backward = _backward
        return out
    def __truediv__(self, other):
        return self * other**-1
    def __sub__(self, other):
        return self + (-1 * other if isinstance(other, Value) else -other)
    def tanh(self):
        t = (math.exp(2*self.data) - 1)/(math.exp(2*self.data) + 1)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t*t) * out.grad
        out._backward = _backward
        return out
    def exp(self):
        out = Value(math.exp(self.data), (self,))
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, seen = [], set()
        def visit(v):
            if v not in seen:
                seen.add(v)
                for c in v._prev:
                    visit(c)
                topo.append(v)
        visit(self)
        self.grad = 1.0
        for v in topo[::-1]:
            v._backward()

for start in (-1.0, 0.25, 0.8813735870195432):
    x = Value(start)
    y = x.tanh()
    y.backward()
    x2 = Value(start)
    e = (2*x2).exp()
    y2 = (e - 1)/(e + 1)
    y2.backward()
    print(f'{y.data:.10f} {y2.data:.10f}  {x.grad:.10f} {x2.grad:.10f}')


# ---- part 16 ----

class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
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
        topo = []
        visited = set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev: build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

a = Value(-2.0)
b = Value(3.0)
d = a * b
e = a + b
f = d * e
f.backward()
print(a.grad, b.grad)

# a second pass without setting anything to zero
f.backward()
print(a.grad, b.grad, d.grad, e.grad)


# ---- part 17 ----

def f(x):
    return 3*x**2 - 4*x + 5
f(3.0)

h = 0.001
x = -3.0
(f(x+h) - f(x))/h
print(type(h))
print(type(f(3)))
f(20.0)


# ---- part 18 ----

import random
import math

random.seed(1337)

class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._backward = lambda: None
    def __repr__(self):
        return "Value(data=%s)" % self.data
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    __radd__ = __add__
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    __rmul__ = __mul__
    def tanh(self):
        out = Value(math.tanh(self.data), (self,))
        def _backward():
            self.grad += (1 - out.data**2) * out.grad
        out._backward = _backward
        return out

class Neuron:
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1))
    def __call__(self, x):
        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh()

x = [2.0, 3.0]
n = Neuron(2)
print(n.w)
n(x)


# ---- part 19 ----

import random
import math

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._backward = lambda: None
    def __repr__(self):
        return f"Value(data={self.data:.6f})"
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __radd__(self, other):
        return self + other
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def __rmul__(self, other):
        return self * other
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out

class Neuron:
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1))
    def __call__(self, x):
        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh()
    def parameters(self):
        return self.w + [self.b]

class Layer:
    def __init__(self, nin, nout):
        self.neurons = [Neuron(nin) for _ in range(nout)]
    def __call__(self, x):
        outs = [n(x) for n in self.neurons]
        return outs[0] if len(outs) == 1 else outs
    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]

class MLP:
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [Layer(sz[i], sz[i+1]) for i in range(len(nouts))]
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

random.seed(42)
n = MLP(3, [4, 4, 1])
print(n([2.0, 3.0, -1.0]))
print(len(n.parameters()))
print(Layer(2, 3)([1.0, -1.0]))
n.layers[0].neurons[0].w


# ---- part 20 ----

import math, random

class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._backward = lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __radd__(self, other): return self + other
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def __rmul__(self, other): return self * other
    def __pow__(self, other):
        out = Value(self.data**other, (self,))
        def _backward():
            self.grad += other * self.data**(other-1) * out.grad
        out._backward = _backward
        return out
    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))
        def _backward():
            self.grad += (1 - t**2) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, visited = [], set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

class Neuron:
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1, 1))
    def __call__(self, x):
        return sum((wi*xi for wi, xi in zip(self.w, x)), self.b).tanh()
    def parameters(self):
        return self.w + [self.b]

class Layer:
    def __init__(self, nin, nout):
        self.neurons = [Neuron(nin) for _ in range(nout)]
    def __call__(self, x):
        outs = [n(x) for n in self.neurons]
        return outs[0] if len(outs) == 1 else outs
    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]

class MLP:
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [Layer(sz[i], sz[i+1]) for i in range(len(nouts))]
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

random.seed(12)
n = MLP(2, [3, 1])
xs = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]
ys = [1.0, -1.0, 1.0]

for k in range(6):
    ypred = [n(x) for x in xs]
    loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    for p in n.parameters():
        p.data += -0.1 * p.grad
    print(k, loss.data)
print([y.data for y in ypred])


# ---- part 21 ----

class Value:
    def __init__(self, data):
        self.data = data
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data)
    def __repr__(self):
        return f'Value({self.data})'

a = Value(2.0)
print(a * 3)
try:
    print(3 * a)
except TypeError as e:
    print('TypeError:', e)

def rmul(self, other):
    return self * other
Value.__rmul__ = rmul
print(3 * a)

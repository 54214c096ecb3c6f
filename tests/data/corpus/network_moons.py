# kind: network
import random, math
random.seed(1337)
def make_moons(n=60, noise=0.1):
    X, y = [], []
    for i in range(n // 2):
        t = math.pi * i / (n // 2 - 1)
        X.append((math.cos(t) + random.gauss(0, noise), math.sin(t) + random.gauss(0, noise))); y.append(-1)
        X.append((1 - math.cos(t) + random.gauss(0, noise), 0.5 - math.sin(t) + random.gauss(0, noise))); y.append(1)
    return X, y
class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad = data, 0
        self._backward = lambda: None
        self._prev, self._op = _children, _op
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o), '+')
        def _b(): self.grad += out.grad; o.grad += out.grad
        out._backward = _b
        return out
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o), '*')
        def _b(): self.grad += o.data * out.grad; o.grad += self.data * out.grad
        out._backward = _b
        return out
    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')
        def _b(): self.grad += (out.data > 0) * out.grad
        out._backward = _b
        return out
    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev: build(c)
                topo.append(v)
        build(self)
        self.grad = 1
        for v in reversed(topo): v._backward()
    def __neg__(self): return self * -1
    def __radd__(self, o): return self + o
    def __sub__(self, o): return self + (-o)
    def __rsub__(self, o): return o + (-self)
    def __rmul__(self, o): return self * o
    def __repr__(self): return f"Value(data={self.data}, grad={self.grad})"
class Module:
    def zero_grad(self):
        for p in self.parameters(): p.grad = 0
    def parameters(self): return []
class Neuron(Module):
    def __init__(self, nin, nonlin=True):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0); self.nonlin = nonlin
    def __call__(self, x):
        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.nonlin else act
    def parameters(self): return self.w + [self.b]
    def __repr__(self): return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"
class Layer(Module):
    def __init__(self, nin, nout, **kw): self.neurons = [Neuron(nin, **kw) for _ in range(nout)]
    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out
    def parameters(self): return [p for n in self.neurons for p in n.parameters()]
    def __repr__(self): return f"Layer of [{', '.join(str(n) for n in self.neurons)}]"
class MLP(Module):
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [Layer(sz[i], sz[i+1], nonlin=i!=len(nouts)-1) for i in range(len(nouts))]
    def __call__(self, x):
        for layer in self.layers: x = layer(x)
        return x
    def parameters(self): return [p for l in self.layers for p in l.parameters()]
    def __repr__(self): return f"MLP of [{', '.join(str(l) for l in self.layers)}]"
X, y = make_moons(16)
model = MLP(2, [6, 1])
print(model); print("number of parameters", len(model.parameters()))
def loss():
    scores = [model(x) for x in X]
    losses = [(1 + -yi*s).relu() for yi, s in zip(y, scores)]
    data_loss = sum(losses) * (1.0/len(losses))
    reg = 1e-4 * sum((p*p for p in model.parameters()))
    acc = [(yi > 0) == (s.data > 0) for yi, s in zip(y, scores)]
    return data_loss + reg, sum(acc)/len(acc)
for k in range(3):
    total, acc = loss()
    model.zero_grad(); total.backward()
    lr = 1.0 - 0.9*k/100
    for p in model.parameters(): p.data -= lr*p.grad
    print(f"step {k} loss {total.data}, accuracy {acc*100}%")
grid = []
for yy in range(3, -3, -1):
    grid.append("".join('#' if model((xx/4, yy/3)).data > 0 else '.' for xx in range(-6, 11)))
print("\n".join(grid))

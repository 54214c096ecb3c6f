# kind: class
# grads are Values themselves, so that they can be differentiated again
class Value:
    def __init__(self, data, parents=(), grads=()):
        self.data, self.parents, self.grads = data, parents, grads
        self.grad = None
    @staticmethod
    def wrap(x): return x if isinstance(x, Value) else Value(x)
    def __add__(self, o):
        o = Value.wrap(o)
        return Value(self.data + o.data, (self, o), (lambda g: g, lambda g: g))
    def __mul__(self, o):
        o = Value.wrap(o)
        return Value(self.data * o.data, (self, o), (lambda g: g * o, lambda g: g * self))
    __radd__, __rmul__ = __add__, __mul__
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + -Value.wrap(o)
    def __pow__(self, n):
        return Value(self.data ** n, (self,), (lambda g: g * n * self ** (n - 1),)) if n else Value(1.0)
    def __repr__(self): return f"Value({self.data})"

def grad(output, *wrt):
    topo, seen = [], set()
    def visit(v):
        if v in seen: return
        seen.add(v)
        for p in v.parents: visit(p)
        topo.append(v)
    visit(output)
    table = {output: Value(1.0)}
    for v in reversed(topo):
        if v not in table: continue
        for p, f in zip(v.parents, v.grads):
            g = f(table[v])
            table[p] = table[p] + g if p in table else g
    return [table.get(w, Value(0.0)) for w in wrt]

x, y = Value(2.0), Value(3.0)
f = x ** 3 * y + y * y - x
[dx, dy] = grad(f, x, y)
print(f, dx, dy)
[dxx, dxy] = grad(dx, x, y)
[dyy] = grad(dy, y)
print(dxx, dxy, dyy)
(dxxx,) = grad(dxx, x)
print(dxxx, grad(dxxx, x)[0])

# kind: class
from math import sqrt, isclose

class Value:
    __slots__ = ("data", "grad", "_prev", "_backward")
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev = float(data), 0.0, _prev
        self._backward = None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data + o.data, (self, o))
        def back():
            self.grad += r.grad
            o.grad += r.grad
        r._backward = back
        return r
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data * o.data, (self, o))
        def back():
            self.grad += o.data * r.grad
            o.grad += self.data * r.grad
        r._backward = back
        return r
    def sqrt(self):
        r = Value(sqrt(self.data), (self,))
        def back(): self.grad += 0.5 / r.data * r.grad
        r._backward = back
        return r

class Vec:
    def __init__(self, *items): self.items = list(items)
    def __getitem__(self, i): return Vec(*self.items[i]) if isinstance(i, slice) else self.items[i]
    def __setitem__(self, i, v): self.items[i] = v
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, v): return any(v is x for x in self)
    def __reversed__(self): return Vec(*self.items[::-1])
    def __matmul__(self, o): return sum(a * b for a, b in zip(self, o))
    def __eq__(self, o): return all(a.data == b.data for a, b in zip(self, o))
    def __repr__(self): return "Vec(%s)" % ", ".join("%.2f" % v.data for v in self)
    def norm(self): return (self @ self).sqrt()
    @property
    def grads(self): return [v.grad for v in self]

def backward(v):
    order, seen = [], set()
    def go(n):
        if n not in seen:
            seen.add(n)
            for p in n._prev: go(p)
            order.append(n)
    go(v)
    v.grad = 1.0
    while order:
        if b := order.pop()._backward: b()

u = Vec(Value(3), Value(4))
v = Vec(*map(Value, (1, 2)))
d = u @ v
backward(d)
print(d.data, u.grads, v.grads, u, v[::-1], list(reversed(v))[0].data, len(u), u[0] in u, u == v)
for x in u: x.grad = 0.0
n = u.norm()
backward(n)
print(n.data, u.grads)
u[0] = Value(9)
print(u)
a, *rest = u
print(a.data, len(rest))

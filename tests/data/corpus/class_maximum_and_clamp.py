# kind: class
import math
class Value:
    def __init__(self, data, _prev=(), _backward=None):
        self.data = data
        self.grad = 0
        self._prev = _prev
        self._backward = _backward or (lambda g: None)
    def __add__(self, o):
        o = lift(o)
        def b(g):
            self.grad += g
            o.grad += g
        return Value(self.data + o.data, (self, o), b)
    def __mul__(self, o):
        o = lift(o)
        def b(g):
            self.grad += g * o.data
            o.grad += g * self.data
        return Value(self.data * o.data, (self, o), b)
    def __rmul__(self, o): return self * o
    def __sub__(self, o): return self + -1 * lift(o)
    def clamp(self, lo=-math.inf, hi=math.inf):
        inside = lo <= self.data <= hi
        def b(g):
            if inside: self.grad += g
        return Value(min(max(self.data, lo), hi), (self,), b)
    def abs(self):
        def b(g):
            self.grad += g * (1 if self.data > 0 else -1 if self.data < 0 else 0)
        return Value(abs(self.data), (self,), b)
    def backward(self):
        stack, order, seen = [self], [], set()
        while stack:
            v = stack[-1]
            todo = [p for p in v._prev if p not in seen]
            if todo and v not in seen:
                stack.append(todo[0])
            else:
                stack.pop()
                if v not in seen:
                    seen.add(v); order.append(v)
        self.grad = 1
        for v in order[::-1]: v._backward(v.grad)

def lift(x): return x if isinstance(x, Value) else Value(x)

def maximum(*vs):
    vs = [lift(v) for v in vs]
    best = max(range(len(vs)), key=lambda i: vs[i].data)
    def b(g): vs[best].grad += g
    return Value(vs[best].data, tuple(vs), b)

def huber(e, delta=1.0):
    return 0.5 * e * e if abs(e.data) <= delta else delta * (e.abs() - 0.5 * delta)

a, b, c = Value(2.0), Value(-1.0), Value(0.25)
y = maximum(a * b, b + c, c) * 3 + (a - 5).clamp(-2, 2) + huber(a - b) + huber(c)
y.backward()
print(y.data, a.grad, b.grad, c.grad)
print(maximum(1, 2, 3).data, min([a, b, c], key=lambda v: v.data).data)

# kind: class
class AutogradError(Exception):
    """base class"""

class GraphFreedError(AutogradError):
    def __init__(self, node, hint="call backward with retain_graph=True"):
        self.node = node
        super().__init__(f"graph of {node!r} has been freed; {hint}")

class ShapeError(AutogradError, ValueError):
    pass

class Value:
    def __init__(self, data, parents=(), pull=None):
        if isinstance(data, (list, tuple)):
            raise ShapeError("scalars only", len(data))
        self.data, self.grad, self._parents, self._pull = data, None, parents, pull
        self._freed = False
    def __repr__(self): return f"Value({self.data!r})"
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))
    def __add__(self, other):
        return Value(self.data + other.data, (self, other), lambda g: (g, g))
    def backward(self, grad=1.0, *, retain_graph=False):
        if self._freed:
            raise GraphFreedError(self)
        order, seen = [], set()
        def visit(v):
            if v in seen: return
            seen.add(v)
            for p in v._parents: visit(p)
            order.append(v)
        visit(self)
        grads = {self: grad}
        for v in reversed(order):
            g = grads.get(v, 0.0)
            v.grad = g if v.grad is None else v.grad + g
            if v._pull is None: continue
            for p, d in zip(v._parents, v._pull(g)):
                grads[p] = grads.get(p, 0.0) + d
        if not retain_graph:
            self._freed = True

x, y = Value(3.0), Value(4.0)
z = x * y + x
z.backward(retain_graph=True)
print(x.grad, y.grad)
z.backward(0.5)
print(x.grad, y.grad)
try:
    z.backward()
except GraphFreedError as e:
    print(f"{type(e).__name__}: {e}", e.node is z)
try:
    Value([1, 2])
except ValueError as e:
    print(repr(e), e.args, isinstance(e, AutogradError))
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise AutogradError("wrapped") from e
except AutogradError as e:
    print(e, "<-", repr("x"))
finally:
    print("done")
try:
    z.backward(1.0, True)
except TypeError as e:
    print(e)

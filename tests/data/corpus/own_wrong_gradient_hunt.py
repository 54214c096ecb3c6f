# kind: class
# why is my gradient wrong??
class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0
        self._prev = children
        self._backward = lambda: None
    def __repr__(self):
        return "Value(%s, grad=%s)" % (self.data, self.grad)
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad = out.grad     # bug: should be +=
            other.grad = out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1
        stack = [self]
        while stack:
            n = stack.pop(0)
            n._backward()
            for c in n._prev: stack.append(c)

a = Value(3.0)
b = a + a
b.backward()
print(a)            # expected 2 !
a = Value(-2.0)
b = Value(3.0)
d = a * b
e = a + b
f = d * e
f.backward()
print(a, b)
print("expected", -2*2*3 + 9, 4 - 2*2*3)

# fixed version monkeypatched
def _add(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data + other.data, (self, other))
    def _backward():
        self.grad += out.grad
        other.grad += out.grad
    out._backward = _backward
    return out
Value.__add__ = Value.__radd__ = _add
a = Value(3.0)
b = a + a
b.backward()
print(a, 1 + a)
try:
    a * 2
except AttributeError as e:
    print("oops:", e)

# kind: class
class no_grad:
    def __enter__(self):
        self.prev = Value.enabled
        Value.enabled = False
        return self
    def __exit__(self, *exc):
        Value.enabled = self.prev
        return False

class Value:
    enabled = True
    count = 0

    def __init__(self, data, children=()):
        Value.count += 1
        self.id = Value.count
        self.data = data
        self.grad = 0.0
        self.children = children if Value.enabled else ()
        self._backward = None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        if Value.enabled:
            def bw():
                self.grad += out.grad
                other.grad += out.grad
            out._backward = bw
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        if Value.enabled:
            def bw():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad
            out._backward = bw
        return out

    def backward(self):
        if not self.children:
            raise RuntimeError("nothing to differentiate")
        self.grad = 1.0
        todo = sorted(collect(self), key=lambda v: v.id, reverse=True)
        for v in todo:
            if v._backward: v._backward()

def collect(v, into=None):
    into = set() if into is None else into
    if v not in into:
        into.add(v)
        for c in v.children:
            collect(c, into)
    return into

a, b = Value(3.0), Value(4.0)
with no_grad():
    y = a * b + a
print(y.children, Value.enabled, y.data)
try:
    y.backward()
except RuntimeError as err:
    print("RuntimeError:", err)
y = a * b + a
y.backward()
print(a.grad, b.grad, Value.count)

# kind: class
class Value:
    def __init__(self, data, inputs=(), grad_fn=None):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.grad_fn = grad_fn

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __sub__(self, other):
        return Value(self.data - other.data, (self, other), lambda g: (g, -g))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other),
                     lambda g: (g * other.data, g * self.data))

    def backward(self, g=1.0):
        self.grad += g
        if self.grad_fn is not None:
            for inp, gi in zip(self.inputs, self.grad_fn(g)):
                inp.backward(gi)

p, q = Value(1.5), Value(-2.0)
r = (p - q) * (p + q)
r.backward()
print(r.data, p.grad, q.grad)

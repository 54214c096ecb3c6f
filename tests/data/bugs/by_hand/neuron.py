import math


class Value:
    def __init__(self, data, label=""):
        self.data = data
        self.grad = 0.0
        self.label = label

    def __add__(self, other):
        return Value(self.data + other.data)

    def __mul__(self, other):
        return Value(self.data * other.data)

    def tanh(self):
        return Value(math.tanh(self.data))

    def exp(self):
        return Value(math.exp(self.data))

    def __repr__(self):
        return f"{self.label or 'Value'}: {self.data:.4f}, grad {self.grad:.4f}"


x1 = Value(2.0, "x1")
x2 = Value(-0.5, "x2")
w1 = Value(-0.75, "w1")
w2 = Value(1.5, "w2")
b = Value(1.9, "b")
x1w1 = x1 * w1
x2w2 = x2 * w2
both = x1w1 + x2w2
n = both + b
o = n.tanh()
p = o.exp()
q = p * o

q.grad = 1.0
p.grad = o.data * q.grad
o.grad = p.data * q.grad
o.grad += p.data * p.grad
n.grad = (1 - o.data**2) * o.grad
both.grad = n.grad
b.grad = n.grad
x1w1.grad = both.grad
x2w2.grad = both.grad
x1.grad = w1.data * x1w1.grad
w1.grad = x1.data * x1w1.grad
x2.grad = w2.data * x2w2.grad
w2.grad = x2.data * x2w2.grad
for v in (x1, w1, x2, w2, b, n, o, p):
    print(v)

import math

records = []


class Real:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0

    def relu(self):
        out = Real(self.data if self.data > 0 else 0.0)
        records.append(lambda: self.add(out.grad if self.data > 0 else 0.0))
        return out

    def copy(self):
        out = Real(float(self.data))
        records.append(lambda: self.add(out.grad))
        return out

    def larger(self, other):
        out = Real(max(self.data, other.data))
        records.append(lambda: (self if self.data >= other.data else other).add(out.grad))
        return out

    def log1p(self):
        out = Real(math.log1p(self.data))
        records.append(lambda: self.add(out.grad / (1 + self.data)))
        return out

    def asinh(self):
        out = Real(math.asinh(self.data))
        records.append(lambda: self.add(out.grad / math.hypot(1.0, self.data)))
        return out

    def __mul__(self, other):
        out = Real(self.data * other.data)

        def record():
            self.add(other.data * out.grad)
            other.add(self.data * out.grad)

        records.append(record)
        return out

    def __matmul__(self, other):
        return self * other

    def __or__(self, other):
        out = Real(self.data + other.data)
        records.append(lambda: (self.add(out.grad), other.add(out.grad)))
        return out

    def add(self, amount):
        self.grad += amount


def play(out):
    out.add(1.0)
    while records:
        records.pop()()


a = Real(1.4)
b = Real(-0.6)
c = a.relu()
d = c.copy()
e = b.relu() | d
f = e.larger(b)
g = f.log1p() @ a
h = (g | b).asinh() * f
play(h)
print(a.grad, b.grad, c.grad, d.grad, e.grad, f.grad, g.grad)

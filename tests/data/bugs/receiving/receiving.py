from math import tanh, exp

OPS = {
    "add": (lambda a, b: a + b, [lambda a, b, y: 1.0, lambda a, b, y: 1.0]),
    "sub": (lambda a, b: a - b, [lambda a, b, y: 1.0, lambda a, b, y: -1.0]),
    "mul": (lambda a, b: a * b, [lambda a, b, y: b, lambda a, b, y: a]),
    "tanh": (lambda a: tanh(a), [lambda a, y: 1 - y * y]),
    "exp": (lambda a: exp(a), [lambda a, y: y]),
}


class X:
    def __init__(self, v, op=None, args=()):
        self.v, self.op, self.args, self.g = v, op, args, 0.0
        self.uses = 0

    def __add__(self, o):
        return call("add", self, o)

    def __sub__(self, o):
        return call("sub", self, o)

    def __mul__(self, o):
        return call("mul", self, o)

    def tanh(self):
        return call("tanh", self)

    def exp(self):
        return call("exp", self)

    def receive(self, g):
        self.g += g
        self.uses -= 1
        if self.uses <= 0 and self.op:
            nums = [a.v for a in self.args]
            for a, d in zip(self.args, OPS[self.op][1]):
                a.receive(self.g * d(*nums, self.v))


def backward(root):
    found, todo = {root}, [root]
    while todo:
        for a in todo.pop().args:
            a.uses += 1
            if a not in found:
                found.add(a)
                todo.append(a)
    root.receive(1.0)


def call(op, *args):
    return X(OPS[op][0](*[a.v for a in args]), op, args)


x = X(0.5)
w = X(-1.2)
b = X(0.3)
n = x * w + b
t = n.tanh()
e = (t - x).exp()
y = e * t * x + e
backward(y)
print(x.g, w.g, b.g)

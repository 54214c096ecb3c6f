# kind: class
from enum import Enum

class Op(Enum):
    LEAF = ""
    ADD = "+"
    MUL = "*"

class Value:
    def __init__(self, data, op=Op.LEAF, args=()):
        self.data, self.op, self.args, self.grad = data, op, args, 0.0
    def __add__(self, other):
        return Value(self.data + other.data, Op.ADD, (self, other))
    def __mul__(self, other):
        return Value(self.data * other.data, Op.MUL, (self, other))
    def backward(self, g=1.0):
        self.grad += g
        if self.op is Op.ADD:
            for a in self.args:
                a.backward(g)
        elif self.op is Op.MUL:
            x, y = self.args
            x.backward(g * y.data)
            y.backward(g * x.data)

x = Value(2.0)
y = x*x + x
y.backward()
print(y.op.name, y.op.value, y.data, x.grad)

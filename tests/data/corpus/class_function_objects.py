# kind: class
import math

class Function:
    def __call__(self, *args):
        self.inputs = args
        data = self.forward(*[a.data for a in args])
        out = Tensor(data)
        out.creator = self
        return out

class Add(Function):
    def forward(self, x, y):
        return x + y
    def backward(self, g):
        return g, g

class Mul(Function):
    def forward(self, x, y):
        return x * y
    def backward(self, g):
        a, b = self.inputs
        return g * b.data, g * a.data

class Exp(Function):
    def forward(self, x):
        self.y = math.exp(x)
        return self.y
    def backward(self, g):
        return (g * self.y,)

class Tensor:
    def __init__(self, data):
        self.data = data
        self.grad = None
        self.creator = None
    def __add__(self, other):
        return Add()(self, other)
    def __mul__(self, other):
        return Mul()(self, other)
    def exp(self):
        return Exp()(self)
    def backward(self):
        if self.grad is None:
            self.grad = 1.0
        work = [self]
        while work:
            t = work.pop()
            if t.creator is None:
                continue
            for inp, g in zip(t.creator.inputs, t.creator.backward(t.grad)):
                inp.grad = g if inp.grad is None else inp.grad + g
                work.append(inp)

x = Tensor(0.5)
y = Tensor(-2.0)
z = (x * y).exp() + x
z.backward()
print(z.data, x.grad, y.grad)

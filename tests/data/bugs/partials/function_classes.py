import math
class Ctx:
    def __init__(self):
        self.saved = ()
    def save(self, *xs):
        self.saved = xs
class Mul:
    @staticmethod
    def forward(ctx, a, b):
        ctx.save(a, b)
        return a * b
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved
        return g * b, g * a
class Add:
    @staticmethod
    def forward(ctx, a, b):
        return a + b
    @staticmethod
    def backward(ctx, g):
        return g, g
class Sin:
    @staticmethod
    def forward(ctx, a):
        ctx.save(a)
        return math.sin(a)
    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved
        return (g * math.cos(a),)
class Var:
    def __init__(self, value, fn=None, ctx=None, inputs=()):
        self.value, self.fn, self.ctx, self.inputs = value, fn, ctx, inputs
        self.grad = 0.0
    def apply(fn, *vs):
        ctx = Ctx()
        return Var(fn.forward(ctx, *[v.value for v in vs]), fn, ctx, vs)
    def __mul__(self, o):
        return Var.apply(Mul, self, o)
    def __add__(self, o):
        return Var.apply(Add, self, o)
    def sin(self):
        return Var.apply(Sin, self)
    def backward(self):
        order, seen = [], set()
        def walk(v):
            if id(v) in seen:
                return
            seen.add(id(v))
            for i in v.inputs:
                walk(i)
            order.append(v)
        walk(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.fn is None:
                continue
            for i, g in zip(v.inputs, v.fn.backward(v.ctx, v.grad)):
                i.grad += g
a = Var(0.8)
b = Var(-1.4)
c = a * b
d = (c + a).sin()
e = d * c + b
e.backward()
print(a.grad, b.grad)

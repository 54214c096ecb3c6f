import math


class Context:
    def __init__(self):
        self.saved = ()

    def save(self, *things):
        self.saved = things


class Function:
    @classmethod
    def apply(cls, *args):
        args = [a if isinstance(a, Scalar) else Scalar(a, needs_grad=False) for a in args]
        ctx = Context()
        out = Scalar(cls.forward(ctx, *[a.item for a in args]))
        out.fn, out.ctx, out.args = cls, ctx, args
        return out


class Add(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


class Mul(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved
        return grad * y, grad * x


class Div(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save(x, y)
        return x / y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved
        return grad / y, -grad * x / (y * y)


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = math.exp(x)
        ctx.save(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved
        return (grad * y,)


class Sigmoid(Function):
    @staticmethod
    def forward(ctx, x):
        s = 1 / (1 + math.exp(-x))
        ctx.save(s)
        return s

    @staticmethod
    def backward(ctx, grad):
        (s,) = ctx.saved
        return (grad * s * (1 - s),)


class Scalar:
    def __init__(self, item, needs_grad=True):
        self.item = item
        self.grad = 0.0
        self.needs_grad = needs_grad
        self.fn = self.ctx = None
        self.args = []

    def __add__(self, other):
        return Add.apply(self, other)

    def __mul__(self, other):
        return Mul.apply(self, other)

    def __truediv__(self, other):
        return Div.apply(self, other)

    def __radd__(self, other):
        return Add.apply(other, self)

    def __rmul__(self, other):
        return Mul.apply(other, self)

    def __rtruediv__(self, other):
        return Div.apply(other, self)

    def exp(self):
        return Exp.apply(self)

    def sigmoid(self):
        return Sigmoid.apply(self)

    def backward(self):
        order, seen = [], set()

        def walk(s):
            seen.add(s)
            for a in s.args:
                if a not in seen:
                    walk(a)
            order.append(s)

        walk(self)
        self.grad = 1.0
        for s in reversed(order):
            if s.fn is None:
                continue
            grads = s.fn.backward(s.ctx, s.grad)
            for a, g in zip(s.args, grads):
                if a.needs_grad:
                    a.grad += g


x = Scalar(0.4)
w = Scalar(-1.1)
b = Scalar(0.25)
z = w * x + b
s = z.sigmoid()
e = (2 * z).exp()
r = 1 / (e + s)
m = r * z
out = m / e + m * 3
out.backward()
print("x", x.grad, "w", w.grad, "b", b.grad)
print("z", z.grad, "s", s.grad, "e", e.grad)

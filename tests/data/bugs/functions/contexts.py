import math


class Context:
    def save(self, *xs):
        self.saved = xs


class Fn:
    @classmethod
    def apply(cls, *ts):
        ctx = Context()
        out = T(cls.forward(ctx, *(t.data for t in ts)))
        out.ctx, out.fn, out.src = ctx, cls, ts
        return out


class Add(Fn):
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, up):
        return up, up


class Sub(Fn):
    @staticmethod
    def forward(ctx, a, b):
        return a - b

    @staticmethod
    def backward(ctx, up):
        return up, -up


class Mul(Fn):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save(a, b)
        return a * b

    @staticmethod
    def backward(ctx, up):
        a, b = ctx.saved
        return up * b, up * a


class Tanh(Fn):
    @staticmethod
    def forward(ctx, a):
        t = math.tanh(a)
        ctx.save(t)
        return t

    @staticmethod
    def backward(ctx, up):
        (t,) = ctx.saved
        return (up * (1 - t * t),)


class Exp(Fn):
    @staticmethod
    def forward(ctx, a):
        e = math.exp(a)
        ctx.save(e)
        return e

    @staticmethod
    def backward(ctx, up):
        (e,) = ctx.saved
        return (up * e,)


class T:
    def __init__(self, data):
        self.data, self.grad, self.fn, self.src = data, 0.0, None, ()

    def __add__(self, o):
        return Add.apply(self, o)

    def __sub__(self, o):
        return Sub.apply(self, o)

    def __mul__(self, o):
        return Mul.apply(self, o)

    def tanh(self):
        return Tanh.apply(self)

    def exp(self):
        return Exp.apply(self)

    def backward(self):
        self.grad = 1.0
        for t in self.order():
            if t.fn is None:
                continue
            grads = t.fn.backward(t.ctx, t.grad)
            for s, g in zip(t.src, grads):
                s.grad = s.grad + g

    def order(self):
        seen, post = set(), []
        stack = [(self, False)]
        while stack:
            t, ready = stack.pop()
            if ready:
                post.append(t)
            elif t not in seen:
                seen.add(t)
                stack.append((t, True))
                stack += [(s, False) for s in t.src]
        return post[::-1]


x = T(0.5)
w = T(-1.2)
b = T(0.3)
n = x * w + b
t = n.tanh()
e = (t - x).exp()
y = e * t * x + e
y.backward()
print(x.grad, w.grad, b.grad)

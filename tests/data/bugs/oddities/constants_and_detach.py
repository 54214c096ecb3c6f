import math


class Scalar:
    def __init__(self, data, requires_grad=True):
        self.data = data
        self.requires_grad = requires_grad
        self.grad = 0.0
        self.inputs = []
        self.grad_fn = None

    @staticmethod
    def result(data, inputs, grad_fn):
        out = Scalar(data, any(i.requires_grad for i in inputs))
        if out.requires_grad:
            out.inputs = inputs
            out.grad_fn = grad_fn
        return out

    def __mul__(self, other):
        def grad_fn(g):
            if self.requires_grad:
                self.grad += g * other.data
            if other.requires_grad:
                other.grad += g * self.data
        return Scalar.result(self.data * other.data, [self, other], grad_fn)

    def __sub__(self, other):
        def grad_fn(g):
            if self.requires_grad:
                self.grad += g
            if other.requires_grad:
                other.grad += -g
        return Scalar.result(self.data - other.data, [self, other], grad_fn)

    def exp(self):
        def grad_fn(g):
            self.grad += g * math.exp(self.data)
        return Scalar.result(math.exp(self.data), [self], grad_fn)

    def backward(self):
        order = []
        marks = set()

        def visit(s):
            if s in marks or not s.requires_grad:
                return
            marks.add(s)
            for i in s.inputs:
                visit(i)
            order.append(s)

        visit(self)
        self.grad = 1.0
        for s in reversed(order):
            if s.grad_fn:
                s.grad_fn(s.grad)


w = Scalar(0.8)
x = Scalar(-1.7, requires_grad=False)
target = Scalar(0.4, requires_grad=False)
z = w * x
y = z.exp()
error = y - target
scale = target * x
loss = error * error * w - scale * w
loss.backward()
print(w.grad, z.grad, y.grad, error.grad)
print("constants:", x.grad, target.grad, scale.grad)

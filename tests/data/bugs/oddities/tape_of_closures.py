import math

tape = []


class Number:
    def __init__(self, value):
        self.value = value
        self.grad = 0.0

    def __mul__(self, other):
        out = Number(self.value * other.value)

        def step():
            self.grad += other.value * out.grad
            other.grad += self.value * out.grad

        tape.append(step)
        return out

    def __add__(self, other):
        out = Number(self.value + other.value)

        def step():
            self.grad += out.grad
            other.grad += out.grad

        tape.append(step)
        return out

    def __neg__(self):
        out = Number(-self.value)

        def step():
            self.grad -= out.grad

        tape.append(step)
        return out

    def exp(self):
        out = Number(math.exp(self.value))

        def step():
            self.grad += out.value * out.grad

        tape.append(step)
        return out


def backward(out):
    out.grad = 1.0
    while tape:
        tape.pop()()


x = Number(0.9)
y = Number(-0.3)
z = (-(x * y)).exp()
s = z + x
t = s * z
backward(t)
print(x.grad, y.grad, z.grad, s.grad)

# kind: own
class Tape:
    def __init__(self):
        self.ops = []
    def record(self, fn):
        self.ops.append(fn)
    def run(self):
        for fn in reversed(self.ops):
            fn()
        self.ops.clear()

tape = Tape()

class Scalar:
    def __init__(self, value, label=""):
        self.value = value
        self.grad = 0.0
        self.label = label

    def __add__(self, other):
        out = Scalar(self.value + other.value)
        def back():
            self.grad += out.grad
            other.grad += out.grad
        tape.record(back)
        return out

    def __mul__(self, other):
        out = Scalar(self.value * other.value)
        def back():
            self.grad += other.value * out.grad
            other.grad += self.value * out.grad
        tape.record(back)
        return out

    def __repr__(self):
        return f"<{self.label or 'tmp'} {self.value} grad={self.grad}>"

x = Scalar(3.0, "x")
y = Scalar(4.0, "y")
z = x * y + x * x
z.grad = 1.0
tape.run()
print(x, y, z)
assert x.grad == y.value + 2 * x.value
for i in range(3):
    x.grad = y.grad = 0.0
    z = x * y + x * x
    z.label = "z"
    z.grad = 1.0
    tape.run()
    x.value -= 0.1 * x.grad
    y.value -= 0.1 * y.grad
    print(i, z)

from dataclasses import dataclass, field


@dataclass
class Tape:
    entries: list = field(default_factory=list)


TAPE = Tape()


@dataclass(eq=False)
class Var:
    value: float
    grad: float = 0.0

    def __add__(self, other):
        out = Var(self.value + other.value)
        TAPE.entries.append((out, [(self, 1.0), (other, 1.0)]))
        return out

    def __mul__(self, other):
        out = Var(self.value * other.value)
        TAPE.entries.append((out, [(self, other.value), (other, self.value)]))
        return out

    def __truediv__(self, other):
        out = Var(self.value / other.value)
        slope = -self.value / other.value**2
        TAPE.entries.append((out, [(self, 1 / other.value), (other, slope)]))
        return out


def play_back(last):
    last.grad = 1.0
    for out, links in TAPE.entries[::-1]:
        for var, slope in links:
            var.grad += slope * out.grad


a = Var(2.0)
b = Var(-1.5)
c = a / b
d = c * a + b
e = d / c
play_back(e)
print(a.grad, b.grad, c.grad, d.grad)

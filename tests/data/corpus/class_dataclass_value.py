# kind: class
from dataclasses import dataclass, field
from typing import Callable, Tuple

@dataclass(eq=False)
class Value:
    data: float
    grad: float = 0.0
    parents: Tuple["Value", ...] = field(default=(), repr=False)
    pull: Callable = field(default=lambda: None, repr=False)

    def __mul__(self, other):
        out = Value(self.data * other.data, parents=(self, other))
        def pull():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.pull = pull
        return out

a = Value(3.0)
b = Value(-4.0)
c = a * b
c.grad = 1.0
c.pull()
print(a)
print(b, c)

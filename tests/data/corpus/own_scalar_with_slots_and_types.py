# kind: own
from typing import Callable, List, Optional, Set, Tuple, Union
import math

Number = Union[int, float]


class Scalar:
    __slots__ = ("value", "grad", "parents", "op", "_bw", "name")

    def __init__(self, value: Number, parents: Tuple["Scalar", ...] = (), op: str = "", name: Optional[str] = None):
        self.value: float = float(value)
        self.grad: float = 0.0
        self.parents = parents
        self.op = op
        self.name = name
        self._bw: Callable[[], None] = lambda: None

    @staticmethod
    def ensure(x: Union["Scalar", Number]) -> "Scalar":
        return x if isinstance(x, Scalar) else Scalar(x)

    def __add__(self, other) -> "Scalar":
        other = Scalar.ensure(other)
        res = Scalar(self.value + other.value, (self, other), "+")

        def bw() -> None:
            self.grad += res.grad
            other.grad += res.grad

        res._bw = bw
        return res

    __radd__ = __add__

    def __mul__(self, other) -> "Scalar":
        other = Scalar.ensure(other)
        res = Scalar(self.value * other.value, (self, other), "*")

        def bw() -> None:
            self.grad += other.value * res.grad
            other.grad += self.value * res.grad

        res._bw = bw
        return res

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-Scalar.ensure(other))

    def __rsub__(self, other):
        return Scalar.ensure(other) - self

    def __pow__(self, k: Number) -> "Scalar":
        if not isinstance(k, (int, float)):
            raise TypeError(f"unsupported exponent {type(k).__name__}")
        res = Scalar(self.value ** k, (self,), f"^{k}")

        def bw():
            self.grad += k * self.value ** (k - 1) * res.grad

        res._bw = bw
        return res

    def __truediv__(self, other):
        return self * Scalar.ensure(other) ** -1

    def log(self):
        res = Scalar(math.log(self.value), (self,), "log")

        def bw():
            self.grad += res.grad / self.value
        res._bw = bw
        return res

    def sigmoid(self):
        s = 1.0 / (1.0 + math.exp(-self.value))
        res = Scalar(s, (self,), "σ")

        def bw():
            self.grad += s * (1.0 - s) * res.grad
        res._bw = bw
        return res

    def topological(self) -> List["Scalar"]:
        order: List[Scalar] = []
        seen: Set[int] = set()

        def visit(n: "Scalar") -> None:
            if id(n) in seen:
                return
            seen.add(id(n))
            for p in n.parents:
                visit(p)
            order.append(n)

        visit(self)
        return order

    def backward(self) -> None:
        order = self.topological()
        for n in order:
            n.grad = 0.0
        self.grad = 1.0
        for n in order[::-1]:
            n._bw()

    def __repr__(self) -> str:
        nm = f"{self.name}=" if self.name else ""
        return f"{nm}Scalar({self.value:.5g}, ∂={self.grad:.5g})"


w = Scalar(0.5, name="w")
b = Scalar(-0.25, name="b")
data = [(0.5, 0), (1.5, 0), (2.5, 1), (3.5, 1)]

for it in range(1, 31):
    total = Scalar(0.0)
    for x, y in data:
        p = (w * x + b).sigmoid()
        nll = -(p.log()) if y == 1 else -((1 - p).log())
        total = total + nll
    total = total / len(data)
    total.backward()
    w.value -= 0.5 * w.grad
    b.value -= 0.5 * b.grad
    if it % 10 == 0:
        print(f"[{it:>3}] loss={total.value:.5f} {w!r} {b!r}")

correct = sum(((w * x + b).sigmoid().value > 0.5) == bool(y) for x, y in data)
print(f"accuracy: {correct}/{len(data)} = {correct / len(data):.0%}")
try:
    w ** b
except TypeError as err:
    print("TypeError:", err)

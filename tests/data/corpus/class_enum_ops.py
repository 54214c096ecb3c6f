# kind: class
from enum import Enum, auto, IntEnum
import math
from dataclasses import dataclass, field
from typing import Optional, Tuple

class Op(Enum):
    LEAF = auto()
    ADD = auto()
    MUL = auto()
    TANH = auto()

    @property
    def symbol(self):
        return {Op.ADD: "+", Op.MUL: "×", Op.TANH: "tanh"}.get(self, "·")

    def __str__(self):
        return self.name.lower()

@dataclass(eq=False)
class Tensor:
    data: float
    op: Op = Op.LEAF
    children: Tuple["Tensor", ...] = field(default=(), repr=False)
    grad: float = 0.0
    name: Optional[str] = None

    def __add__(self, o): return Tensor(self.data + o.data, Op.ADD, (self, o))
    def __mul__(self, o): return Tensor(self.data * o.data, Op.MUL, (self, o))
    def tanh(self): return Tensor(math.tanh(self.data), Op.TANH, (self,))

    def _back(self):
        match self.op:
            case Op.ADD:
                for c in self.children: c.grad += self.grad
            case Op.MUL:
                a, b = self.children
                a.grad += b.data * self.grad
                b.grad += a.data * self.grad
            case Op.TANH:
                self.children[0].grad += (1 - self.data**2) * self.grad
            case Op.LEAF:
                pass

    def topo(self):
        seen = set()
        def go(t):
            if t in seen: return
            seen.add(t)
            for c in t.children: yield from go(c)
            yield t
        return list(go(self))

    def backward(self):
        self.grad = 1.0
        for t in reversed(self.topo()): t._back()

a = Tensor(0.5, name="a"); b = Tensor(-1.5, name="b"); c = Tensor(2.0)
out = (a*b + c).tanh()
out.backward()
for t in out.topo():
    print(f"{t.op!s:<6}{t.op.symbol:^5}{t.data:>10.4f}{t.grad:>10.4f}", t.name)
print(out)
print(list(Op), Op["ADD"], Op(3), Op.MUL.value, Op.ADD in Op, repr(Op.TANH))
class Level(IntEnum):
    LOW = 1
    HIGH = 10
print(Level.HIGH > Level.LOW, Level.HIGH + 1, sorted([Level.HIGH, Level.LOW]), f"{Level.LOW}", Level.LOW.name)
try:
    Op(99)
except ValueError as e:
    print(e)
try:
    Op["XX"]
except KeyError as e:
    print("KeyError", e)
try:
    Op.ADD = 3
except AttributeError as e:
    print(e)

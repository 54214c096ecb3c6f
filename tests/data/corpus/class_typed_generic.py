# kind: class
from __future__ import annotations
from typing import Protocol, TypeVar, Generic, Iterable, Callable, Any, TYPE_CHECKING, overload, cast, Final, Literal, Self
from dataclasses import dataclass, field, replace, asdict, astuple

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T", bound="Differentiable")
EPS: Final = 1e-6
Mode = Literal["forward", "backward"]

class Differentiable(Protocol):
    data: float
    def backward(self) -> None: ...

@dataclass(slots=True, eq=False)
class Value:
    data: float
    label: str = ""
    grad: float = 0.0
    _parents: list[tuple[Value, float]] = field(default_factory=list, repr=False)

    def named(self, label: str) -> Self:
        self.label = label
        return self

    def __add__(self, other: Value | float) -> Value:
        other = cast(Value, other if isinstance(other, Value) else Value(other))
        return Value(self.data + other.data, _parents=[(self, 1.0), (other, 1.0)])

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, _parents=[(self, other.data), (other, self.data)])

    __rmul__ = __mul__

    def backward(self, g: float = 1.0) -> None:
        self.grad += g
        for parent, local in self._parents:
            parent.backward(g * local)

@dataclass(frozen=True, order=True)
class Config:
    lr: float = 0.1
    steps: int = 5
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.lr <= 0:
            raise ValueError(f"{self.lr=} must be positive")

class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []
    def push(self, x: T) -> Stack[T]:
        self._items.append(x)
        return self
    def __len__(self) -> int: return len(self._items)

def check(f: Callable[[Value], Value], at: float, mode: Mode = "backward") -> tuple[float, float]:
    x = Value(at)
    f(x).backward()
    return x.grad, (f(Value(at + EPS)).data - f(Value(at - EPS)).data) / (2 * EPS)

a = Value(2.0).named("a")
b = (3.0 * a * a + a).named("b")
b.backward()
print(a, b, sep="\n")
exact, numeric = check(lambda x: x * x * x + 2.0 * x, 1.5)
print(f"{exact:.6f} {numeric:.6f} {abs(exact - numeric) < 1e-4}")
c = Config()
print(c, replace(c, lr=0.5), asdict(c), astuple(c), c < Config(0.2))
try:
    Config(lr=-1)
except ValueError as e:
    print(e)
try:
    c.lr = 3
except AttributeError as e:
    print(type(e).__name__, e)
print(len(Stack[Value]().push(a).push(b)), Stack.__name__)

# kind: class
from __future__ import annotations
from typing import Protocol, TypeVar, Generic, Iterator, Union, overload, runtime_checkable, ClassVar, Callable, Any, cast
import math

Number = Union[int, float]
T = TypeVar("T", bound="Differentiable")

@runtime_checkable
class Differentiable(Protocol):
    data: float
    grad: float
    def backward(self) -> None: ...

class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []
    def push(self, x: T) -> None: self._items.append(x)
    def pop(self) -> T: return self._items.pop()
    def __len__(self) -> int: return len(self._items)
    def __iter__(self) -> Iterator[T]: return iter(self._items)

class Var:
    count: ClassVar[int] = 0
    def __init__(self, data: Number) -> None:
        self.data: float = float(data)
        self.grad: float = 0.0
        type(self).count += 1
        self.back: Callable[[], None] = lambda: None
    def backward(self) -> None:
        self.grad = 1.0
        while len(tape):
            tape.pop().back()
    def __mul__(self, other: Var | Number) -> Var:
        o = other if isinstance(other, Var) else Var(other)
        out = Var(self.data * o.data)
        def back() -> None:
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out.back = back
        tape.push(out)
        return out
    def __add__(self, other: Union[Var, Number]) -> Var:
        o = cast(Var, other) if isinstance(other, Var) else Var(other)
        out = Var(self.data + o.data)
        def back():
            self.grad += out.grad
            o.grad += out.grad
        out.back = back
        tape.push(out)
        return out
    def __class_getitem__(cls, item):
        return cls

tape: Stack[Var] = Stack()
x: Var[float] = Var(3)
y = x * x + x * 2 + 1
y.backward()
print(y.data, x.grad, Var.count, len(tape))
print(isinstance(x, Differentiable), isinstance(3, Differentiable))
s = Stack[int]()
s.push(1); s.push(2)
print(list(s), len(s), type(s).__name__)
def first(xs: list[T] | tuple[T, ...]) -> T | None:
    return xs[0] if xs else None
print(first([]), first((4, 5)))
print(Var.__annotations__ if hasattr(Var, "__annotations__") else None)

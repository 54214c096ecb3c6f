"""A machine for tensors alone: it makes Values and differentiates them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from engine.ops import Op
from engine.tensors.scalar import Tensor, result_of
from engine.tensors.session import Session
from engine.value import Value, backpropagate, topological_order
from tests.support.arrangements import NoArrangements


class Stopped(BaseException):
    """What a program asks for is not to be had."""


class BareMachine:
    """Keeps to the contract of `engine.tensors.session.Machine`."""

    def __init__(self) -> None:
        self.recording = True
        self.notes: list[str] = []
        self.arrangements = NoArrangements()
        self.leaves: list[Value] = []

    def apply(self, op: Op, *args: Any) -> Any:
        if not any(isinstance(arg, Value) for arg in args):
            return op.compute(*args)
        out = result_of(op, [arg if isinstance(arg, Value) else Value(arg) for arg in args])
        if isinstance(out, Tensor):
            out.recorded = out.recorded and self.recording
        return out

    def refuse(self, message: str, hint: str = "", /) -> NoReturn:
        raise Stopped(message)

    def note(self, message: str, /) -> None:
        self.notes.append(message)

    def callable(self, f: Any, /) -> Callable[..., Any]:
        assert callable(f)
        function: Callable[..., Any] = f
        return function

    def leaf(self, value: Value, /) -> None:
        self.leaves.append(value)

    def backward(self, output: Value, /, *, retain_graph: bool = False) -> None:
        order = topological_order(output)
        for value in order:
            if isinstance(value, Tensor) and value.op is not None:
                value.grad = 0.0
                value.freed = not retain_graph and value.op.saves
        start = output.grad if output.op is None else 0.0
        for _ in backpropagate(order, start + 1.0):
            pass


def session() -> Session:
    return Session(BareMachine())

"""A machine for tensors alone: it makes Values and differentiates them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from engine.ops import Op
from engine.tensors.scalar import result_of
from engine.tensors.session import Session
from engine.value import Value


class Stopped(BaseException):
    """What a program asks for is not to be had."""


class BareMachine:
    """Keeps to the contract of `engine.tensors.session.Machine`."""

    def __init__(self) -> None:
        self.recording = True
        self.notes: list[str] = []
        self.leaves: list[Value] = []

    def apply(self, op: Op, *args: Any) -> Any:
        if not any(isinstance(arg, Value) for arg in args):
            return op.compute(*args)
        return result_of(op, [arg if isinstance(arg, Value) else Value(arg) for arg in args])

    def refuse(self, message: str, hint: str = "", /) -> NoReturn:
        raise Stopped(message)

    def note(self, message: str, /) -> None:
        self.notes.append(message)

    def callable(self, f: Any, /) -> Callable[..., Any]:
        assert callable(f)
        function: Callable[..., Any] = f
        return function

    def module_called(self, module: Any, args: Any, result: Any, /) -> None:
        """Nothing is noted."""

    def leaf(self, value: Value, /) -> None:
        self.leaves.append(value)

    def passed(self, output: Any, /) -> None:
        """Nothing is noted."""

    def backward(self, output: Value, /) -> None:
        """There is no picture."""


def session() -> Session:
    return Session(BareMachine())

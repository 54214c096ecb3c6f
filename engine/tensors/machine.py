"""What tensors need of the machine that runs a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from engine.ops import Op
from engine.value import Value


class TensorMachine(Protocol):
    """The machine as tensors see it."""

    recording: bool
    """Whether results record gradients; False inside `torch.no_grad()`."""

    def apply(self, op: Op, /, *args: Any) -> Any:
        """The Value of an operation on numbers of the picture."""

    def refuse(self, message: str, hint: str = "", /) -> NoReturn: ...
    def note(self, message: str, /) -> None: ...
    def callable(self, f: Any, /) -> Callable[..., Any]: ...
    def module_called(self, module: Any, args: Any, result: Any, /) -> None:
        """Note what a module has computed from tensors."""

    def leaf(self, value: Value, /) -> None:
        """Take in a new leaf, which the reader may change."""

    def passed(self, output: Any, /) -> None:
        """Note a pass from a tensor of which no Value is drawn."""

    def backward(self, output: Value, /) -> None:
        """A pass from `output` in the picture, by PyTorch's rules for repeated passes."""

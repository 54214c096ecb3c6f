"""What the tensors of one run share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.array_ops.grid import Shape
from engine.value import Value

from .dtypes import BOOL, FLOAT32, INT64
from .generator import TorchGenerator
from .machine import TensorMachine
from .printing import Options
from .tensor_array import TensorArray, plain

ELEMENTS = 200_000
AXES = 8


class Session:
    """The machine and the random numbers of the tensors of one run."""

    def __init__(self, machine: TensorMachine) -> None:
        self.machine = machine
        self.generator = TorchGenerator()
        self.printing = Options()
        self.libraries: dict[str, Any] = {}
        """The modules of the run that hold classes, made once."""
        self.drawn: list[TensorArray] = []
        """The leaves of one number, each of which has a Value in the picture."""

    def __deepcopy__(self, memo: Any) -> Session:
        return self

    @contextmanager
    def recorded(self, enabled: bool) -> Iterator[None]:
        """A stretch in which results record gradients, or none."""
        before = self.machine.recording
        self.machine.recording = enabled
        try:
            yield
        finally:
            self.machine.recording = before

    def room(self, shape: Shape) -> int:
        """The number of elements of a new tensor, before it is built.

        One that is too large is refused. Raises RuntimeError for a negative length.
        """
        size = 1
        for n in shape:
            if n < 0:
                raise RuntimeError(
                    f"Trying to create tensor with negative dimension {n}: {list(shape)}"
                )
            size *= n
        if size > ELEMENTS or max(shape, default=0) > ELEMENTS:
            self.machine.refuse(
                f"This tensor has more than {ELEMENTS:,} elements.", "Take a smaller one."
            )
        if len(shape) > AXES:
            self.machine.refuse(f"This tensor has more than {AXES} axes.", "Take fewer axes.")
        return size

    def array(self, x: Any) -> TensorArray:
        """A tensor for any operand: a tensor or a plain number. Raises TypeError for others."""
        if isinstance(x, TensorArray):
            return x
        if isinstance(x, Value):
            return self.array_of_number(x.data)
        if isinstance(x, bool | int | float):
            return self.array_of_number(x)
        raise TypeError(f"argument must be Tensor, not {type(x).__name__}")

    def array_of_number(self, x: float) -> TensorArray:
        dtype = BOOL if isinstance(x, bool) else INT64 if isinstance(x, int) else FLOAT32
        made = plain(self, [x], (), dtype)
        made.is_number = True
        return made

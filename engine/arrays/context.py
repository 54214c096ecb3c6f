"""What arrays need of the program's run: its operators, its notes, its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any, NoReturn, Protocol

from engine.array_ops.grid import Shape

MAX_AXES = 8
MAX_ELEMENTS = 200_000


class Host(Protocol):
    """The machine that runs the program."""

    arrangements: Any
    """Where arrays of Values are noted for the picture: `Arrangements`."""

    def note(self, message: str, /) -> None: ...
    def refuse(self, message: str, hint: str, /) -> NoReturn: ...
    def binary(self, sign: str, a: Any, b: Any, /) -> Any: ...
    def apply(self, op: Any, /, *args: Any) -> Any: ...
    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any: ...
    def get_attribute(self, x: Any, name: str, /) -> Any: ...


@dataclass(slots=True)
class PrintOptions:
    """`np.set_printoptions`: digits, layout and summaries."""

    precision: int = 8
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 75
    suppress: bool = False
    nanstr: str = "nan"
    infstr: str = "inf"
    sign: str = "-"
    floatmode: str = "maxprec"
    formatter: Any = None
    legacy: Any = None
    override_repr: Any = None


ERRORS = ("divide", "over", "under", "invalid")


@dataclass(slots=True, eq=False)
class Context:
    """The arrays of one run: its machine and NumPy's settings."""

    host: Host
    printing: PrintOptions = field(default_factory=PrintOptions)
    errors: dict[str, str] = field(
        default_factory=lambda: dict.fromkeys(ERRORS, "warn") | {"under": "ignore"}
    )
    represent: Callable[[Any], str] = repr
    fused: int = 500_000
    """Multiplications that are still rounded one by one as NumPy's library rounds them."""
    legacy: Any = None
    """The generator behind the functions of `np.random`; made when it is first drawn from."""

    def __deepcopy__(self, memo: Any) -> Context:
        return self

    def admit(self, shape: Shape) -> None:
        """Refuse an array of a shape that is too large, before it is built."""
        size = prod(shape)
        if len(shape) > MAX_AXES or size > MAX_ELEMENTS:
            self.host.refuse(
                f"An array here has at most {MAX_AXES} axes and {MAX_ELEMENTS:,} elements, "
                f"not the shape {shape}.",
                "Use a smaller array.",
            )

    def warn(self, kind: str, operation: str) -> None:
        """A floating-point error of a kind in `ERRORS`, as `np.seterr` wants it reported."""
        words = {
            "divide": "divide by zero", "over": "overflow", "under": "underflow",
            "invalid": "invalid value",
        }[kind]  # fmt: skip
        message = f"{words} encountered in {operation}"
        wanted = self.errors[kind]
        if wanted == "raise":
            raise FloatingPointError(message)
        if wanted != "ignore":
            self.host.note(f"RuntimeWarning: {message}")

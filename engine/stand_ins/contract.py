"""The part of the machine that native functions of programs rely on, and the entry of a kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol, TypeAlias

from engine.ops import Op
from engine.value import Value

Method: TypeAlias = Callable[..., Any]
"""`f(m, obj, *args, **kwargs)`."""
Attribute: TypeAlias = Callable[[Any, Any], Any]
"""`f(m, obj)`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object whose attributes need the run: its Python types, attributes and methods.

    `setters` are the attributes that a program may set: `f(m, obj, value)`.
    """

    types: type | tuple[type, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    methods: Mapping[str, Method] = field(default_factory=dict)
    setters: Mapping[str, Method] = field(default_factory=dict)


@dataclass(slots=True)
class Natives:
    """State of the native functions of one run."""

    modules: dict[str, Any] = field(default_factory=dict)
    """The modules that the program has imported, by dotted name."""
    arrays: Any = None
    """The settings of NumPy's arrays and their generator of random numbers, once it is imported."""
    micrograd: Any = None
    """micrograd's classes as the program's own, for one that builds on them."""
    tensors: Any = None
    """What the tensors of the run share, once it uses torch."""


class Machine(Protocol):
    """A run of a program, as its native functions see it."""

    @property
    def random(self) -> random.Random: ...

    network: dict[str, Any]
    follows_micrograd: bool
    """Whether Values are micrograd's."""
    charts: list[Any]
    globals: dict[str, Any]
    """The variables of the program's module."""
    natives: Natives
    recording: bool
    """Whether tensors record gradients; not inside `torch.no_grad()`."""
    own: Any
    """The program's own objects that hold numbers: `Stores`."""
    arrangements: Any
    """Where arrays of Values are noted for the picture: `Arrangements`."""

    def callable(self, f: Any, /) -> Callable[..., Any]:
        """A Python callable for a callable of the program."""

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a callable of the program."""

    def apply(self, op: Op, /, *args: Any) -> Any:
        """An operation on numbers or Values, followed for the picture."""

    def binary(self, sign: str, a: Any, b: Any, /) -> Any:
        """`a sign b` as the program would write it, followed for the picture."""

    def note(self, message: str, /) -> None:
        """Add a note at the current place."""

    def refuse(self, message: str, hint: str = "", /) -> NoReturn:
        """Raise Refused at the current place."""

    def module_called(self, module: Any, args: Any, result: Any, /) -> None:
        """Note what a module of PyTorch has computed from tensors."""

    def leaf(self, value: Value, /) -> None:
        """Take in a new Value, which the reader may change."""

    def passed(self, output: Any, /) -> None:
        """Note a backward pass from a tensor of which no Value is drawn."""

    def backward(self, output: Value, /) -> None:
        """A backward pass, by the rules of the kind of its output."""

    def print_text(self, text: str, /) -> None:
        """Write to the output of the program."""

    def get_attribute(self, o: Any, name: str, /) -> Any:
        """`o.name`, guarded."""

    def set_attribute(self, o: Any, name: str, value: Any, /) -> None:
        """`o.name = value`, guarded."""

"""The part of the machine that native functions of programs rely on, and the entry of a kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
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
    """A kind of object: its Python types, its name in messages, its attributes and methods.

    `setters` are the attributes that a program may set: `f(m, obj, value)`.
    """

    types: type | tuple[type, ...]
    words: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    methods: Mapping[str, Method] = field(default_factory=dict)
    setters: Mapping[str, Method] = field(default_factory=dict)


@dataclass(slots=True)
class Natives:
    """State of the native functions of one run."""

    identities: dict[int, tuple[int, Any]] = field(default_factory=dict)
    """`id(x)` of CPython: the number that the program sees, and x, which is thereby kept alive."""
    writing: set[int] = field(default_factory=set)
    """Containers whose repr is being written; they print as `[...]` inside themselves."""
    modules: dict[str, Any] = field(default_factory=dict)
    """The modules that the program has imported, by dotted name."""
    hashes: dict[int, set[int]] = field(default_factory=dict)
    """Objects by the hash that the program gave them, of classes that Python itself compares."""
    caches: int = 0
    """Calls of cached functions that are under way, one in the other; they take the stack of C."""
    cache_info: Any = None
    """The class of what `cache_info()` of a cached function returns, once one is asked."""
    clock: float = 0.0
    """Seconds, as the clocks of the `time` module show them."""
    arrays: Any = None
    """The settings of NumPy's arrays and their generator of random numbers, once it is imported."""
    micrograd: Any = None
    """micrograd's classes in the language itself, for a program that builds on them."""
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
    closing: int
    """Calls of `close()` of generators that are under way."""
    witness: Any
    """Who watches the run; None as a rule."""
    depth: int
    """Calls of the program's functions that are under way."""
    redirected: list[Callable[[str], None]]
    """Takes what is printed in place of the output; the last one counts."""
    recording: bool
    """Whether tensors record gradients; not inside `torch.no_grad()`."""
    own: Any
    """The program's own objects that hold numbers: `Own`."""
    arrangements: Any
    """Where arrays of Values are noted for the picture: `Arrangements`."""

    def spend(self, n: int = 1, /) -> None:
        """Charge n operations."""

    def items(self, x: Any, /) -> Iterable[Any]:
        """The items of an iterable of the program, each charged; TypeError as in Python."""

    def consumed(self, value: Any, /) -> Iterable[Any]:
        """As `items`, for one that goes through them all, or to the one it looks for, at once."""

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

    def leaf(self, value: Value, /) -> None:
        """Take in a new Value, which the reader may change."""

    def backward(self, output: Value, /, *, retain_graph: bool = False) -> None:
        """A backward pass, by the rules of the kind of its output."""

    def print_text(self, text: str, /) -> None:
        """Write to the output of the program."""

    def get_attribute(self, o: Any, name: str, /) -> Any:
        """`o.name`, guarded."""

    def set_attribute(self, o: Any, name: str, value: Any, /) -> None:
        """`o.name = value`, guarded."""

    def delete_attribute(self, o: Any, name: str, /) -> None:
        """`del o.name`, guarded."""

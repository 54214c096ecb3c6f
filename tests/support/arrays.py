"""Arrays without a program: the machine that they need, and arrays like those of NumPy."""

from __future__ import annotations

from typing import Any, NoReturn

from engine.array_ops.grid import from_items
from engine.arrays.array import Array
from engine.arrays.context import Context
from engine.arrays.dtypes import cast, dtype_of_name
from engine.arrays.scalars import SIGNS
from tests.support.arrangements import NoArrangements


class Refusal(Exception):
    """What a program may not do."""


class FakeHost:
    """A machine that keeps notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.arrangements = NoArrangements()

    def note(self, message: str, /) -> None:
        self.notes.append(message)

    def refuse(self, message: str, hint: str = "", /) -> NoReturn:
        raise Refusal(message)

    def binary(self, sign: str, a: Any, b: Any, /) -> Any:
        return SIGNS[sign](a, b)

    def apply(self, op: Any, /, *args: Any) -> Any:
        return op.compute(*args)

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    def get_attribute(self, x: Any, name: str, /) -> Any:
        return getattr(x, name)


def fresh() -> Context:
    """The arrays of a new run."""
    return Context(FakeHost())


def notes(context: Context) -> list[str]:
    """What the run has noted."""
    assert isinstance(context.host, FakeHost)
    return context.host.notes


def shaped(context: Context, items: list[Any], shape: tuple[int, ...], kind: str) -> Array:
    """An array of these elements."""
    dtype = dtype_of_name(kind)
    return Array(context, from_items(cast(items, dtype), shape), dtype)

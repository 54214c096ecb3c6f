"""The calls of a program's functions that are under way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Function(NamedTuple):
    """A function of the program, as its calls show it."""

    name: str
    node: Any
    params: tuple[str, ...]
    is_pass: bool
    is_operation: bool
    """Whether its name, without underscores, is that of an operation."""
    is_init: bool


class Entered(NamedTuple):
    """A call of a function of the program: a link in the chain of scopes of what it computes.

    `around` is the scope of the call, `first` the first argument, `at` the place in the code of the
    `caller`, `outer` the call around it. What enters a call makes a plain tuple of these, which
    takes a third of the time. A run that is judged counts its calls and knows their frames: the one
    of `running` until the call ends, as all that it computed is linked to it.
    """

    kind: str
    function: Function
    around: Any
    first: Any
    caller: Any
    at: int
    outer: Any
    running: Any = ()
    serial: int = 0

    @property
    def frame(self) -> Any:
        """The frame of a call under way."""
        return self.running[0]


def under_way(call: Any) -> Iterator[Entered]:
    """A call and those around it, the innermost first."""
    while call is not None:
        found = Entered(*call)
        yield found
        call = found.outer

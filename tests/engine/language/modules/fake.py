"""A machine that only counts, for tests of the native functions by themselves."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from engine.language.builtins import CONSTRUCTORS
from engine.language.contract import Natives
from engine.ops import Op
from tests.support.arrangements import NoArrangements

BUDGET = 2_000_000
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift,
}  # fmt: skip


class RefusedError(BaseException):
    """What `Machine.refuse` raises."""


class FakeMachine:
    """The contract of `engine.language.contract.Machine`, without a program."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.random = random.Random(0)
        self.network: dict[str, Any] = {}
        self.charts: list[Any] = []
        self.natives = Natives()
        self.follows_micrograd = False
        self.left = budget
        self.printed = ""
        self.notes: list[str] = []
        self.arrangements = NoArrangements()

    def spend(self, n: int = 1, /) -> None:
        self.left -= n
        if self.left < 0:
            raise RefusedError("budget")

    def items(self, x: Any, /) -> Iterator[Any]:
        iterator = iter(x)

        def counted() -> Iterator[Any]:
            for item in iterator:
                self.spend(1)
                yield item

        return counted()

    def consumed(self, x: Any, /) -> Iterator[Any]:
        return self.items(x)

    def callable(self, f: Any, /) -> Callable[..., Any]:
        if not callable(f):
            raise TypeError(f"{type(f).__name__!r} object is not callable")
        if f in CONSTRUCTORS:
            construct = CONSTRUCTORS[f]
            return lambda *args, **kwargs: construct(self, *args, **kwargs)
        function: Callable[..., Any] = f
        return function

    def call(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.callable(f)(*args, **kwargs)

    def apply(self, op: Op, /, *args: Any) -> Any:
        return op.compute(*args)

    def binary(self, sign: str, a: Any, b: Any, /) -> Any:
        self.spend(1)
        return SIGNS[sign](a, b)

    def note(self, message: str, /) -> None:
        self.notes.append(message)

    def refuse(self, message: str, hint: str = "", /) -> NoReturn:
        raise RefusedError(message)

    def print_text(self, text: str, /) -> None:
        self.printed += text

    def get_attribute(self, o: Any, name: str, /) -> Any:
        return getattr(o, name)

    def set_attribute(self, o: Any, name: str, value: Any, /) -> None:
        setattr(o, name, value)

    def delete_attribute(self, o: Any, name: str, /) -> None:
        delattr(o, name)

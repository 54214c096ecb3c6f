"""How an object was made that does not say it: what its class makes alike on objects of its own.

The methods of the class are tried on new objects with the numbers of the operands, in a copy of the
class that is made from its text. One that gives an object with the same number, and with all else
that can be compared, is taken for what ran.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from enum import Enum
from functools import cached_property
from itertools import permutations
from types import FunctionType
from typing import Any

from engine.live.attributes import COLLECTIONS, held_names, number, of_pair, read
from engine.live.graph import LiveGraph, MadeBy
from engine.live.refusal import CannotRebuild
from engine.live.told import is_same
from engine.named_ops import op_named
from engine.record.attribute_names import BACKWARD

CONSTANTS = (2, 3, -1, 0.5, -2, 4, -0.5)
"""Plain numbers that are tried beside those that the number of the result gives."""
_AMBIGUOUS = "Both {} and {} give {}: which of them made it cannot be read off the objects."
_OPERATORS = tuple(f"__{name}__" for name in ("add", "mul", "sub", "truediv", "pow", "neg"))


class Trials:
    """Trials of one class, whose `lines` define it, for the objects of one graph."""

    def __init__(self, lines: Sequence[str], graph: LiveGraph) -> None:
        self.lines, self.graph = lines, graph
        self.of = graph.attributes

    def made(self, o: Any, as_far: MadeBy) -> MadeBy | None:
        """How an object was made from its operands, which are known; None if nothing fits."""
        with redirect_stdout(io.StringIO()):
            for group in self._candidates(o, list(as_far.operands)):
                found = {i: self._gives(call, o) for i, call in enumerate(group)}
                best = max(found.values(), default=0)
                fitting = [call for i, call in enumerate(group) if best and found[i] == best]
                for call in fitting[1:]:
                    if not self._is_same(fitting[0], call, o):
                        number_ = self.of.number_of(o)
                        raise CannotRebuild(
                            _AMBIGUOUS.format(fitting[0].method, call.method, number_)
                        )
                if fitting:
                    return fitting[0]
        return None

    @cached_property
    def names(self) -> dict[str, Any]:
        """What the lines define, in a module of its own; empty if they fail."""
        found: dict[str, Any] = {"__name__": "__main__"}
        try:
            with redirect_stdout(io.StringIO()):
                exec(compile("\n".join(self.lines), "<class>", "exec"), found)  # noqa: S102  the caller's
        except Exception:
            return {}
        return found

    def _candidates(self, o: Any, parents: list[Any]) -> Iterator[list[MadeBy]]:
        """Calls that may have made `o`, in groups, the likeliest first."""
        kind = self.names.get(type(o).__name__)
        if kind is None:
            return
        methods = [*self._methods(kind)]
        alike = [name for name, arity in methods if arity == len(parents)]
        yield [_call(name, parents) for name in alike]
        for order in [*permutations(parents)][1:]:
            yield [_call(name, order) for name in alike]
        if len(parents) == 1:
            (x,) = parents
            two = [name for name, arity in methods if arity == len(parents) + 1]
            yield [_call(name, (x, x)) for name in two]
            yield [_call(name, (x, c)) for name in two for c in self._constants(o, x)]

    def _methods(self, kind: type) -> Iterator[tuple[str, int]]:
        """The operators of a class, then what makes objects of it, with the operands of each."""
        made = {type(x).__name__ for x in self.graph.order} | {"type", "__class__", "cls"}
        others = [
            x for x in dir(kind) if x not in _OPERATORS and x not in BACKWARD and x[:2] != "__"
        ]
        for name in (*_OPERATORS, *others):
            function = getattr(kind, name, None)
            if not isinstance(function, FunctionType):
                continue
            code = function.__code__
            if name in _OPERATORS or made & {*code.co_names, *code.co_freevars}:
                yield name, code.co_argcount - len(function.__defaults__ or ())

    def _constants(self, o: Any, x: Any) -> Iterator[float]:
        y, data = self.of.number_of(o), self.of.number_of(x)
        yield from CONSTANTS
        yield from (y - data, data - y)
        if data:
            yield y / data
        if y:
            yield data / y

    def _gives(self, call: MadeBy, o: Any) -> int:
        """How well a call makes an object like `o`: not at all, 0; 2 if it holds the operands."""
        leaf: Any = self.names.get(self.of.base.__name__)
        try:
            given = [self._fresh(leaf, x) for x in call.operands]
            found = getattr(given[0], call.method)(*given[1:])
        except Exception:
            return 0
        if type(found).__name__ != type(o).__name__:
            return 0
        y, wanted = number(read(found, self.of.data)), self.of.number_of(o)
        if y is None or not (y == wanted or (y != y and wanted != wanted)):
            return 0
        skipped = {self.of.data, self.of.grad, self.of.operands, self.of.label}
        names = [it for it in held_names(o) if it not in skipped]
        held = read(found, self.of.operands)
        if _partials_in(held) != _partials_in(read(o, self.of.operands)):
            return 0
        if not all(_alike(read(found, it), read(o, it)) for it in names):
            return 0
        ids = {id(of_pair(x)) for x in held} if isinstance(held, COLLECTIONS) else set()
        return 2 if {id(x) for x in given if isinstance(x, leaf)} == ids else 1

    def _is_same(self, one: MadeBy, other: MadeBy, o: Any) -> bool:
        """Whether two calls that fit agree at other numbers, too, or in the partials of `o`."""
        if one.method == other.method and _partials_in(read(o, self.of.operands)) is not None:
            return True
        results = [self._elsewhere(call) for call in (one, other)]
        one_, other_ = results
        return one_ is None or other_ is None or is_same(one_, other_)

    def _elsewhere(self, call: MadeBy) -> float | None:
        """What a call gives at other numbers; None if it fails there."""
        leaf = self.names.get(self.of.base.__name__)
        try:
            moved = [self._moved(leaf, x) for x in call.operands]
            return number(read(getattr(moved[0], call.method)(*moved[1:]), self.of.data))
        except Exception:
            return None

    def _moved(self, leaf: Any, x: Any) -> Any:
        if not isinstance(x, self.of.base):
            return x
        return leaf(self.of.number_of(x) * 0.75 + 0.375 * (1 + self._place(x)))

    def _place(self, x: Any) -> int:
        """A number that differs from operand to operand."""
        return next(i for i, o in enumerate(self.graph.order) if o is x) % 7

    def _fresh(self, leaf: Any, x: Any) -> Any:
        return leaf(self.of.number_of(x)) if isinstance(x, self.of.base) else x


def _call(name: str, operands: Sequence[Any]) -> MadeBy:
    op = op_named(name.strip("_"))
    fits = op is not None and len(op.params) == len(operands)
    return MadeBy(name, op if fits else None, tuple(operands))


def _partials_in(held: Any) -> list[list[float | None]] | None:
    """The numbers in pairs with operands: `((a, 1.0), (b, -1.0))`."""
    if type(held) not in (tuple, list) or not all(type(x) is tuple for x in held):
        return None
    return [[number(part) for part in pair[1:]] for pair in held]


def _alike(a: Any, b: Any) -> bool:
    """Whether two attributes are the same, as far as that can be compared."""
    if isinstance(a, FunctionType) and isinstance(b, FunctionType):
        return a.__qualname__ == b.__qualname__
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    if type(a) in (tuple, list) and type(b) is type(a):
        plain = all(number(x) is not None for x in (*a, *b))
        return not plain or list(map(number, a)) == list(map(number, b))
    if isinstance(a, Enum) or isinstance(b, Enum):
        return repr(a) == repr(b)
    return True

"""Formulas: the numbers that one object of the program's own was computed through.

`(math.exp(2*x) - 1) / (math.exp(2*x) + 1)` in a method `tanh` takes seven operations. The last one
makes the number of the object; the other six belong to no object and lead to this one alone. A
picture can draw them as one operation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.record.model import RunNumber, Scope
from engine.record.source import Span

TITLE = 24
"""Characters of a title."""


class Formula(NamedTuple):
    """The formula of the object whose number is `result`: `inner` holds its other operations.

    There are none if the number could not be traced, so that the result has args but no op.

    `given` are its constants, and the leaves that the method made. `scope` is the innermost call or
    loop around the operations; `id` depends on the place of the result in the text and on how often
    it was reached, not on numbers. With `is_of_array` it is the result of an operation on arrays;
    the calls that this made are no groups.
    """

    id: str
    title: str
    result: RunNumber
    inner: Sequence[RunNumber]
    given: Sequence[RunNumber]
    scope: Scope | None
    is_of_array: bool = False

    @property
    def members(self) -> Sequence[RunNumber]:
        """All Values of the formula."""
        return *self.inner, *self.given, self.result


def formulas(
    values: Sequence[RunNumber],
    held: Mapping[RunNumber, Any],
    spans: Mapping[RunNumber, Span],
) -> list[Formula]:
    """The formulas among `values`, in topological order, unless one operation of the table."""
    if not held:
        return []
    members = _members(values, held)
    turns: Counter[Span] = Counter()
    scopes = _Scopes()
    found = []
    for value in values:
        if value not in held or not value.args:
            continue
        span = spans[value]
        turns[span] += 1
        inside = members.get(value, [])
        parts = [part for part in inside if part.op is not None]
        if parts or value.op is None:
            turn = f"-{turns[span]}" if turns[span] > 1 else ""
            name = f"f{span[0]}-{span[1]}{turn}"
            given = [part for part in inside if part.op is None]
            scope = scopes.around([part.scope for part in (*parts, value)])
            found.append(Formula(name, _title(value, held[value]), value, parts, given, scope))
    return found


def _members(
    values: Sequence[RunNumber], held: Mapping[RunNumber, Any]
) -> dict[RunNumber, list[RunNumber]]:
    """For each object's number, the other numbers that only it depends on.

    What several objects share stays outside, and so does what has a name, unless it is that of a
    variable of the method: plain arithmetic before the call.
    """
    of: dict[RunNumber, RunNumber | None] = {}
    """The formula that all uses of a number belong to; None if there are several."""
    found: dict[RunNumber, list[RunNumber]] = {}
    for value in reversed(values):
        home = value if value in held else of.get(value)
        if home is None or (home is not value and _is_outside(value, home)):
            of.update(dict.fromkeys(value.args))
            continue
        if home is not value:
            found.setdefault(home, []).append(value)
        for arg in value.args:
            if of.setdefault(arg, home) is not home:
                of[arg] = None
    return {result: parts[::-1] for result, parts in found.items()}


def _is_outside(value: RunNumber, home: RunNumber) -> bool:
    """Whether a number has a name that it did not get in the call that made `home`."""
    if not value.label and (value.op is not None or not value.is_leaf):
        return False
    call = _outermost_call(value.scope)
    return call is None or call is not _outermost_call(home.scope)


def _outermost_call(scope: Scope | None) -> Scope | None:
    found = None
    while scope is not None:
        found = scope if scope.kind == "function" else found
        scope = scope.parent
    return found


def _title(value: RunNumber, owner: Any) -> str:
    """The op that the object names itself, else the method that made it."""
    title = owner.op or _method(value.scope) or "formula"
    return title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"


def _method(scope: Scope | None) -> str:
    """The name of the innermost function around a number: `__rpow__` is "rpow"."""
    while scope is not None and scope.kind != "function":
        scope = scope.parent
    return scope.title.partition("(")[0].strip("_") if scope else ""


class _Scopes:
    """Common ancestors of scopes, each step upwards taken once."""

    def __init__(self) -> None:
        self.depths: dict[Scope | None, int] = {None: 0}

    def around(self, scopes: Iterable[Scope | None]) -> Scope | None:
        """The innermost scope that contains all `scopes`."""
        first, *others = dict.fromkeys(scopes)
        for other in others:
            first = self._common(first, other)
        return first

    def _common(self, one: Scope | None, other: Scope | None) -> Scope | None:
        while one is not other:
            if self._depth(one) < self._depth(other):
                one, other = other, one
            assert one is not None
            one = one.parent
        return one

    def _depth(self, scope: Scope | None) -> int:
        path = []
        while scope not in self.depths:
            assert scope is not None
            path.append(scope)
            scope = scope.parent
        depth = self.depths[scope]
        for inner in reversed(path):
            depth += 1
            self.depths[inner] = depth
        return self.depths[path[0]] if path else depth

"""The groups of a trace: calls, loops and turns that Values were made in, formulas and arrays."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.record.model import RunNumber, Scope
from engine.record.source import Source

from .arrays import Gathered
from .formulas import Formula
from .model import Group

Unit = Formula | Gathered | RunNumber
"""What is drawn as one operation: a formula, an array, or a Value computed by one."""


class Groups:
    """The groups around `values`, outer before inner, and the group of each Value.

    A scope that contains all Values is omitted. A function of the program's own class is omitted if
    it computes one object in `held`, as the picture draws it as one operation anyway.
    """

    def __init__(
        self,
        values: Sequence[RunNumber],
        held: Mapping[RunNumber, Any],
        formulas: Sequence[Formula],
        source: Source,
        arrays: Sequence[Gathered] = (),
        ids: Mapping[RunNumber, str] | None = None,
    ) -> None:
        self.all: list[Group] = []
        self._source = source
        self._numbered = 0
        self._of: dict[Scope | None, str | None] = {None: None}
        self._formula = {value: formula for formula in formulas for value in formula.members}
        self._is_flat = not formulas and not arrays and not any(v.scope for v in values)
        """Whether no Value was made in a call or a loop."""
        if self._is_flat:
            return
        self._array = _array_of(arrays, formulas)
        self._inside = _counts(values, self._scope_of)
        self._total = sum(bool(value.args) for value in values)
        self._units = self._sole_units(values, held)
        self._around = _only_around(self._inside)
        self._loops: set[Scope] = set()
        """Loops in a method that are all of a formula."""
        self._scopes = {formula.id: self._scope(formula) for formula in formulas}
        self._collect(formulas)
        for array in arrays:
            self._add_array(array, ids or {})

    def of(self, value: RunNumber) -> str | None:
        """The id of the innermost group of a Value."""
        if self._is_flat:
            return None
        formula, scope = self._formula.get(value), self._scope_of(value)
        if formula is not None and not self._is_part(scope, formula):
            return formula.id
        array = self._array.get(value)
        return self._group_of(scope) if array is None else array.id

    def _scope_of(self, value: RunNumber) -> Scope | None:
        """The scope that a Value is drawn in: that of the operation on arrays that made it."""
        array, formula = self._array.get(value), self._formula.get(value)
        if array is None and formula is not None and formula.is_of_array:
            return formula.scope
        scope: Scope | None = value.scope if array is None else array.scope
        return scope

    def _sole_units(
        self, values: Sequence[RunNumber], held: Mapping[RunNumber, Any]
    ) -> dict[Scope, Unit | None]:
        """The unit that a scope consists of; None if it has several, or numbers beside."""
        found: dict[Scope, Unit | None] = {}
        for value in values:
            scope = self._scope_of(value)
            if value.args and scope is not None:
                unit: Unit | None = self._array.get(value) or self._formula.get(value)
                unit = unit or (value if value in held else None)
                if found.setdefault(scope, unit) is not unit:
                    found[scope] = None
        for scope in reversed(self._inside):
            if scope.parent and found.setdefault(scope.parent, found[scope]) is not found[scope]:
                found[scope.parent] = None
        return found

    def _is_part(self, scope: Scope | None, formula: Formula) -> bool:
        """Whether all Values in `scope` are some of those of a formula."""
        if scope is None or self._units.get(scope) is not formula:
            return False
        return scope in self._loops or self._inside[scope] <= len(formula.inner)

    def _scope(self, formula: Formula) -> Scope | None:
        """The call that is all of a formula, else the innermost scope around this."""
        scope = formula.scope
        path: list[Scope] = []
        while scope is not None and self._units.get(scope) is formula:
            if scope.kind == "function":
                self._loops.update(path)
                return scope
            path.append(scope)
            scope = scope.parent
        return formula.scope

    def _collect(self, formulas: Iterable[Formula]) -> None:
        """Number the scopes by their first Value."""
        parts: list[tuple[Scope, Formula]] = []
        for scope, count in self._inside.items():
            unit = self._units[scope]
            if isinstance(unit, Formula) and self._is_part(scope, unit):
                parts.append((scope, unit))
            elif unit is not None and scope.kind == "function":
                continue
            elif count < self._total and scope not in self._around:
                self._add(scope, self._group_of(scope.parent))
        for formula in formulas:
            array = self._array.get(formula.result)
            parent = array.id if array else self._group_of(self._scopes[formula.id])
            self.all.append(Group(formula.id, parent, "formula", formula.title))
        for scope, formula in parts:
            is_inner = self._is_part(scope.parent, formula)
            self._add(scope, self._of[scope.parent] if is_inner else formula.id)

    def _add(self, scope: Scope, parent: str | None) -> None:
        self._numbered += 1
        name = f"g{self._numbered}"
        title = _part(scope) or self._expression(scope) or scope.title
        self.all.append(Group(name, parent, scope.kind, title))
        self._of[scope] = name

    def _expression(self, scope: Scope) -> str | None:
        """The learner's expression that Python called a method for, as `a - b` calls `__sub__`."""
        call = scope.call
        if not isinstance(call, ast.expr | ast.AugAssign):
            return None
        if isinstance(call, ast.Call) and not scope.title.startswith("__"):
            return None
        return f"{self._source.text_of(call)}, line {call.lineno}"

    def _add_array(self, array: Gathered, ids: Mapping[RunNumber, str]) -> None:
        cells = tuple([ids[cell] if cell is not None else None for cell in array.cells])
        parent = self._group_of(array.scope)
        self.all.append(Group(array.id, parent, "array", array.title, array.shape, cells, array.op))

    def _group_of(self, scope: Scope | None) -> str | None:
        """The innermost group that contains `scope`; memoised for the scopes in between."""
        path = []
        while scope not in self._of and scope is not None:
            path.append(scope)
            scope = scope.parent
        found = self._of[scope]
        self._of.update(dict.fromkeys(path, found))
        return found


def _only_around(inside: Mapping[Scope, int]) -> set[Scope]:
    """Loops whose turns each only call one part of a network, and these turns.

    In `for layer in layers: x = layer(x)` the layers are groups enough.
    """
    turns = {
        scope.parent
        for scope, count in inside.items()
        if scope.parent and scope.parent.kind == "iteration"
        if inside[scope.parent] == count and _part(scope)
    }
    others = {scope.parent for scope in inside if scope not in turns}
    loops = {turn.parent for turn in turns if turn.parent not in others}
    return turns | {loop for loop in loops if loop is not None}


def _part(scope: Scope) -> str | None:
    """The title of the part of a network whose call a scope is; None if it is no such call."""
    return None if scope.of is None else scope.of.title


def results(values: Iterable[RunNumber]) -> dict[RunNumber, str]:
    """What each innermost part of the program's own networks computes, and the part's name."""
    last: dict[Scope, RunNumber] = {}
    for value in values:
        scope = value.scope if value.args else None
        while scope is not None and not _part(scope):
            scope = scope.parent
        if scope is not None:
            last[scope] = value
    outer = {scope.parent for scope in with_those_around(last)}
    names = {value: scope.of.name for scope, value in last.items() if scope not in outer}
    return {value: name for value, name in names.items() if name}


def _array_of(arrays: Iterable[Gathered], formulas: Iterable[Formula]) -> dict[RunNumber, Gathered]:
    """The array of each Value that is in one, as the formula of a cell is."""
    found = {
        value: array
        for array in arrays
        for value in (*array.cells, *array.inner)
        if value is not None
    }
    for formula in formulas:
        if formula.result in found:
            found.update(dict.fromkeys(formula.members, found[formula.result]))
    return found


def _counts(
    values: Iterable[RunNumber], scope_of: Callable[[RunNumber], Scope | None]
) -> dict[Scope, int]:
    """The numbers of computed Values in each scope, outer scopes before inner ones."""
    computed = Counter(scope_of(value) for value in values if value.args)
    inside = {scope: computed[scope] for scope in with_those_around(computed)}
    for scope in reversed(inside):
        if scope.parent:
            inside[scope.parent] += inside[scope]
    return inside


def with_those_around(scopes: Iterable[Scope | None]) -> dict[Scope, None]:
    """`scopes` and their ancestors, each after its parent."""
    found: dict[Scope, None] = {}
    for inner in scopes:
        scope, path = inner, []
        while scope is not None and scope not in found:
            path.append(scope)
            scope = scope.parent
        found.update(dict.fromkeys(reversed(path)))
    return found

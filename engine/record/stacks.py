"""The calls around what happens in a run, each with its objects as they are at that moment."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import islice
from typing import Any

from .model import RecordedCall
from .objects import attributes_of, known

DEPTH = 6
"""Calls around a write that are kept, the innermost first."""
SLOTS = 128
"""Objects among the variables of a call that are kept, the parameters first."""


class Stacks:
    """The stacks of one run. While a call runs, those around it stand still: they are kept."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self._around: dict[int, tuple[RecordedCall, ...]] = {}
        self._lines: dict[int, ast.AST] = {}
        self._changes = bool(machine.source.each(ast.Nonlocal))
        """Whether a call may change the variables of one around it."""

    def calls(self) -> tuple[RecordedCall, ...]:
        """The calls under way, the innermost first, each with its objects as they are now."""
        call = self.machine.entered
        return () if call is None else (self._call(call), *self._calls_around(call))

    def line(self) -> ast.AST:
        """The statement of the module that is running."""
        call, found = self.machine.entered, None
        if call is not None:
            found = self._lines.get(call.serial)
        if found is None:
            found = self.machine.module_statement()
            if call is not None:
                self._lines[call.serial] = found
        return found

    def ended(self, serial: int) -> None:
        """A call has ended."""
        self._around.pop(serial, None)
        self._lines.pop(serial, None)

    def _calls_around(self, call: Any) -> tuple[RecordedCall, ...]:
        found = self._around.get(call.serial)
        if found is not None and not self._changes:
            return found
        path: list[RecordedCall] = []
        outer, found = call.outer, ()
        while outer is not None and len(path) < DEPTH - 1:
            path.append(self._call(outer))
            kept = self._around.get(outer.serial)
            if kept is not None and not self._changes:
                found = kept
                break
            outer = outer.outer
        found = self._around[call.serial] = (*path, *found)[: DEPTH - 1]
        return found

    def _call(self, call: Any) -> RecordedCall:
        name, node = call.function.name, call.function.node
        held = objects_in(call.function, call.frame.f_locals)
        return RecordedCall(call.serial, name, node, self.machine.statement_of(call.frame), held)


def objects_in(function: Any, variables: Mapping[str, Any]) -> dict[str, Any]:
    """The objects of the program among the variables of a call, the parameters first."""
    classes = known.classes
    items = [(name, x) for name, x in variables.items() if type(x) in classes]
    if not items:
        return {}
    found = {name: x for name, x in items if name.isidentifier()}
    first = {name: found[name] for name in function.params if name in found} | found
    if len(first) > SLOTS:
        first = dict(islice(first.items(), SLOTS))
    return first | _held_by_helpers(first)


def _held_by_helpers(found: Mapping[str, Any]) -> dict[str, Any]:
    """The objects with numbers that those without hold: `self.out` of a gate."""
    numbers = known.numbers
    return {
        f"{name}.{attribute}": part
        for name, x in found.items()
        if type(x) not in numbers
        for attribute, part in attributes_of(x).items()
        if type(part) in numbers
    }

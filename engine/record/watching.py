"""When a witness watches a run: it costs ten times the run, and one scene is judged.

Where a pass stands in a loop, or the first scenes were long, the passes that are still to come are
counted alone, at Python's own speed. A second run then watches what led to the last scene.
"""

from __future__ import annotations

import ast
from collections import deque
from typing import Any

from .attribute_names import BACKWARD
from .model import Write
from .source import Source

SCENE, COUNTED, ENDED = "scene", "counted", "ended"
"""Chunks that leave while a program runs: a scene has ended, by its number; the passes after this
scene are counted alone; the program has ended."""

EVENTS = 1_000
"""Calls and gradients that are watched before passes are counted instead."""
PER_SCENE = 20
"""The numbers that could be recorded in the time that a scene takes."""
SURE = 0.97
"""The part of the scenes that fit into the record by estimate, which fit in for sure."""
BEFORE = 1
"""The scene whose end is the latest from which the judged one is watched."""


def unwatched(counted: int, last: int) -> tuple[int, int]:
    """The scenes between which nothing is watched of a run whose `last` scene is judged."""
    return counted, max(last - BEFORE, counted)


def passes_in_loop(source: Source) -> bool:
    """Whether a loop of a program holds a pass: a call of a function of its own, by its name."""
    own = BACKWARD.intersection(node.name for node in source.each(ast.FunctionDef))
    if not own or source.parts.keys().isdisjoint((ast.For, ast.While)):
        return False
    for node in source.each(ast.Attribute):
        around: ast.AST | None = node if node.attr in own else None
        while around is not None:
            if isinstance(around, ast.For | ast.While):
                return True
            around = source.parents.get(around)
    return False


def has_operators(source: Source) -> bool:
    """Whether a program has operators of its own, as layers of arrays have not."""
    return any(node.name in ("__add__", "__mul__") for node in source.each(ast.FunctionDef))


class Reached(BaseException):
    """The scene has ended with which the run ends."""


class Watching:
    """Turns the witness of one run on and off.

    With `counts` it may stop to record. Between the scenes `rest` it is not watched; 0 and 0 for
    always. `until` is the one with which the run ends.
    """

    def __init__(
        self,
        machine: Any,
        *,
        counts: bool = False,
        rest: tuple[int, int] = (0, 0),
        until: int = 0,
    ) -> None:
        self.machine, self.counts, self.until = machine, counts, until
        self.rest_at, self.since = rest
        self.counted = 0
        """The passes that were not recorded."""
        self.is_counting = False
        self._passes: deque[ast.AST] = deque(maxlen=2)
        """The calls of the last passes."""
        self._first = 0
        """The numbers that were recorded when the first pass began."""
        self._room = 0
        """The scenes that can be recorded."""
        self.gap: tuple[int, int] | None = None
        """The entries of the log that were not watched."""

    def added(self, made: int) -> None:
        """The scene number `made` has ended. Raises Reached if the run ends with it."""
        m = self.machine
        m.most -= PER_SCENE
        self._tell()
        if made == self.until:
            raise Reached
        if m.witness is None:
            m.watch(is_on=False)
        elif made == self.rest_at < self.since:
            self._rest()
        elif made == self.since and self.gap is not None:
            self.gap = self.gap[0], len(m.own.log)
            m.watch(is_on=True)

    def begins(self) -> None:
        """A pass begins: of the last one before the rest only the first writes of objects matter.

        Where objects are given a gradient when they are made, none of these is the pass's own.
        """
        made: int = self.machine.scenes.made
        log = self.machine.own.log
        if made + 1 == self.rest_at < self.since and any(
            isinstance(step, Write) and step.is_start for step in log
        ):
            self._rest()

    def _rest(self) -> None:
        if self.gap is None:
            self.gap = len(self.machine.own.log), 1 << 60
            self.machine.watch(is_on=False)

    def counts_pass(self, node: ast.AST) -> bool:
        """Whether a call, which may be a pass, is only counted."""
        m = self.machine
        if not m.scenes.made:
            self._first = m.tape.made
        if not self.counts or not m.scenes.made or not self._is_pass(node):
            return False
        if not self.is_counting and self._is_long(node):
            # a turn of its loop has ended, and all that the loop goes on with is made
            is_turn = m.witness is None
            self.is_counting, self.rest_at = True, m.scenes.made + (not is_turn)
            if m.emit is not None:
                m.emit(COUNTED, str(self.rest_at))
            each = (m.tape.made - self._first) / m.scenes.made
            self._room = int(SURE * (m.limits.recorded - self._first) / (each + PER_SCENE))
            m.watches = False
            m.unrecord()
        if self.is_counting:
            self._passes.append(node)
        return self.is_counting

    def _is_long(self, node: ast.AST) -> bool:
        """Whether there is more to come than should be seen: a loop goes on, or much was seen."""
        m = self.machine
        if m.witness is None:
            return any(scene.node is node for scene in m.scenes.all)
        found: bool = m.witness.events > EVENTS
        return found

    def passed(self) -> None:
        """A pass has ended that was only counted."""
        self.counted += 1
        self._tell()

    def _tell(self) -> None:
        """Say that a scene has ended: it is drawn if the run is stopped before the next one."""
        m = self.machine
        if m.emit is not None:
            m.emit(SCENE, str(self._last))

    @property
    def _last(self) -> int:
        """The last scene that can be recorded of those that have ended."""
        made: int = self.machine.scenes.made
        return max(made, min(made + self.counted, self._room))

    def _is_pass(self, node: ast.AST) -> bool:
        func = getattr(node, "func", None)
        is_named = isinstance(func, ast.Attribute) and func.attr in BACKWARD
        return is_named or any(scene.node is node for scene in self.machine.scenes.all)

    @property
    def next(self) -> tuple[int, int] | None:
        """The scenes between which a second run rests; None if there is none to come.

        After a loop, what the last scene draws may have been made for the scene before.
        """
        if self.is_counting:
            is_turn = len(set(self._passes)) == 1
            return unwatched(self.rest_at, self._last - (not is_turn))
        return (0, 0) if self.counts and self.machine.witness is None else None

    def is_whole(self, owners: set[int]) -> bool:
        """Whether nothing was missed of the last scene, which draws these objects."""
        if self.gap is None:
            return True
        start, end = self.gap
        log = self.machine.own.log
        seen: set[int] = set()
        for at in range(min(end, len(log))):
            of = None if log[at] is None else id(log[at].of)
            if of in owners and of not in seen:
                seen.add(of)
                if at >= start:
                    return False
        made: int = self.machine.scenes.made
        return made >= self.since + BEFORE

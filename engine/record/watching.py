"""When a witness watches a run: it costs more than the run, and one scene is judged.

A run whose first scenes were long is not recorded any further: the passes that are still to come
are counted alone, at Python's own speed. A second run then watches what led to the last two scenes.
"""

from __future__ import annotations

import ast
from typing import Any

from .attribute_names import BACKWARD

EVENTS = 1_000
"""Calls and gradients that are watched before passes are counted instead."""
BEFORE = 2
"""Scenes before the judged one that are watched with it: it forgets what was before them."""


class Watching:
    """Turns the witness of one run on and off.

    With `counts` it may stop to record. `since` is the scene after which it is watched again.
    """

    def __init__(self, machine: Any, *, counts: bool = False, since: int = 0) -> None:
        self.machine, self.counts, self.since = machine, counts, since
        self.counted = 0
        """The passes that were not recorded."""
        self.is_counting = False
        self.gap: tuple[int, int] | None = None
        """The entries of the log that were not watched."""

    def added(self, made: int) -> None:
        """The scene number `made` has ended."""
        m = self.machine
        if m.witness is None:
            m.watch(is_on=False)
        elif made == 1 < self.since:
            self.gap = len(m.own.log), 1 << 60
            m.watch(is_on=False)
        elif made == self.since and self.gap is not None:
            self.gap = self.gap[0], len(m.own.log)
            m.watch(is_on=True)

    def counts_pass(self, node: ast.AST) -> bool:
        """Whether a call, which may be a pass, is only counted."""
        m = self.machine
        if not self.counts or not m.scenes.made or not self._is_pass(node):
            return False
        if not self.is_counting and m.witness.events > EVENTS:
            self.is_counting = True
            m.watches = False
            m.unrecord()
        self.counted += self.is_counting
        return self.is_counting

    def _is_pass(self, node: ast.AST) -> bool:
        func = getattr(node, "func", None)
        is_named = isinstance(func, ast.Attribute) and func.attr in BACKWARD
        return is_named or any(scene.node is node for scene in self.machine.scenes.all)

    @property
    def next(self) -> int:
        """The scene from which a second run is to be watched; 0 if there is none to come."""
        return max(self.machine.scenes.made + self.counted - BEFORE, 1) if self.is_counting else 0

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

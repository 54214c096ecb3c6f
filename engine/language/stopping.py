"""Runs that are stopped at the limit of operations after a scene was finished: it is drawn.

A training loop that is too long for one run has printed its lines and drawn its first turns by
then. Only operations count: a run that takes too much time is refused, since where it is stopped
depends on the machine that it runs on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from engine.record.model import Note

from .refusal import Exhausted

WAY_OUT = "Do fewer turns of the loop, or take fewer samples or a smaller network, to see the end."


def stopped(m: Any, end: Exhausted) -> Note | None:
    """What is said of a run that was stopped, whose last scene is drawn; None without a scene."""
    scenes = m.scenes.all
    if not scenes or m.budget.is_late:
        return None
    if m.line:
        m.printed, m.line = m.printed_lines(), ""
    loop = next(_loops_around(end.scope), None)
    place, where = end.node, "here"
    if loop is not None:
        turn, node = loop
        place, where = _head(node), f"in turn {turn:,} of the loop in line {node.lineno}"
    message = (
        f"The program was stopped {where}: it needs more than {m.limits.operations:,} operations. "
        f"Shown is its last finished scene, {scenes[-1].title}. {WAY_OUT}"
    )
    return Note(message, m.source.span(place))


def _loops_around(scope: Any) -> Iterator[tuple[int, Any]]:
    """The turn and the statement of each loop in a chain of calls and loops, outermost first."""
    chain = []
    while scope is not None:
        chain.append(scope)
        scope = scope[2]
    for kind, turn, around in reversed(chain):
        if kind == "iteration" and isinstance(around[1], ast.For | ast.While):
            yield turn, around[1]


def _head(loop: Any) -> ast.expr:
    """The expression at the head of a loop."""
    head: ast.expr = loop.iter if isinstance(loop, ast.For) else loop.test
    return head

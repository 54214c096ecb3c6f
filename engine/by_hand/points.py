"""Gradients of plain numbers judged again, for other numbers and in another turn of the loop.

With one set of numbers many mistakes are hidden: 2·2 is 2², and what is multiplied with 1 or added
to 0 may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.program import Program, ProgramError, RecordedRun, UnknownLeaf
from engine.record.array_model import ArrayName, ArrayRecord
from engine.verdict.points import MOVES

from . import model
from .judge import HandPass, hand_pass
from .matching import turns

OPERATIONS = 20_000
"""The length of a run up to which it is repeated."""
TURNS = 2
"""Turns of a loop that are judged."""


def judged_again(passed: HandPass) -> HandPass:
    """The pass with the states that its gradients have for other numbers and later, too."""
    program, run = passed.program, passed.run
    enough = _enough(run.array_record, passed.matched.loss)
    if not enough and program.operations > OPERATIONS:
        return passed
    program.output = passed.matched.loss.of
    starts = {passed.matched.loss.name, *(row.name for row in passed.gradients)}
    keys = program.run(enough=enough).keys
    own = {key: value.data for key, value in keys if key.partition("@")[0] not in starts}
    moved = [{key: move(x, i) for i, (key, x) in enumerate(own.items())} for move in MOVES]
    found = [(point, right_at(program, point, enough)) for point in moved]
    known = [(point, right) for point, right in found if right is not None]
    rights = [right for _, right in known]
    later = _later(run.array_record, passed.matched.loss)
    after = None if later is None else hand_pass(program, _in_turn_of(run, later), later)
    if after is not None:
        rights.append(after.right())
    rows = [_for_all(row, [row.shown in right for right in rights]) for row in passed.gradients]
    return replace(passed, gradients=rows, points=[point for point, _ in known], enough=enough)


def _for_all(row: model.HandGradient, right: Sequence[bool]) -> model.HandGradient:
    if row.state in (model.RIGHT, model.SCALED) and not all(right):
        return replace(row, state=model.LUCKY)
    if row.state in (model.WRONG, model.FOLLOWS) and any(right):
        return replace(row, state=model.OPEN)
    return row


def right_at(program: Program, point: Mapping[str, float], enough: int = 0) -> set[str] | None:
    """The gradients that are right for these numbers; None if the program fails with them."""
    try:
        again = hand_pass(program, program.run(point, enough=enough))
    except (ProgramError, UnknownLeaf):
        return None
    return None if again is None else again.right()


def _later(record: ArrayRecord, loss: ArrayName) -> ArrayName | None:
    """The loss in the next turn of the outermost loop around it; None if there is none."""
    here = turns(record.nodes[loss.of])[:1]
    alike = [it for it in record.names if it.name == loss.name and it.node is loss.node]
    after = [(turns(record.nodes[it.of])[:1], it) for it in alike if it.of > loss.of]
    following = [(turn, it) for turn, it in after if turn != here]
    return None if not here else next(
        (it for turn, it in reversed(following) if turn == following[0][0]), None
    )  # fmt: skip


def _in_turn_of(run: RecordedRun, loss: ArrayName) -> RecordedRun:
    """A run where what another turn of the loop computed is given."""
    nodes = run.array_record.nodes
    here = turns(nodes[loss.of])[:1]
    fresh = [
        node if turns(node)[:1] in (here, ()) else node._replace(op=None, args=()) for node in nodes
    ]
    return replace(run, array_record=replace(run.array_record, nodes=fresh))


def _enough(record: ArrayRecord, loss: ArrayName) -> int:
    """How many names are given up to the end of the turns that are judged; 0 for all."""
    around = turns(record.nodes[loss.of])[:1]
    if not around:
        return 0
    seen: list[object] = []
    for count, it in enumerate(record.names):
        turn = next(iter(turns(record.nodes[it.of])), None)
        if turn is not None and turn.parent is around[0].parent and turn not in seen:
            seen.append(turn)
            if len(seen) > TURNS:
                return count
    return 0

"""Operations whose functions a pass by hand does not run: `c._backward()` was forgotten."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from engine.record.model import RunNumber

from .fault import Fault
from .passes import Pass, SilentEdge


def left_out_of_the_pass(silent: SilentEdge) -> Fault | None:
    """The pass never runs the operation, whose gradient is complete."""
    if silent.edge.user not in set(forgotten(silent)):
        return None
    return silent.fault(completed(silent, silent.edge.user))


def forgotten(seen: Pass) -> Iterator[RunNumber]:
    """The operations that a pass by hand goes past, or that alone are missing.

    One that has only begun has not come to the others yet, which is no mistake.
    """
    waiting = list(not_run(seen))
    if not waiting:
        return
    places, args = seen.places, seen.evidence.args
    ran = {value: [begun.at for begun in places.runs(value)] for value in args}
    count = sum(bool(times) for times in ran.values())
    is_last = count > 1 and count + 1 == sum(map(places.has_function, args))
    for value in waiting:
        ready = places.ready(value)
        if is_last or any(at > ready for times in ran.values() for at in times):
            yield value


def not_run(seen: Pass) -> Iterator[RunNumber]:
    """The operations with a gradient whose functions a pass by hand has not run, the last first."""
    evidence, places = seen.evidence, seen.places
    scene = evidence.run.scene
    if scene is None or scene.kind != "gradients" or not any(map(places.ran, evidence.args)):
        return
    for value in reversed([*evidence.args]):
        has_gradient = seen.ledger.reached.get(value, 0.0) != 0
        if has_gradient and places.has_function(value) and not places.ran(value):
            yield value


def completed(seen: Pass, value: RunNumber) -> ast.AST:
    """The line of the program after which the gradient of a result was complete."""
    writes = [entry for entry in seen.ledger.entries if entry.used is value]
    if not writes:
        return seen.places.start()
    step = writes[-1].step
    return seen.evidence.witness.lines.get(math.ceil(step.at)) or seen.places.statement(step.node)

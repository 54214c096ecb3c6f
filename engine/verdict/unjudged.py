"""What a verdict on a pass leaves open: why right gradients are no sign of a right program."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from engine.named_ops import SIGNS
from engine.numbers import counted
from engine.program import RecordedRun
from engine.record.model import Note, RecordedObject, RunNumber, Write

from .detached import is_read_outside
from .early_zero import zeroed_early
from .evidence import Dependency, Evidence
from .ledger import PassLedger, close
from .left_out import not_run
from .model import Verdict
from .passes import Pass
from .places import FaultLocator
from .sentences import gradient_of, name_of, program_number

_PASS = re.compile(r"back|grad|deriv|differ|adj|sweep|revers", re.IGNORECASE)
"""What the name of a function tells that runs a pass."""
NOTES = 3
"""Lines that are noted to take a number out of an object."""


def because(evidence: Evidence, ledger: PassLedger) -> str:
    """Why gradients that are right are not all there is to judge; "" if they are."""
    places = FaultLocator(evidence, ledger)
    return (
        without_pass(evidence)
        or _outside(evidence)
        or _set_before(evidence, places)
        or _unfinished(evidence, ledger, places)
        or _changed_after(evidence, places)
        or _zeroed_early(evidence, places)
    )


def _zeroed_early(evidence: Evidence, places: FaultLocator) -> str:
    """Gradients that are set to zero before they are used."""
    scene, source = evidence.run.scene, evidence.run.source
    return "" if scene is None else zeroed_early(source, scene.node, places.gradient_names)


def not_seen() -> Verdict:
    """Objects end with gradients that nobody was seen to write."""
    return left_open(
        "The gradients are not judged: some are written by text that the program runs itself, "
        "as with exec()."
    )


def not_recognised(run: RecordedRun) -> Verdict | None:
    """A class with operators and a pass whose gradients are nowhere to be found."""
    if run.scene is not None:
        return None
    for owner in run.source.each(ast.ClassDef):
        methods = {part.name for part in owner.body if isinstance(part, ast.FunctionDef)}
        if any(f"__{name}__" in methods for name in SIGNS) and names_a_pass(run):
            return left_open(
                "The gradients are not judged: no attribute, list or dict was recognised in "
                f"which the objects of {owner.name} keep them."
            )
    return None


def names_a_pass(run: RecordedRun) -> bool:
    return any(_PASS.search(node.name) for node in run.source.each(ast.FunctionDef))


def left_open(why: str) -> Verdict:
    return Verdict(true_grads={}, frames={}, is_own=True, because=why)


def without_pass(evidence: Evidence) -> str:
    """A gradient of a leaf that is written by hand: there is nothing to compare it with."""
    scene, output = evidence.run.scene, evidence.output
    if scene is None or scene.kind != "gradients" or evidence.inputs[output]:
        return ""
    written = [step for step in evidence.steps if step.of is output and not step.is_first]
    if not written or close(written[-1].after, 1.0):
        return ""
    line = written[-1].node.lineno  # type: ignore[attr-defined]
    grad = gradient_of(evidence, output)
    return f"Line {line} sets {grad} by hand, and no pass ran: there is nothing to judge it by."


def _outside(evidence: Evidence) -> str:
    """Gradients that the pass gave to objects which the output does not depend on."""
    found: dict[int, RecordedObject] = {}
    for step in evidence.steps:
        o = None if step.is_collected else evidence.witness.log[math.ceil(step.at)].of
        if (
            step.of is None
            and step.after != 0
            and not step.is_first
            and isinstance(o, RecordedObject)
        ):
            found[id(o)] = o
    if not found:
        return ""
    names = [o.name for o in found.values() if o.name][:3]
    which = f": {', '.join(names)}" if names else ""
    output = name_of(evidence, evidence.output)
    count = counted(len(found), "object")
    return f"The pass also wrote to {count} that {output} was not computed from{which}."


def _set_before(evidence: Evidence, places: FaultLocator) -> str:
    """A gradient that is written by hand before the pass, which adds to it."""
    for value, held in evidence.held.items():
        at = evidence.set_by_hand(value) if held != 0 and value is not evidence.output else None
        if at is not None:
            line = places.statement(evidence.witness.log[at].node).lineno  # type: ignore[attr-defined]
            grad = gradient_of(evidence, value)
            number = program_number(held)
            return f"Line {line} sets {grad} to {number}, and the pass goes on from there."
    return ""


def later(evidence: Evidence) -> dict[RunNumber, float]:
    """The gradients that are written by hand once the pass has ended, as they end."""
    return {value: entry.after for entry, value in _writes_after(evidence)}


def _writes_after(evidence: Evidence) -> Iterator[tuple[Write, RunNumber]]:
    scene, log = evidence.run.scene, evidence.witness.log
    for at, entry in log.items():
        value = evidence.value_of(entry.of) if scene is not None and at >= scene.end else None
        if value is not None and isinstance(entry, Write) and entry.before is not None:
            yield entry, value


def _unfinished(evidence: Evidence, ledger: PassLedger, places: FaultLocator) -> str:
    """A pass by hand that has only begun."""
    value = next(not_run(Pass(evidence, ledger, places)), None)
    return "" if value is None else f"No line runs the operation of {name_of(evidence, value)} yet."


def _changed_after(evidence: Evidence, places: FaultLocator) -> str:
    """A gradient that is written by hand once the pass has ended."""
    changes = list(_writes_after(evidence))
    for entry, value in changes[:1]:
        line = places.statement(entry.node).lineno  # type: ignore[attr-defined]
        grad = gradient_of(evidence, value)
        more = f", and {len(changes) - 1} more" if len(changes) > 1 else ""
        before, after = program_number(entry.before or 0.0), program_number(entry.after)
        return f"After the pass, line {line} changes {grad} from {before} to {after}{more}."
    return ""


def constants(evidence: Evidence, ledger: PassLedger) -> Iterator[Note]:
    """Notes on the lines that take a number out of an object, and so end the graph there."""
    places = FaultLocator(evidence, ledger)
    seen: set[int] = set()
    for edge in sorted(evidence.cut, key=lambda edge: (edge.user.serial, edge.used.serial)):
        place = places.statement(edge.user.node)
        span = evidence.run.source.span(place)
        if span[0] in seen or len(seen) == NOTES or not _is_taken(evidence, places, edge):
            continue
        seen.add(span[0])
        yield Note(
            f"Line {span[0]} takes the number out of {name_of(evidence, edge.used)}: for the pass "
            "it is a constant, as after detach().",
            span,
        )


def _is_taken(evidence: Evidence, places: FaultLocator, edge: Dependency) -> bool:
    user: RunNumber = edge.user
    if evidence.witness.copies.get(user) is edge.used:
        return places.function_of(user.node) is None
    return is_read_outside(evidence, places, edge)

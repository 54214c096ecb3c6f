"""What is wrong with a pass as a whole, and writes that throw away what came in the same pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from engine.record.model import RecordedObject, RunNumber

from .evidence import Dependency, Evidence
from .fault import Fault
from .ledger import LedgerWrite, PassLedger, close
from .passes import Pass

FIRST = -0.5
"""Before all writes of a pass."""
LAST = 1e9
"""After all faults of a pass: the passes before the one that is judged had them as well."""
TERMS = 100
"""Numbers of a formula that are searched."""


def seed_missing(seen: Pass) -> Iterator[Fault]:
    """The gradient of the output is not 1 when the pass begins."""
    evidence, ledger = seen.evidence, seen.ledger
    if not evidence.inputs[evidence.output] or _is_passed_on(evidence, ledger):
        return
    contributions = [e for e in ledger.entries if e.kind == "contribution"]
    if ledger.reached.get(evidence.output, 0.0) == 0 and contributions:
        yield _without_seed(seen)
    elif entry := _wrong_seed(evidence, ledger):
        yield _without_seed(seen, entry.step.after, entry)
    elif _is_empty(evidence, ledger) and not contributions and not ledger.seed:
        yield _without_seed(seen)


def _without_seed(seen: Pass, written: float = 0.0, entry: LedgerWrite | None = None) -> Fault:
    output = seen.evidence.output
    start = seen.places.start()
    return Fault(start, at=FIRST, value=output, written=written, due=1.0, entry=entry)


def wrong_seed(seen: Pass) -> Iterator[Fault]:
    """A constant other than 1 with which the class itself starts the pass."""
    output = seen.evidence.output
    for entry in seen.ledger.entries:
        if entry.kind != "seed" or entry.used is not output or not entry.step.calls:
            continue
        number = getattr(seen.places.statement(entry.step.node), "value", None)
        if isinstance(number, ast.Constant) and not close(entry.step.after, 1.0):
            node = seen.places.statement(entry.step.node)
            yield Fault(
                node, at=FIRST, value=output, written=entry.step.after, due=1.0, entry=entry
            )
        return


def changed_in_place(seen: Pass) -> Iterator[Fault]:
    """A number that changes between the operation that used or made it and the pass."""
    evidence = seen.evidence
    if not any(entry.kind == "contribution" for entry in seen.ledger.entries):
        return
    for at, changed, serial in evidence.witness.updated:
        value = evidence.value_of(changed)
        number = changed.number if isinstance(changed, RecordedObject) else None
        if at > evidence.begins or value is None or number is None or number.serial != serial:
            continue
        users = [user for user in evidence.users(value) if user.serial < serial]
        is_result = bool(evidence.inputs[value]) and value.serial == serial
        if not users and not is_result:
            continue
        yield Fault(
            seen.places.statement(number.node), at=FIRST, value=value,
            written=number.data, due=number.data,
            edge=Dependency(users[0], value) if users else None,
        )  # fmt: skip


def second_pass(seen: Pass) -> Iterator[Fault]:
    """Gradients that an earlier pass over the same graph left in its results."""
    evidence, ledger = seen.evidence, seen.ledger
    scene = evidence.run.scene
    if scene is None or scene.kind != "backward":
        return
    inner = [
        value
        for value, held in evidence.held.items()
        if held != 0 and evidence.args.get(value) and value is not evidence.output
        if not _was_reset(ledger, value)
    ]
    for value in evidence.order:
        true, held = evidence.true.get(value), evidence.held.get(value, 0.0)
        end = ledger.ends.get(value, 0.0)
        is_leaf = value in evidence.objects and not evidence.args.get(value)
        if inner and is_leaf and true is not None and not close(end, true + held):
            yield Fault(
                seen.places.start(), at=LAST, value=value, written=end, due=true + held,
                edge=Dependency(inner[0], value),
            )  # fmt: skip
            return


def _wrong_seed(evidence: Evidence, ledger: PassLedger) -> LedgerWrite | None:
    """The first seed other than 1, if it is the number of an object, no constant of a program."""
    for entry in ledger.entries:
        if entry.kind == "seed" and entry.used is evidence.output:
            after = entry.step.after
            if after != 0 and not close(after, 1.0) and is_computed_from_data(entry.step.source):
                return entry
    return None


def is_computed_from_data(source: Any) -> bool:
    """Whether a number is that of an object or computed from one, no constant of the program."""
    todo = [source]
    for _ in range(TERMS):
        if not todo:
            return False
        x = todo.pop()
        if isinstance(x, RunNumber):
            if x.owner is not None:
                return True
            todo += x.args
    return False


def _is_empty(evidence: Evidence, ledger: PassLedger) -> bool:
    """Whether a pass writes nothing but gradients collected elsewhere."""
    scene = evidence.run.scene
    is_pass = scene is not None and scene.kind in ("backward", "gradients")
    return is_pass and any(e.kind == "other" and not e.step.is_first for e in ledger.entries)


def _is_passed_on(evidence: Evidence, ledger: PassLedger) -> bool:
    """Whether gradients came right without the output's: passed as arguments, kept in leaves."""
    if ledger.reached.get(evidence.output, 0.0) != 0:
        return False
    written = {e.used for e in ledger.entries if e.used is not None and e.step.after != 0}
    trues = [(ledger.ends.get(value, 0.0), evidence.true.get(value)) for value in written]
    return bool(trues) and all(true is None or close(end, true) for end, true in trues)


def assigned(seen: Pass) -> Iterator[Fault]:
    """Writes that throw away what came in the same pass."""
    for entry in seen.ledger.entries:
        if entry.kind != "contribution" or entry.lost == 0 or entry.used is None:
            continue
        held = seen.evidence.held.get(entry.used, 0.0)
        came = any(
            e.used is entry.used and e.kind == "contribution" and e.step.at < entry.step.at
            for e in seen.ledger.entries
        )
        if came and not close(entry.lost, held) and not _is_whole(seen.evidence, entry):
            edge = Dependency(entry.user or entry.used, entry.used)
            place = seen.places.statement(entry.step.node)
            yield Fault.at_entry(entry, place, entry.lost + entry.amount, edge)


def _is_whole(evidence: Evidence, entry: LedgerWrite) -> bool:
    """Whether a write sets the whole gradient, collected elsewhere."""
    true = evidence.true.get(entry.used) if entry.used else None
    return true is not None and close(entry.step.after, true)


def not_zeroed(seen: Pass) -> Iterator[Fault]:
    """Gradients of an earlier pass that were used up and not set to zero before this one."""
    for value in left_over(seen.evidence, seen.ledger)[:1]:
        end = seen.ledger.ends.get(value, 0.0)
        due = end - seen.evidence.held[value]
        yield Fault(seen.places.start(), at=LAST, value=value, written=end, due=due)


def left_over(evidence: Evidence, ledger: PassLedger) -> list[RunNumber]:
    """The objects that still hold the gradient of an earlier pass, which was used up."""
    return [
        value
        for value, held in evidence.held.items()
        if held != 0 and value in evidence.objects and value is not evidence.output
        if not _was_reset(ledger, value) and _was_used(evidence, value)
    ]


def _was_reset(ledger: PassLedger, value: RunNumber) -> bool:
    """Whether the pass itself sets the gradient anew before it adds to it."""
    first = next((e for e in ledger.entries if e.used is value), None)
    return first is None or first.kind == "reset" or first.lost != 0


def _was_used(evidence: Evidence, value: RunNumber) -> bool:
    """Whether the number of an object was updated since its gradient was written."""
    o, log = evidence.objects[value], evidence.witness.log
    written = [at for at, entry in log.items() if at < evidence.start and entry.of is o]
    return bool(written) and any(
        changed is o and written[-1] < at <= evidence.start
        for at, changed, _ in evidence.witness.updated
    )

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
from .terms import history

FIRST = -0.5
"""Before all writes of a pass."""
LAST = 1e9
"""After all faults of a pass: the passes before the one that is judged had them as well."""


def seed_missing(seen: Pass) -> Iterator[Fault]:
    """The gradient of the output is not 1 when the pass begins."""
    evidence, ledger = seen.evidence, seen.ledger
    if not evidence.inputs[evidence.output] or _is_passed_on(evidence, ledger):
        return
    contributions = [e for e in ledger.entries if e.kind == "contribution"]
    if cleared := _cleared_seed(evidence, ledger):
        calls = cleared.step.calls
        place = calls[-1].at if len(calls) > 1 else seen.places.statement(cleared.step.node)
        yield Fault(place, at=FIRST, value=evidence.output, written=0.0, due=1.0, entry=cleared)
    elif ledger.reached.get(evidence.output, 0.0) == 0 and contributions:
        yield _without_seed(seen)
    elif entry := _wrong_seed(evidence, ledger):
        yield _without_seed(seen, entry.step.after, entry)
    elif _is_empty(evidence, ledger) and not contributions and not ledger.seed:
        yield _without_seed(seen)


def _cleared_seed(evidence: Evidence, ledger: PassLedger) -> LedgerWrite | None:
    """The write that sets the gradient of the output back to 0 between its seed and the pass."""
    of_output = [
        entry
        for entry in ledger.entries
        if entry.used is evidence.output and entry.step.at < _first_contribution(ledger)
    ]
    last = of_output[-1] if of_output else None
    if last is None or last.kind != "reset" or len(last.step.calls) == 0:
        return None
    return last if any(entry.kind == "seed" for entry in of_output) else None


def _first_contribution(ledger: PassLedger) -> float:
    return next((e.step.at for e in ledger.entries if e.kind == "contribution"), 0.0)


def _without_seed(seen: Pass, written: float = 0.0, entry: LedgerWrite | None = None) -> Fault:
    output = seen.evidence.output
    start = seen.places.start()
    return Fault(start, at=FIRST, value=output, written=written, due=1.0, entry=entry)


def wrong_seed(seen: Pass) -> Iterator[Fault]:
    """A constant other than 1, or an object's number, with which the class starts the pass."""
    output = seen.evidence.output
    for entry in seen.ledger.entries:
        if entry.kind != "seed" or entry.used is not output or not entry.step.calls:
            continue
        after = entry.amount  # another pass may have left a gradient, to which it is added
        is_given = _is_given(seen, after) and not is_computed_from_data(entry.step.source)
        if not is_given and not close(after, 1.0) and _runs_the_pass(seen, entry):
            node = _seeding(seen, entry)
            yield Fault(node, at=FIRST, value=output, written=after, due=1.0, entry=entry)
        return


def _is_given(seen: Pass, seed: float) -> bool:
    """Whether the learner's own line hands the seed to the pass, or one that cannot be read."""
    start, output = seen.places.start(), seen.evidence.output
    for call in (node for node in ast.walk(start) if isinstance(node, ast.Call)):
        for arg in (*call.args, *[keyword.value for keyword in call.keywords]):
            number = arg.operand if isinstance(arg, ast.UnaryOp) else arg
            if isinstance(number, ast.Constant):
                if isinstance(number.value, int | float) and close(abs(number.value), abs(seed)):
                    return True
            elif not (isinstance(arg, ast.Name) and _is_name_of(seen, arg.id, output)):
                return True
    return False


def _is_name_of(seen: Pass, name: str, output: RunNumber) -> bool:
    """Whether a variable of the module is the output, or no number."""
    labels = {value.label for value in seen.evidence.objects}
    return name == output.label or name not in labels


def _seeding(seen: Pass, seed: LedgerWrite) -> ast.AST:
    """The statement that sets a seed: the one in its function that holds it as a constant."""
    node = seen.places.statement(seed.step.node)
    value = getattr(node, "value", None)
    if not isinstance(value, ast.Name):
        return node
    for part in ast.walk(seed.step.calls[0].node):
        number = part.value if isinstance(part, ast.Constant) else None
        if isinstance(number, int | float) and close(abs(number), abs(seed.step.after)):
            found = seen.places.statement(part)
            return node if isinstance(found, ast.FunctionDef) else found
    return node


def _runs_the_pass(seen: Pass, seed: LedgerWrite) -> bool:
    """Whether the function that sets the seed belongs to the class, or runs the pass itself.

    A learner's own function may set another seed and call the pass of the class.
    """
    inside = seed.step.calls[0]
    if seen.places.is_in_class(inside.node):
        return True
    below: set[int] = set()
    for entry in seen.ledger.entries:
        serials = [call.serial for call in entry.step.calls]
        if entry.kind == "contribution" and inside.serial in serials:
            below.add(serials[max(serials.index(inside.serial) - 1, 0)])
    return len(below) > 1 or inside.serial in below


def changed_in_place(seen: Pass) -> Iterator[Fault]:
    """A number that changes between the operation that used or made it and the pass."""
    evidence = seen.evidence
    if not any(entry.kind == "contribution" for entry in seen.ledger.entries):
        return
    yield from _changed_within(seen)
    for at, changed, serial in evidence.witness.updated:
        value = evidence.value_of(changed)
        number = changed.number if isinstance(changed, RecordedObject) else None
        if at > evidence.begins or value is None or number is None or number.serial != serial:
            continue
        place = seen.places.statement(number.node)
        users = [
            user
            for user in evidence.users(value)
            if user.serial < serial and _was_read_in_pass(seen, user, number)
        ]
        if not users and not (_is_result(seen, value) and not _is_shift(place)):
            continue
        yield Fault(
            place, at=FIRST, value=value, written=number.data, due=number.data,
            edge=Dependency(users[0], value) if users else None,
        )  # fmt: skip


def _changed_within(seen: Pass) -> Iterator[Fault]:
    """A number that the function of an operation changes where a gradient is to be written."""
    evidence = seen.evidence
    for _, changed, serial in evidence.witness.updated:
        value = evidence.value_of(changed)
        number = changed.number if isinstance(changed, RecordedObject) else None
        if value is None or number is None or number.serial != serial:
            continue
        place = seen.places.statement(number.node)
        inside = seen.places.function_of(place)
        around = seen.places.function_of(seen.places.parents.get(inside)) if inside else None
        if around is not None and any(
            entry.call is not None and entry.call.node is inside for entry in seen.ledger.entries
        ):
            user = next(iter(evidence.users(value)), None)
            yield Fault(
                place, at=FIRST, value=value, written=number.data, due=value.data,
                edge=Dependency(user, value) if user else None,
            )  # fmt: skip


def _was_read_in_pass(seen: Pass, user: RunNumber, number: RunNumber) -> bool:
    """Whether an operation's contributions were computed from a number that came after it."""
    return any(
        x is number
        for entry in seen.ledger.entries
        if entry.user is user
        for x in history(entry.step.source)
    )


def _is_result(seen: Pass, value: RunNumber) -> bool:
    """Whether an object was made by an operation, or records what it was made of."""
    evidence, o = seen.evidence, seen.evidence.objects[value]
    is_made = any(made.result is o for made in evidence.witness.made)
    return is_made or bool(o.parts) or seen.places.has_function(value)


def _is_shift(statement: ast.AST) -> bool:
    """Whether a constant is added: no derivative changes."""
    return (
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.op, ast.Add | ast.Sub)
        and isinstance(statement.value, ast.Constant)
    )


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
        if not _was_reset(ledger, value) and evidence.set_by_hand(value) is None
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
        if entry.kind == "seed" and entry.used is evidence.output and not entry.step.calls:
            after = entry.step.after
            if after != 0 and not close(after, 1.0) and is_computed_from_data(entry.step.source):
                return entry
    return None


def is_computed_from_data(source: Any) -> bool:
    """Whether a number is that of an object or computed from one, no constant of the program."""
    return any(x.owner is not None for x in history(source))


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

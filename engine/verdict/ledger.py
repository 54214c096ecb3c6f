"""The ledger of a pass: which operation each write belongs to, and what it brought.

A write belongs to an operation if a variable of the function that makes it, or of one of those
around, holds an object computed from the one that is written to. Where several do, a function that
serves one operation has its result among them in all of its writes; a loop over all operations has
not, and each of its writes goes to the operation whose contribution it equals.
"""

from __future__ import annotations

import ast
import math
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.record.model import RecordedCall, RunNumber
from engine.value import number

from .evidence import Dependency, Evidence, GradientEvent

TOLERANCE = 1e-6
"""Relative difference of a right gradient from the true one: classes round in ways of their own."""
BY_HAND = 400
"""Gradients written by hand are judged in scenes of at most this many objects."""
OF_ALL = 3
"""A call that writes to as many objects serves several operations."""
SUM = 8
"""Terms of a sum that are searched for the gradient that it adds to."""


def close(a: float, b: float, scale: float = 0.0) -> bool:
    """Whether two numbers agree, beside numbers as large as `scale`."""
    if a == b or (a != a and b != b):
        return True
    size = max(abs(a), abs(b), abs(scale) * 1e-6)
    return math.isfinite(size) and abs(a - b) <= TOLERANCE * size + 1e-12


@dataclass(slots=True, eq=False)
class LedgerWrite:
    """A write in the ledger: `amount` came to `used` from `user`, whose gradient was `upstream`.

    `kind` is contribution, seed, reset or other. `lost` is the part of the gradient at hand that
    the write threw away. `run` tells runs of one operation apart; `call` is the one that wrote.
    """

    step: GradientEvent
    kind: str
    used: RunNumber | None
    user: RunNumber | None
    amount: float
    upstream: float = 0.0
    portion: float = 0.0
    lost: float = 0.0
    run: Any = None
    call: RecordedCall | None = None
    grads: Mapping[RunNumber, float] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class PassLedger:
    """All entries of a pass in order, and the gradient that each object reached."""

    entries: list[LedgerWrite] = field(default_factory=list)
    reached: dict[RunNumber, float] = field(default_factory=dict)
    """The gradient of each object after its last write that is no reset."""
    ends: dict[RunNumber, float] = field(default_factory=dict)
    seed: float | None = None
    along: dict[Dependency, list[LedgerWrite]] = field(default_factory=dict)
    """The entries of each edge."""

    def of(self, edge: Dependency) -> list[LedgerWrite]:
        return self.along.get(edge, [])


def keep(evidence: Evidence) -> PassLedger:
    """The ledger of the pass that the evidence shows."""
    users = _attributed(evidence)
    is_collecting = any(step.is_collected for step in evidence.steps)
    ledger = PassLedger(reached=dict(evidence.held))
    blocks: dict[int, _Block] = {}
    grads = dict(evidence.held)
    portions: dict[RunNumber, float] = {}
    matched: set[Dependency] = set()
    for step in evidence.steps:
        found = (
            _pulled(step)
            if step.pulled
            else [_entry(evidence, step, users.get(id(step)), grads, portions, matched)]
        )
        if is_collecting and not step.is_collected and found[0].kind != "seed":
            found = [_copy(step, grads)]
        for entry in found:
            _number_run(evidence, entry, blocks)
            _book(ledger, entry, grads, portions, evidence)
    ledger.ends = grads
    if ledger.seed is None:  # the program set it before the pass
        ledger.seed = evidence.held.get(evidence.output) or None
    return ledger


def _copy(step: GradientEvent, grads: Mapping[RunNumber, float]) -> LedgerWrite:
    """A gradient that was collected elsewhere comes to its object."""
    is_same = step.of is not None and step.after == grads.get(step.of)
    kind = "copy" if is_same else "reset" if step.after == 0 else "other"
    return LedgerWrite(step, kind, step.of if is_same else None, None, step.after)


@dataclass(slots=True, eq=False)
class _Block:
    """What one call wrote last: for which operation, in its how manieth run, to which operands."""

    user: RunNumber | None = None
    count: int = 0
    used: list[RunNumber | None] = field(default_factory=list)


def _number_run(evidence: Evidence, entry: LedgerWrite, blocks: dict[int, _Block]) -> None:
    """Tell the runs of an operation apart: by their call, and in a loop by what came between.

    When all operands have received for each of their uses, another run begins.
    """
    if entry.call is None or entry.user is None:
        return
    inner = entry.step.calls[0]
    if inner.serial != entry.call.serial and not _serves_all(
        inner.node, evidence.run.source.gradients
    ):
        entry.run = inner.serial
        return
    block = blocks.setdefault(entry.call.serial, _Block())
    if block.user is not entry.user or _is_complete(evidence, entry, block):
        block.user, block.count, block.used = entry.user, block.count + 1, []
    block.used.append(entry.used)
    entry.run = entry.call.serial, block.count


def _is_complete(evidence: Evidence, entry: LedgerWrite, block: _Block) -> bool:
    """Whether all operands have received as often in a run as they are used."""
    assert entry.user is not None
    uses = Counter(arg for arg in entry.user.args if arg in evidence.objects)
    return bool(uses) and all(block.used.count(arg) >= count for arg, count in uses.items())


def _serves_all(function: ast.AST, gradients: Container[str]) -> bool:
    """Whether a function only adds what it is given: a method that receives one amount."""
    writes = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr in gradients
    ]
    return (
        len(writes) == 1
        and isinstance(getattr(function, "body", None), list)
        and (
            len(function.body) == 1  # type: ignore[attr-defined]
        )
    )


def _book(
    ledger: PassLedger,
    entry: LedgerWrite,
    grads: dict[RunNumber, float],
    portions: dict[RunNumber, float],
    evidence: Evidence,
) -> None:
    ledger.entries.append(entry)
    used = entry.used
    if used is not None and entry.user is not None:
        ledger.along.setdefault(Dependency(entry.user, used), []).append(entry)
    if used is None:
        return
    after = entry.step.after if not entry.step.pulled else grads.get(used, 0.0) + entry.amount
    grads[used] = after
    if entry.kind not in ("reset", "copy"):
        ledger.reached[used] = after
        portions[used] = entry.amount
    if entry.kind == "seed" and used is evidence.output and ledger.seed is None:
        ledger.seed = after


def _pulled(step: GradientEvent) -> list[LedgerWrite]:
    """The contributions of a built-in operation."""
    assert step.pulled is not None
    user = step.of
    return [
        LedgerWrite(step, "contribution", given.to, user, given.amount, given.upstream, run=step.at)
        for given in step.pulled.contributions
        if user is not None
    ]


def _attributed(evidence: Evidence) -> dict[int, tuple[RecordedCall, list[RunNumber]]]:
    """The call to which each write belongs, and the results in it that it can be from."""
    found: dict[int, tuple[RecordedCall, list[RunNumber]]] = {}
    together: defaultdict[int, list[set[RunNumber]]] = defaultdict(list)
    for step in evidence.steps:
        if step.of is None or step.pulled:
            continue
        for at, call in enumerate(step.calls):
            users = _runner(evidence, step, at) or _users_in(evidence, call, step.of)
            if users:
                found[id(step)] = call, users
                together[call.serial].append(set(users))
                break
    of_items: set[int] = set()
    written: defaultdict[int, set[RunNumber]] = defaultdict(set)
    for step in evidence.steps:
        if step.of is not None and step.calls:
            written[step.calls[0].serial].add(step.of)
    for step in evidence.steps:
        if id(step) in found or step.of is None or step.pulled or not step.calls:
            continue
        of_all = len(written[step.calls[0].serial]) >= OF_ALL
        if is_item(step.node) or of_all:  # no variable holds the result
            users = evidence.users(step.of)
            if users:
                found[id(step)] = step.calls[0], sorted(users, key=_age, reverse=True)
                of_items.add(id(step))
    for key, (call, users) in found.items():
        if key in of_items:
            continue
        common = set.intersection(*together[call.serial])
        if common:
            found[key] = call, [max(common, key=_age)]
        else:
            found[key] = call, sorted(users, key=_age)
    return found


def _runner(evidence: Evidence, step: GradientEvent, at: int) -> list[RunNumber]:
    """The object whose function a call is: the one in the caller's variables that holds it."""
    if at + 1 >= len(step.calls) or step.of is None:
        return []
    node = step.calls[at].node
    held = _users_in(evidence, step.calls[at + 1], step.of)
    found = [v for v in held if node in evidence.objects[v].functions]
    return found if len(found) == 1 else []


def _users_in(evidence: Evidence, call: RecordedCall, used: RunNumber) -> list[RunNumber]:
    """The objects among the variables of a call whose numbers were computed from `used`."""
    held = dict.fromkeys(evidence.value_of(o) for o in call.variables.values())
    return [v for v in held if v is not None and Dependency(v, used) in evidence.partials]


def _age(value: RunNumber) -> float:
    return float(value.serial)


def _entry(
    evidence: Evidence,
    step: GradientEvent,
    users: tuple[RecordedCall, list[RunNumber]] | None,
    grads: Mapping[RunNumber, float],
    portions: Mapping[RunNumber, float],
    matched: set[Dependency],
) -> LedgerWrite:
    used = step.of
    amount, lost = _brought(evidence, step, grads.get(used, 0.0) if used else 0.0)
    if step.after == 0 and step.is_first:
        return LedgerWrite(step, "reset", used, None, 0.0)
    if users is None or used is None:
        kind = "reset" if step.after == 0 and _is_reset(evidence, step) else "other"
        if used is evidence.output and step.after != 0:
            kind = "seed"
        call = step.calls[0] if step.calls else None
        known = _at_hand(evidence, call, grads)
        return LedgerWrite(step, kind, used, None, amount, lost=lost, call=call, grads=known)
    call, candidates = users
    user = _chosen(evidence, used, candidates, amount, grads, matched)
    if step.after == 0 and amount == 0 and _is_literal(step):
        return LedgerWrite(step, "reset", used, None, 0.0)
    matched.add(Dependency(user, used))
    upstream, portion = grads.get(user, 0.0), portions.get(user, 0.0)
    return LedgerWrite(
        step, "contribution", used, user, amount, upstream, portion, lost,
        call=call, grads=_at_hand(evidence, call, grads),
    )  # fmt: skip


def _at_hand(
    evidence: Evidence, call: RecordedCall | None, grads: Mapping[RunNumber, float]
) -> dict[RunNumber, float]:
    """The gradients, at the time of a write, of the objects in the variables of its function.

    All of them for a write by hand, which may read any.
    """
    if call is None:
        return dict(grads) if len(grads) <= BY_HAND else {}
    held = [evidence.value_of(o) for o in call.variables.values()]
    return {value: grads[value] for value in held if value is not None and value in grads}


def _is_reset(evidence: Evidence, step: GradientEvent) -> bool:
    """Whether a statement sets a gradient to 0 whatever the numbers are."""
    if isinstance(step.node, ast.AugAssign):
        return not isinstance(step.node.op, ast.Add | ast.Sub)
    return bool(step.calls) or step.node not in evidence.run.source.computed


def _is_literal(step: GradientEvent) -> bool:
    """Whether a constant is assigned, not the result of a computation."""
    return step.source is None and not isinstance(step.node, ast.AugAssign)


def _chosen(
    evidence: Evidence,
    used: RunNumber,
    candidates: Sequence[RunNumber],
    amount: float,
    grads: Mapping[RunNumber, float],
    matched: set[Dependency],
) -> RunNumber:
    """The operation of a write in a loop over all: by its amount, else one that is still due."""
    if len(candidates) == 1:
        return candidates[0]
    fresh = [user for user in candidates if Dependency(user, used) not in matched]
    for user in (*fresh, *candidates):
        partial = evidence.partials[Dependency(user, used)]
        if partial is not None and close(amount, partial * grads.get(user, 0.0)):
            return user
    waiting = [user for user in fresh if grads.get(user, 0.0) != 0] or fresh or list(candidates)
    return next((user for user in waiting if user is not evidence.output), waiting[0])


def _brought(evidence: Evidence, step: GradientEvent, before: float) -> tuple[float, float]:
    """What a write brings, and what it throws away of the gradient at hand."""
    if before == 0:
        return step.after, 0.0
    if _keeps(evidence, step, before):
        return step.after - before, 0.0
    return step.after, before


def _keeps(evidence: Evidence, step: GradientEvent, before: float) -> bool:
    """Whether a number is written that was computed from the gradient at hand by sums."""
    if isinstance(step.node, ast.AugAssign):
        return True
    todo, count = [step.source], 0
    while todo and count < SUM:
        count += 1
        x = todo.pop()
        if isinstance(x, RunNumber) and x.op is not None and x.op.name in ("+", "-"):
            reads = is_item(step.node) or _reads_gradient(evidence, x.node)
            if reads and any(close(number(arg), before) for arg in x.args):
                return True
            todo += x.args
    return False


def is_item(node: ast.AST) -> bool:
    """Whether the target of a write is an item of a dict or list, which holds gradients."""
    return isinstance(getattr(node, "target", node), ast.Subscript)


def _reads_gradient(evidence: Evidence, node: ast.AST) -> bool:
    gradients = evidence.run.source.gradients
    return any(
        isinstance(part, ast.Attribute)
        and (part.attr in gradients or "grad" in part.attr.lower())  # self.getGradient()
        for part in ast.walk(node)
    )


def runs_of(entries: Iterable[LedgerWrite]) -> list[list[LedgerWrite]]:
    """The entries of an edge, those of each run of its operation together."""
    found: dict[Any, list[LedgerWrite]] = {}
    for entry in entries:
        found.setdefault(entry.run, []).append(entry)
    return list(found.values())

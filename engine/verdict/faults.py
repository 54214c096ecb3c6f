"""Faults: edges along which a pass did not bring what was due, each with its cause.

Along each edge (user, used) a pass is to bring ∂user/∂used times the gradient that `user` reaches,
in whatever order and in however many parts. If all edges are right, nothing is lost and the output
starts from its seed, then every gradient is right, by induction over the order of computation.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.record.model import RunNumber

from .amounts import WrongAmounts, wrong_amounts
from .by_hand import by_hand, faults_by_hand
from .evidence import Dependency, Evidence
from .fault import Fault
from .kinds import KINDS, MistakeKind
from .ledger import LedgerWrite, PassLedger, close, runs_of
from .left_out import forgotten
from .missing import is_unknown_operand
from .passes import Amount, Pass, SilentEdge, WrongTotal
from .places import FaultLocator
from .terms import term_of

FAULTS = 100
"""Missing contributions are explained for at most this many faults of a run."""
OF_FUNCTIONS = frozenset({"unreachable", "called_not_stored"})
"""Kinds that only a class with functions for its operations can have."""

BRANCHED = frozenset({"max", "min", "abs", "relu", "leaky_relu", "clip"})
"""Operations with one derivative here and another there."""

Explanation = tuple[str, str]
"""The name of a kind, and a note for its sentence."""


@dataclass(frozen=True, eq=False)
class Observed:
    """A write along an edge, right or wrong."""

    place: ast.AST
    fault: Fault
    is_wrong: bool
    amount: Amount
    statement: ast.AST
    """The write itself."""
    role: tuple[str, int]
    """The operation, and which of its args: one line may write for several."""
    partial: float
    upstream: float
    has_branches: bool
    """Whether the operation is another one at other numbers, as relu."""
    is_made: bool
    """Whether the place is the one where the pass computed what was written."""
    is_of_rule: bool
    """Whether what was written is what a function gave that knew the gradient of the result."""

    @cached_property
    def kinds(self) -> frozenset[Explanation]:
        """Those that would explain the amount; only asked for where a write of a place is wrong."""
        return frozenset(_explanations(self.amount))


@dataclass(slots=True, eq=False)
class Findings:
    """The faults of one run, and its writes, of which several tell together what is wrong."""

    faults: list[Fault]
    observed: list[Observed]


def findings(evidence: Evidence, ledger: PassLedger) -> Findings:
    """The faults of a pass that code makes."""
    seen = Pass(evidence, ledger, FaultLocator(evidence, ledger))
    found = Findings([*_of_all(seen, lambda kind: kind.detect.whole)], [])
    scene = evidence.run.scene
    manual = by_hand(ledger) if scene is not None and scene.kind == "gradients" else {}
    if manual:
        found.faults = [f for f in found.faults if f.kind == "not_zeroed"]
        found.faults += faults_by_hand(evidence, ledger)
    if not any(fault.kind == "seed_missing" for fault in found.faults):
        found.faults += _of_all(seen, lambda kind: kind.detect.writes)
        skipped = set(forgotten(seen)) if manual else set()
        for edge, partial in evidence.partials.items():
            is_open = _is_unwritten(ledger, edge, manual) and edge.user not in skipped
            if partial is None or edge.used in manual or is_open:
                continue
            _edge(seen, edge, partial, found)
    if manual:
        found.faults = [f for f in found.faults if f.kind not in OF_FUNCTIONS]
    return found


Whole = Callable[[Pass], Iterable[Fault]]


def _of_all(seen: Pass, detector: Callable[[MistakeKind], Whole | None]) -> Iterator[Fault]:
    for name, kind in KINDS.items():
        if detect := detector(kind):
            yield from (replace(fault, kind=name) for fault in detect(seen))


def _is_unwritten(ledger: PassLedger, edge: Dependency, manual: Mapping[RunNumber, object]) -> bool:
    """Whether a pass by hand has not come to an edge."""
    return bool(manual) and not any(e.used is edge.used for e in ledger.of(edge))


def _edge(seen: Pass, edge: Dependency, partial: float, found: Findings) -> None:
    """Add the faults of one edge, if what came along it is not what was due, and its writes."""
    entries = seen.ledger.of(edge)
    if entries and _lacks_an_operand(seen, edge.user):
        return
    made = sum(e.amount for e in entries)
    due = partial * seen.ledger.reached.get(edge.user, 0.0)
    scale = max((abs(e.amount) for e in entries), default=0.0)
    is_right = close(made, due, scale) or _is_set_at_once(seen, edge.used)
    if entries:
        _written_edge(seen, edge, partial, found, None if is_right else (made, due))
    elif _may_be_silent(seen, edge, is_right) and len(found.faults) < FAULTS:
        found.faults.append(_silence(seen, edge, due))


def _may_be_silent(seen: Pass, edge: Dependency, is_right: bool) -> bool:
    """Whether nothing came along an edge, as far as it can be told to which edge a write belongs.

    Where no variable holds the result, as many writes as uses leave none out.
    """
    if is_right or _is_constant(seen, edge.used):
        return False
    if seen.evidence.run.source.stores_gradients:
        return True
    came = [e for e in seen.ledger.entries if e.used is edge.used and e.kind == "contribution"]
    return len(came) < len(seen.evidence.users(edge.used))


def _lacks_an_operand(seen: Pass, user: RunNumber) -> bool:
    """Whether an operation does not record all of its operands: it gives to others what is due."""
    edges = [Dependency(user, arg) for arg in seen.evidence.args[user]]
    return any(
        is_unknown_operand(SilentEdge(seen.evidence, seen.ledger, seen.places, edge, 0.0))
        for edge in edges
        if not seen.ledger.of(edge) and edge not in seen.evidence.cut
    )


def _written_edge(
    seen: Pass, edge: Dependency, partial: float, found: Findings, total: tuple[float, float] | None
) -> None:
    """Add the writes of an edge, and its fault if its `total`, made and due, is wrong."""
    runs = runs_of(seen.ledger.of(edge))
    if total is None:
        _observe(seen, edge, partial, runs, [None] * len(runs), found)
        return
    is_once = seen.places.operands(edge) < 2
    is_only = len(runs) == 1
    wrong = [wrong_amounts(seen.evidence, edge, partial, run, is_once, is_only) for run in runs]
    if any(wrong):
        _observe(seen, edge, partial, runs, wrong, found)
    if any(w and w.entries for w in wrong):
        return
    last = next((run[-1] for run, w in zip(runs, wrong, strict=True) if w), None)
    if last is None and _leaves_out_another(seen, edge):
        return
    found.faults.append(_total(seen, edge, total, runs, last))


def _silence(seen: Pass, edge: Dependency, due: float) -> Fault:
    silent = SilentEdge(seen.evidence, seen.ledger, seen.places, edge, due)
    return next(
        replace(fault, kind=name)
        for name, kind in KINDS.items()
        if kind.detect.silence and (fault := kind.detect.silence(silent))
    )


def _total(
    seen: Pass,
    edge: Dependency,
    numbers: tuple[float, float],
    runs: Sequence[Sequence[LedgerWrite]],
    partial: LedgerWrite | None,
) -> Fault:
    total = WrongTotal(seen.evidence, seen.ledger, seen.places, edge, *numbers, runs, partial)
    return next(
        replace(fault, kind=name)
        for name, kind in KINDS.items()
        if kind.detect.total and (fault := kind.detect.total(total))
    )


def _leaves_out_another(seen: Pass, edge: Dependency) -> bool:
    """Whether another arg received nothing: this one has what is due to both."""
    args = seen.evidence.args[edge.user]
    others = [Dependency(edge.user, arg) for arg in args if arg is not edge.used]
    return any(seen.evidence.partials[other] and not seen.ledger.of(other) for other in others)


def _is_constant(seen: Pass, used: RunNumber) -> bool:
    """Whether an object only wraps a plain operand, and gets no gradient on purpose."""
    if any(e.used is used and e.amount for e in seen.ledger.entries):
        return False
    if _says_so(seen, used):
        return True
    return not used.args and not used.label and seen.places.is_made_inside(used)


def _says_so(seen: Pass, used: RunNumber) -> bool:
    """Whether a truth value in an object tells it from all that receive: `requires_grad`."""
    objects = seen.evidence.objects
    given = {e.used: None for e in seen.ledger.entries if e.used is not None and e.amount}
    receiving = [o.flags for value, o in objects.items() if value in given]
    return any(
        all(held.get(name) is (not flag) for held in receiving)
        for name, flag in objects[used].flags.items()
    )


def _is_set_at_once(seen: Pass, used: RunNumber) -> bool:
    """Whether the only write to an object sets its whole true gradient."""
    writes = [e for e in seen.ledger.entries if e.used is used and e.kind != "reset"]
    true = seen.evidence.true.get(used)
    if len(writes) != 1 or true is None or isinstance(writes[0].step.node, ast.AugAssign):
        return False
    return close(writes[0].step.after, true) and len(seen.evidence.users(used)) > 1


def _observe(
    seen: Pass,
    edge: Dependency,
    partial: float,
    runs: Sequence[Sequence[LedgerWrite]],
    wrong: Sequence[WrongAmounts | None],
    found: Findings,
) -> None:
    """Note the writes along an edge, with the kinds of mistakes that would explain each."""
    slots = seen.evidence.slots.get(edge) or [partial]
    for run, bad in zip(runs, wrong, strict=True):
        for i, entry in enumerate(run):
            right = slots[i] if i < len(slots) else partial
            is_wrong = bad is not None and entry in bad.entries
            if bad is not None and is_wrong:
                right = bad.partials[bad.entries.index(entry)]
            if entry.amount == 0 and right * entry.upstream == 0:
                continue
            amount = Amount(seen.evidence, seen.ledger, seen.places, edge, entry, right)
            role = _role(edge, i, len(slots))
            found.observed.append(_observed(amount, is_wrong, role))


def _observed(amount: Amount, is_wrong: bool, role: tuple[str, int]) -> Observed:
    entry, place = amount.entry, amount.places.of_write(amount.entry)
    due = entry.step.after - entry.amount + amount.partial * entry.upstream
    return Observed(
        place,
        Fault.at_entry(entry, place, due, amount.edge),
        is_wrong,
        amount,
        amount.places.of_amount(entry),
        role,
        amount.partial,
        entry.upstream,
        _has_branches(amount),
        _is_made(amount, place),
        amount.places.gives_gradient(entry),
    )


def _is_made(amount: Amount, place: ast.AST) -> bool:
    places, entry = amount.places, amount.entry
    if place in (places.returned(entry), places.rule_of(entry)):
        return True
    term = term_of(amount.entry)
    if not isinstance(term, RunNumber) or term.op is None:
        return False
    is_late = term.serial > amount.evidence.output.serial
    return is_late and amount.places.statement(term.node) is place


def _has_branches(amount: Amount) -> bool:
    user = amount.edge.user
    return user in amount.evidence.witness.copies if user.op is None else user.op.name in BRANCHED


def _explanations(amount: Amount) -> Iterator[Explanation]:
    for name, kind in KINDS.items():
        if kind.detect.amount:
            yield from ((name, note) for note in kind.detect.amount(amount))


def _role(edge: Dependency, at: int, slots: int) -> tuple[str, int]:
    user = edge.user
    if user.op is None:
        return "", 0
    found = [slot for slot, arg in enumerate(user.args) if arg is edge.used]
    slot = found[at] if slots > 1 and at < len(found) else found[0] if found else 0
    return user.op.name, slot

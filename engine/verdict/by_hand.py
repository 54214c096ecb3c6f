"""Gradients that the program writes by hand, one statement each: `d.grad = L.grad * e.data`.

Each write is matched with what is due to its object from one or several of the results computed
from it; a write that matches nothing is the mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice

from engine.record.model import RunNumber

from .evidence import Dependency, Evidence
from .fault import Fault
from .hand_written import HandWrite, due_of
from .kinds import KINDS
from .ledger import LedgerWrite, PassLedger, close
from .whole import is_computed_from_data

MOST = 6
"""Uses of one object whose sums are tried."""
SUMS = 200
"""Sums of as many uses that are tried."""


def by_hand(ledger: PassLedger) -> dict[RunNumber, list[LedgerWrite]]:
    """The writes by hand to each object."""
    found: dict[RunNumber, list[LedgerWrite]] = {}
    for entry in ledger.entries:
        step = entry.step
        if entry.used is not None and not step.calls and not step.pulled and entry.kind != "reset":
            found.setdefault(entry.used, []).append(entry)
    return found


def faults_by_hand(evidence: Evidence, ledger: PassLedger) -> Iterator[Fault]:
    """The faults of all writes by hand."""
    written = by_hand(ledger)
    for used, entries in written.items():
        if used is evidence.output:
            yield from _seed(evidence, entries[-1])
        elif not _is_right(evidence, ledger, used):
            yield from _of_object(evidence, ledger, used, entries)


def _seed(evidence: Evidence, entry: LedgerWrite) -> Iterator[Fault]:
    after = entry.step.after
    if not evidence.inputs[evidence.output]:
        return
    if after == 0 or (not close(after, 1.0) and is_computed_from_data(entry.step.source)):
        yield Fault.at_entry(entry, entry.step.node, 1.0, kind="seed_missing")


def has_literals(evidence: Evidence, ledger: PassLedger) -> bool:
    """Whether gradients are written as numbers: right at those of the program alone."""
    return any(
        entry.step.source is None and entry.step.after != 0
        for used, entries in by_hand(ledger).items()
        for entry in entries
        if used is not evidence.output
    )


def due_by_hand(evidence: Evidence, ledger: PassLedger, used: RunNumber) -> float | None:
    """The gradient that is due to an object, by those written to its results."""
    if used is evidence.output:
        return 1.0
    users = evidence.users(used)
    if any(evidence.partials[Dependency(user, used)] is None for user in users):
        return None
    return due_of(evidence, ledger.reached, used, users) + evidence.held.get(used, 0.0)


def _is_right(evidence: Evidence, ledger: PassLedger, used: RunNumber) -> bool:
    end, true = ledger.ends.get(used, 0.0), evidence.true.get(used)
    held = evidence.held.get(used, 0.0)
    if true is not None and (close(end, true) or close(end, true + held)):
        return True
    partials = [evidence.partials[Dependency(user, used)] for user in evidence.users(used)]
    if any(partial is None for partial in partials):
        return True
    return close(end, due_of(evidence, ledger.reached, used, evidence.users(used)) + held)


def _of_object(
    evidence: Evidence, ledger: PassLedger, used: RunNumber, entries: Sequence[LedgerWrite]
) -> Iterator[Fault]:
    """The fault of an object whose gradient is wrong at the end."""
    waiting = evidence.users(used)
    due = due_of(evidence, ledger.reached, used, waiting) + evidence.held.get(used, 0.0)
    for entry in entries:
        node, first = entry.step.node, Dependency(waiting[0], used) if waiting else None
        matched = _match(evidence, entry.grads, used, waiting, entry.amount)
        if matched is None:
            kind, note = _kind(HandWrite(evidence, ledger, used, waiting, entry))
            yield Fault.at_entry(entry, node, due, first, kind, note)
            return
        if entry.lost:
            whole = entry.lost + entry.amount
            yield Fault.at_entry(entry, node, whole, Dependency(matched[0], used), "assigned")
            return
        waiting = [user for user in waiting if user not in matched]
        early = next((user for user in matched if _grew(ledger, entry, user)), None)
        if early is not None:
            yield Fault.at_entry(entry, node, due, Dependency(early, used), "order")
            return
    if waiting:
        fault = Fault.at_entry(
            entries[-1], entries[-1].step.node, due, Dependency(waiting[0], used)
        )
        end = ledger.ends.get(used, 0.0)
        yield replace(fault, kind="contribution_missing", written=end)


def _grew(ledger: PassLedger, entry: LedgerWrite, user: RunNumber) -> bool:
    """Whether the gradient of a result changed after it was used."""
    return not close(entry.grads.get(user, 0.0), ledger.reached.get(user, 0.0))


def _match(
    evidence: Evidence,
    grads: Mapping[RunNumber, float],
    used: RunNumber,
    waiting: Sequence[RunNumber],
    amount: float,
) -> tuple[RunNumber, ...] | None:
    """The results from which an amount is due; all of them before some."""
    giving = [user for user in waiting if due_of(evidence, grads, used, [user]) != 0]
    if amount == 0:
        return next(((user,) for user in waiting if user not in giving), None)
    for count in range(min(len(giving), MOST), 0, -1):
        for users in islice(combinations(giving, count), SUMS):
            if close(amount, due_of(evidence, grads, used, users)):
                return users
    return None


def _kind(write: HandWrite) -> tuple[str, str]:
    """The first kind that explains a write, and its note."""
    return next(
        (name, note)
        for name, kind in KINDS.items()
        if kind.detect.by_hand
        for note in kind.detect.by_hand(write)
    )

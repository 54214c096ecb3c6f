"""Gradients that the program writes by hand, one statement each: `d.grad = L.grad * e.data`.

Each write is matched with what is due to its object from one or several of the results computed
from it; a write that matches nothing is the mistake.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

from engine.language.own import GRADIENTS
from engine.language.plain import FOLLOWED
from engine.value import Value

from .evidence import Dependency, Evidence
from .fault import Fault
from .ledger import LedgerWrite, PassLedger, close

TERMS = 100
"""Numbers of a formula that are searched."""
MOST = 6
"""Uses of one object whose sums are tried."""
SUMS = 200
"""Sums of as many uses that are tried."""


def by_hand(ledger: PassLedger) -> dict[Value, list[LedgerWrite]]:
    """The writes by hand to each object."""
    found: dict[Value, list[LedgerWrite]] = {}
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


def is_computed_from_data(source: Any) -> bool:
    """Whether a number is that of an object or computed from one, no constant of the program."""
    todo = [source]
    for _ in range(TERMS):
        if not todo:
            return False
        x = todo.pop()
        if type(x) in FOLLOWED:
            if x.owner is not None:
                return True
            todo += x.args
    return False


def has_literals(evidence: Evidence, ledger: PassLedger) -> bool:
    """Whether gradients are written as numbers: right at those of the program alone."""
    return any(
        type(entry.step.source) not in FOLLOWED and entry.step.after != 0
        for used, entries in by_hand(ledger).items()
        for entry in entries
        if used is not evidence.output
    )


def due_by_hand(evidence: Evidence, ledger: PassLedger, used: Value) -> float | None:
    """The gradient that is due to an object, by those written to its results."""
    if used is evidence.output:
        return 1.0
    users = evidence.users(used)
    if any(evidence.partials[Dependency(user, used)] is None for user in users):
        return None
    return _due(evidence, ledger.reached, used, users) + evidence.held.get(used, 0.0)


def _is_right(evidence: Evidence, ledger: PassLedger, used: Value) -> bool:
    end, true = ledger.ends.get(used, 0.0), evidence.true.get(used)
    held = evidence.held.get(used, 0.0)
    if true is not None and (close(end, true) or close(end, true + held)):
        return True
    partials = [evidence.partials[Dependency(user, used)] for user in evidence.users(used)]
    if any(partial is None for partial in partials):
        return True
    return close(end, _due(evidence, ledger.reached, used, evidence.users(used)) + held)


def _due(
    evidence: Evidence,
    grads: Mapping[Value, float],
    used: Value,
    users: Sequence[Value],
    known: dict[Value, float] | None = None,
) -> float:
    """What is due to an object from some of those computed from it.

    `known` are the gradients of results found so far: many paths may lead to one.
    """
    known = {} if known is None else known
    found = 0.0
    for user in users:
        if user not in known:
            known[user] = _grad(evidence, grads, user, known)
        found += (evidence.partials[Dependency(user, used)] or 0.0) * known[user]
    return found


def _grad(
    evidence: Evidence, grads: Mapping[Value, float], user: Value, known: dict[Value, float]
) -> float:
    """The gradient of a result; one without a name, that nobody writes, has what is due to it."""
    found = grads.get(user, 0.0)
    if found != 0 or user.label or user is evidence.output:
        return found
    return _due(evidence, grads, user, evidence.users(user), known)


def _of_object(
    evidence: Evidence, ledger: PassLedger, used: Value, entries: Sequence[LedgerWrite]
) -> Iterator[Fault]:
    """The fault of an object whose gradient is wrong at the end."""
    waiting = evidence.users(used)
    due = _due(evidence, ledger.reached, used, waiting) + evidence.held.get(used, 0.0)
    for entry in entries:
        node, first = entry.step.node, Dependency(waiting[0], used) if waiting else None
        matched = _match(evidence, entry.grads, used, waiting, entry.amount)
        if matched is None:
            kind, note = _kind(evidence, ledger, used, waiting, entry)
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


def _grew(ledger: PassLedger, entry: LedgerWrite, user: Value) -> bool:
    """Whether the gradient of a result changed after it was used."""
    return not close(entry.grads.get(user, 0.0), ledger.reached.get(user, 0.0))


def _match(
    evidence: Evidence,
    grads: Mapping[Value, float],
    used: Value,
    waiting: Sequence[Value],
    amount: float,
) -> tuple[Value, ...] | None:
    """The results from which an amount is due; all of them before some."""
    giving = [user for user in waiting if _due(evidence, grads, used, [user]) != 0]
    if amount == 0:
        return next(((user,) for user in waiting if user not in giving), None)
    for count in range(min(len(giving), MOST), 0, -1):
        for users in islice(combinations(giving, count), SUMS):
            if close(amount, _due(evidence, grads, used, users)):
                return users
    return None


def _kind(
    evidence: Evidence,
    ledger: PassLedger,
    used: Value,
    waiting: Sequence[Value],
    entry: LedgerWrite,
) -> tuple[str, str]:
    amount, grads = entry.amount, entry.grads
    if amount == 0 and (empty := _empty(evidence, entry, waiting)):
        return "upstream_missing", empty
    due = [_due(evidence, grads, used, users) for users in _groups(waiting)]
    if amount != 0 and any(close(amount, -x) for x in due):
        return "wrong_sign", ""
    for other in evidence.objects:
        theirs = _due(evidence, grads, other, evidence.users(other))
        is_theirs = other is not used and theirs != 0 and close(amount, theirs)
        if is_theirs and not close(ledger.ends.get(other, 0.0), theirs):
            return "wrong_variable", ""
    for user in waiting:
        partial = evidence.partials[Dependency(user, used)] or 0.0
        if close(amount, partial) and not close(grads.get(user, 0.0), 1.0):
            return "upstream_missing", ""
    read = _read(evidence, entry)
    for user in waiting:
        partial = evidence.partials[Dependency(user, used)] or 0.0
        for other in evidence.objects:
            grad = grads.get(other, 0.0)
            if other is not user and other.label in read and grad and close(amount, partial * grad):
                return "upstream_missing", other.label
    return "wrong_partial", ""


def _empty(evidence: Evidence, entry: LedgerWrite, waiting: Sequence[Value]) -> str:
    """The object with gradient 0 that a write reads in place of one that waits."""
    owners = {
        node.value.id
        for node in ast.walk(_whole(evidence, entry))
        if isinstance(node, ast.Attribute)
        and node.attr in GRADIENTS
        and isinstance(node.value, ast.Name)
        and isinstance(node.ctx, ast.Load)
    }
    named = {value.label: value for value in evidence.objects if value.label in owners}
    empty = [x for x, v in named.items() if v not in waiting and entry.grads.get(v, 0.0) == 0]
    return empty[0] if empty and not any(v.label in owners for v in waiting) else ""


def _whole(evidence: Evidence, entry: LedgerWrite) -> ast.AST:
    """The statement in which a gradient is the target."""
    node = entry.step.node
    for statement in ast.walk(evidence.run.source.tree):
        if isinstance(statement, ast.Assign) and node in statement.targets:
            return statement
    return node


def _groups(waiting: Sequence[Value]) -> Iterator[Sequence[Value]]:
    yield waiting
    for user in waiting:
        yield [user]


def _read(evidence: Evidence, entry: LedgerWrite) -> set[str]:
    return {node.id for node in ast.walk(_whole(evidence, entry)) if isinstance(node, ast.Name)}

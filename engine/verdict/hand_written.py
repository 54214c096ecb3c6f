"""What explains the amount of a gradient that is written by hand, where it is not what is due."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.record.model import RunNumber

from .evidence import Dependency, Evidence
from .ledger import LedgerWrite, PassLedger, close


@dataclass(frozen=True, slots=True, eq=False)
class HandWrite:
    """A write to `used`, whose results `waiting` have not given their contributions yet."""

    evidence: Evidence
    ledger: PassLedger
    used: RunNumber
    waiting: Sequence[RunNumber]
    entry: LedgerWrite

    def partials(self) -> Iterator[tuple[RunNumber, float]]:
        """The results that wait, each with its partial."""
        for user in self.waiting:
            yield user, self.evidence.partials[Dependency(user, self.used)] or 0.0


def negated(write: HandWrite) -> Iterator[str]:
    """Minus what is due from all results that wait, or from one."""
    evidence, entry = write.evidence, write.entry
    for users in (write.waiting, *([user] for user in write.waiting)):
        due = due_of(evidence, entry.grads, write.used, users)
        if entry.amount != 0 and close(entry.amount, -due):
            yield ""


def foreign(write: HandWrite) -> Iterator[str]:
    """What is due to another object, which does not get it."""
    evidence, entry = write.evidence, write.entry
    for other in evidence.objects:
        theirs = due_of(evidence, entry.grads, other, evidence.users(other))
        is_theirs = other is not write.used and theirs != 0 and close(entry.amount, theirs)
        if is_theirs and not close(write.ledger.ends.get(other, 0.0), theirs):
            yield ""


def without_upstream(write: HandWrite) -> Iterator[str]:
    """The partial alone, or times the gradient of another object, whose name is the note."""
    entry = write.entry
    if entry.amount == 0 and (empty := _empty(write)):
        yield empty
    for user, partial in write.partials():
        if close(entry.amount, partial) and not close(entry.grads.get(user, 0.0), 1.0):
            yield ""
    read = _read(write)
    for user, partial in write.partials():
        for other in write.evidence.objects:
            grad = entry.grads.get(other, 0.0)
            is_read = other is not user and other.label in read and grad
            if is_read and close(entry.amount, partial * grad):
                yield other.label


def due_of(
    evidence: Evidence,
    grads: Mapping[RunNumber, float],
    used: RunNumber,
    users: Sequence[RunNumber],
    known: dict[RunNumber, float] | None = None,
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
    evidence: Evidence,
    grads: Mapping[RunNumber, float],
    user: RunNumber,
    known: dict[RunNumber, float],
) -> float:
    """The gradient of a result; one without a name, that nobody writes, has what is due to it."""
    found = grads.get(user, 0.0)
    if found != 0 or user.label or user is evidence.output:
        return found
    return due_of(evidence, grads, user, evidence.users(user), known)


def _empty(write: HandWrite) -> str:
    """The object with gradient 0 that a write reads in place of one that waits."""
    owners = {
        node.value.id
        for node in ast.walk(_statement(write))
        if isinstance(node, ast.Attribute)
        and node.attr in write.evidence.run.source.gradients
        and isinstance(node.value, ast.Name)
        and isinstance(node.ctx, ast.Load)
    }
    named = {value.label: value for value in write.evidence.objects if value.label in owners}
    empty = [
        x for x, v in named.items() if v not in write.waiting and write.entry.grads.get(v, 0.0) == 0
    ]
    return empty[0] if empty and not any(v.label in owners for v in write.waiting) else ""


def _statement(write: HandWrite) -> ast.AST:
    """The statement in which a gradient is the target."""
    node = write.entry.step.node
    for statement in ast.walk(write.evidence.run.source.tree):
        if isinstance(statement, ast.Assign) and node in statement.targets:
            return statement
    return node


def _read(write: HandWrite) -> set[str]:
    """The names in a statement."""
    return {node.id for node in ast.walk(_statement(write)) if isinstance(node, ast.Name)}

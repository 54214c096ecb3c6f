"""Wrong amounts, and the kinds of mistakes that would explain one.

An explanation is a note for the sentence, empty where it needs none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.record.model import RunNumber

from .evidence import Dependency, Evidence
from .ledger import LedgerWrite, close
from .passes import Amount
from .terms import history, term_of

LAST_PART = "what came last"
"""The note of an amount that was made with the last part of the gradient of the result."""


@dataclass(frozen=True, slots=True, eq=False)
class WrongAmounts:
    """The writes of one run whose amounts are wrong, and the partials that are due to them."""

    entries: Sequence[LedgerWrite]
    partials: Sequence[float]


def wrong_amounts(
    evidence: Evidence,
    edge: Dependency,
    partial: float,
    run: Sequence[LedgerWrite],
    is_once: bool,
    is_only: bool,
) -> WrongAmounts | None:
    """What is wrong in one run by the upstream that it had; None if nothing is.

    An arg that is the operand of the operation once is to receive all in one write. A run that is
    not the only one may pass on the portion that came last.
    """
    first = run[0]
    made = sum(e.amount for e in run)
    scale = max(abs(e.amount) for e in run)
    rights = (partial * first.upstream, *([] if is_only else [partial * first.portion]))
    if any(close(made, right, scale) for right in rights):
        return None
    waiting, wrong = list(evidence.slots.get(edge) or [partial]), []
    for entry in run:
        match = next((p for p in waiting if close(entry.amount, p * entry.upstream)), None)
        if match is None:
            wrong.append(entry)
        else:
            waiting.remove(match)
    if not wrong and is_once and len(run) == 1:
        return WrongAmounts([first], [partial])
    return WrongAmounts(wrong, waiting if len(waiting) == len(wrong) else [partial] * len(wrong))


def negated(found: Amount) -> Iterator[str]:
    """Minus the right amount; the partial alone is that where all incoming gradients are -1."""
    if close(found.entry.amount, found.partial) and _is_of_data_alone(found):
        return
    if close(found.entry.amount, -found.partial * found.entry.upstream):
        yield ""


def _is_of_data_alone(found: Amount) -> bool:
    """Whether what a write adds is followed, and was computed from no gradient."""
    term, written = term_of(found.entry), found.places.written
    return isinstance(term, RunNumber) and not any(id(x) in written for x in history(term))


def of_a_gradient(found: Amount) -> Iterator[str]:
    """A product with the gradient of an operand, whose place in the text is the note."""
    call, evidence = found.entry.call, found.evidence
    value = getattr(found.places.statement(found.entry.step.node), "value", None)
    if call is None or value is None:
        return
    args = [evidence.objects[arg] for arg in evidence.args.get(found.edge.user, ())]
    target = _target(found.places.statement(found.entry.step.node))
    read = [
        (node.value.id, node.attr)
        for node in ast.walk(value)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]
    if any(
        attr not in found.places.gradient_names and name in call.variables for name, attr in read
    ):
        return  # with a number beside it, it stands in the place of the result's
    for name, attr in read:
        o = call.variables.get(name)
        if any(o is arg for arg in args) and name != target:
            yield f"`{name}.{attr}`"


def _target(statement: ast.AST) -> str:
    """The name of the object whose gradient an assignment sets: it may read it to add to it."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]):
            return name
    return ""


def without_upstream(found: Amount) -> Iterator[str]:
    """The partial alone, or times the gradient of another object, whose variable is the note."""
    entry, partial = found.entry, found.partial
    if close(entry.amount, partial):
        yield ""
    if close(entry.amount, partial * entry.portion):
        yield LAST_PART
    for name, o in (entry.call.variables if entry.call else {}).items():
        other = found.evidence.value_of(o)
        if other is None or other is found.edge.user:
            continue
        if close(entry.amount, partial * entry.grads.get(other, 0.0)):
            yield name


def foreign(found: Amount) -> Iterator[str]:
    """What is due to another arg, or made with its number."""
    if _is_due_to_another(found) or _holds_number_of_another(found):
        yield ""


def _is_due_to_another(found: Amount) -> bool:
    evidence, edge, entry = found.evidence, found.edge, found.entry
    for other in evidence.args.get(edge.user, ()):
        theirs = evidence.partials.get(Dependency(edge.user, other))
        if other is edge.used or theirs is None:
            continue
        is_theirs = close(entry.amount, theirs * entry.upstream)
        if is_theirs and not found.ledger.of(Dependency(edge.user, other)):
            return True
    return False


def _holds_number_of_another(found: Amount) -> bool:
    """Whether an amount holds the number of one arg where that of another is due.

    A loop that defines functions does this: all of them see its variable's last value.
    """
    edge = found.edge
    args = [arg for arg in found.evidence.args.get(edge.user, ()) if arg is not edge.used]
    if len(args) < 2 or not any(close(found.partial, arg.data) for arg in args):
        return False
    return any(close(found.entry.amount, arg.data * found.entry.upstream) for arg in args)


def anything_else(found: object) -> Iterator[str]:
    """A wrong factor explains every amount."""
    yield ""

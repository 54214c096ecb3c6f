"""Why what came along an edge in all is not what was due, although each amount may be right."""

from __future__ import annotations

from .evidence import Dependency
from .fault import Fault
from .ledger import LedgerWrite
from .missing import is_recorded
from .passes import WrongTotal


def received_once(total: WrongTotal) -> Fault | None:
    """An arg that is used twice receives once."""
    last = total.partial
    if last is None:
        return None
    after = last.step.after
    return Fault(
        total.places.of_function(total.edge.user, last),
        at=last.step.at + 0.5,
        value=total.edge.used,
        written=after,
        due=after + total.due - total.made,
        entry=last,
        edge=total.edge,
    )


def late_for_want_of_a_record(total: WrongTotal) -> Fault | None:
    """A use of the result that does not record it, so that it could run after the operation."""
    late = _unrecorded_use(total)
    if late is None or late.user is None:
        return None
    first = total.runs[0][0]
    due = first.step.after - total.made + total.due
    place = total.places.of_birth(late.user)
    return Fault.at_entry(first, place, due, Dependency(late.user, total.edge.user))


def _unrecorded_use(total: WrongTotal) -> LedgerWrite | None:
    """A contribution to the result of an operation after this ran, from what does not record it."""
    user, ran = total.edge.user, total.runs[0][0].step.at
    for entry in total.ledger.entries:
        is_late = entry.used is user and entry.step.at > ran and entry.kind == "contribution"
        if is_late and entry.user and not is_recorded(total.evidence, entry.user, user):
            return entry
    return None


def ran_twice(total: WrongTotal) -> Fault | None:
    """The operation ran again, on the same gradient."""
    if total.partial or len(total.runs) < 2 or _is_recursive(total.runs[1][0]):
        return None
    return _again(total)


def ran_too_early(total: WrongTotal) -> Fault | None:
    """The operation ran before the gradient of its result was complete."""
    if _unrecorded_use(total):
        return None
    if total.partial or (len(total.runs) > 1 and not _is_recursive(total.runs[1][0])):
        return None
    if len(total.runs) > 1:
        return _again(total)
    first = total.runs[0][0]
    due = first.step.after - total.made + total.due
    return Fault.at_entry(first, total.places.of_call(first), due, total.edge)


def _again(total: WrongTotal) -> Fault:
    again = total.runs[1][0]
    due = again.step.after - again.amount
    return Fault.at_entry(again, total.places.of_call(again), due, total.edge)


def _is_recursive(entry: LedgerWrite) -> bool:
    """Whether the pass follows the edges by recursion, so that it runs before all has come."""
    nodes = [call.node for call in entry.step.calls]
    return len(nodes) != len(set(nodes))

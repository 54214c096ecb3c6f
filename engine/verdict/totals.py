"""Why what came along an edge in all is not what was due, although each amount may be right."""

from __future__ import annotations

from .fault import Fault
from .ledger import LedgerWrite
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


def ran_twice(total: WrongTotal) -> Fault | None:
    """The operation ran again, on the same gradient."""
    if total.partial or len(total.runs) < 2 or _is_recursive(total.runs[1][0]):
        return None
    return _again(total)


def ran_too_early(total: WrongTotal) -> Fault | None:
    """The operation ran before the gradient of its result was complete."""
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

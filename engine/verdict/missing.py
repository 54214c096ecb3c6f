"""Why nothing came along an edge: the function was called at once, or never, or wrote elsewhere."""

from __future__ import annotations

from engine.value import Value

from .evidence import Edge, Evidence
from .fault import Fault
from .ledger import Entry, Ledger, close
from .objects import parts_of
from .places import Places


def missing(evidence: Evidence, ledger: Ledger, places: Places, edge: Edge, due: float) -> Fault:
    """Why nothing came along an edge."""
    user, used = edge
    at = places.ready(user)
    grad = ledger.reached.get(used, 0.0)
    called = places.called_at_once(user)
    if called is not None:
        return Fault("called_not_stored", called, at, used, grad, grad + due, None, edge)
    mine = [e for e in ledger.entries if e.user is user]
    strays = [e for e in ledger.entries if e.kind == "other" and _in_run(evidence, places, e, user)]
    twice = [e for e in mine if len(ledger.of(Edge(user, e.used or user))) > 1]
    for entry in strays:
        return Fault(
            "wrong_variable", places.of_write(entry), entry.step.at, used, grad, grad + due,
            entry, edge,
        )  # fmt: skip
    for entry in twice:
        arg_count = len(evidence.slots.get(Edge(user, entry.used or user), [0]))
        if len(ledger.of(Edge(user, entry.used or user))) > arg_count:
            wrong = _odd_one(evidence, ledger, entry, due)
            return Fault(
                "wrong_variable", places.of_write(wrong), wrong.step.at, used, grad, grad + due,
                wrong, edge,
            )  # fmt: skip
    if mine and all(e.amount == 0 for e in mine):
        first = mine[0]
        return Fault(
            "order", places.of_call(first), first.step.at, used, grad, grad + due, first, edge
        )
    if not is_recorded(evidence, user, used) and places.is_shared_pass():
        kind = "contribution_missing" if _holds_some(evidence, user) else "unreachable"
        return Fault(kind, places.of_birth(user), at, used, grad, grad + due, None, edge)
    if mine or places.ran(user):
        last = mine[-1] if mine else None
        return Fault(
            "contribution_missing", places.of_function(user, last), at, used, grad, grad + due,
            last, edge,
        )  # fmt: skip
    return _never_ran(evidence, ledger, places, edge, due)


def _odd_one(evidence: Evidence, ledger: Ledger, entry: Entry, due: float) -> Entry:
    """The write that brought to one arg what was due to another."""
    same = ledger.of(Edge(entry.user or entry.step.of, entry.used))  # type: ignore[arg-type]
    return next((e for e in reversed(same) if close(e.amount, due)), same[-1])


def _in_run(evidence: Evidence, places: Places, entry: Entry, user: Value) -> bool:
    """Whether a write to another object was made by the function of `user`."""
    if entry.call is None or entry.step.after == 0:
        return False
    held = [evidence.value_of(o) for o in entry.call.variables.values()]
    results = [v for v in held if v is not None and v in evidence.args]
    return user in results and max(results, key=lambda v: v.serial) is user


def _never_ran(evidence: Evidence, ledger: Ledger, places: Places, edge: Edge, due: float) -> Fault:
    user, used = edge
    at = places.ready(user)
    grad = ledger.reached.get(used, 0.0)
    if places.has_function(user):
        for consumer in evidence.users(user):
            if not is_recorded(evidence, consumer, user):
                return Fault(
                    "unreachable", places.of_birth(consumer), at, used, grad, grad + due, None,
                    Edge(consumer, user),
                )  # fmt: skip
        return Fault("unreachable", places.driver(), at, used, grad, grad + due, None, edge)
    if places.has_functions():
        return Fault(
            "contribution_missing", places.of_birth(user), at, used, grad, grad + due, None, edge
        )
    if not is_recorded(evidence, user, used) or _is_nowhere(evidence, ledger, user):
        return Fault("unreachable", places.of_birth(user), at, used, grad, grad + due, None, edge)
    for consumer in evidence.users(user):
        if not is_recorded(evidence, consumer, user):
            return Fault(
                "unreachable", places.of_birth(consumer), at, used, grad, grad + due, None, edge
            )
    return Fault(
        "contribution_missing", places.of_function(user, None), at, used, grad, grad + due, None,
        edge,
    )  # fmt: skip


def _is_nowhere(evidence: Evidence, ledger: Ledger, user: Value) -> bool:
    """Whether an operation is in no record at all: neither in objects nor on a tape."""
    return not _leads(evidence) and not any(e.user is user for e in ledger.entries)


def _leads(evidence: Evidence) -> bool:
    """Whether objects lead to those that they were computed from."""
    return any(
        any(part is evidence.objects.get(arg) for part in parts_of(evidence.objects[value]))
        for value, args in evidence.args.items()
        for arg in args
    )


def _holds_some(evidence: Evidence, user: Value) -> bool:
    """Whether an object leads to any of those that it was computed from."""
    parts = [id(part) for part in parts_of(evidence.objects[user])]
    return any(id(evidence.objects[arg]) in parts for arg in evidence.args[user])


def is_recorded(evidence: Evidence, user: Value, used: Value) -> bool:
    """Whether the object of `user` leads to that of `used` by its attributes.

    True as well if no object of the picture leads to any other.
    """
    o, wanted = evidence.objects[user], evidence.objects[used]
    if any(part is wanted for part in parts_of(o)):
        return True
    return not _leads(evidence)

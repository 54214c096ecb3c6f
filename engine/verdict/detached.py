"""Numbers taken from objects on purpose, through which no gradient is due.

A number read inside an operator of the class is part of the operation. One that is read in the
learner's own lines, as in `3.0 * x.data`, or that a method hands out as a new object, is a
constant, as after `detach()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.record.model import RecordedCall, RecordedObject, RunNumber

from .evidence import Dependency, Evidence
from .ledger import PassLedger
from .places import FaultLocator


def detached(evidence: Evidence, ledger: PassLedger) -> Iterator[Dependency]:
    """The edges along which nothing is due."""
    places = FaultLocator(evidence, ledger)
    recording = {_way(places, user) for user in evidence.args if _records_all(evidence, user)}
    for edge in evidence.partials:
        if ledger.of(edge) or _is_recorded(evidence, edge):
            continue
        parts = evidence.objects[edge.user].parts
        way = _way(places, edge.user)
        if way and not parts and way in recording:
            yield edge  # the class was told not to record: no_grad
            continue
        if evidence.witness.copies.get(edge.user) is edge.used:
            is_constant = not _is_copied_operand(evidence, places, edge)
        else:
            is_constant = _is_later(evidence, edge) or is_read_outside(evidence, places, edge)
        if is_constant:
            yield edge


def _is_recorded(evidence: Evidence, edge: Dependency) -> bool:
    wanted = evidence.objects[edge.used]
    return any(part is wanted for part in evidence.objects[edge.user].parts)


def _records_all(evidence: Evidence, user: RunNumber) -> bool:
    """Whether an object leads to all that its number was computed from."""
    parts = {id(part) for part in evidence.objects[user].parts}
    return bool(parts) and all(id(evidence.objects[arg]) in parts for arg in evidence.args[user])


def _way(places: FaultLocator, value: RunNumber) -> tuple[ast.AST, ...]:
    """The statements of the class, and below, by which an object was made."""
    calls = places.calls_at(value)
    depth = [at for at, call in enumerate(calls) if places.is_in_class(call.node)]
    return tuple(call.at for call in calls[: depth[-1] + 1]) if depth else ()


def _is_later(evidence: Evidence, edge: Dependency) -> bool:
    """Whether a number was made after another had got its gradient: in a next step."""
    used, user = evidence.objects[edge.used], evidence.objects[edge.user]
    log, at = evidence.witness.log, evidence.births.get(id(user), 0)
    last = evidence.written.get(id(used), at)
    return last < at and getattr(log[at], "is_start", False)


def is_read_outside(evidence: Evidence, places: FaultLocator, edge: Dependency) -> bool:
    """Whether a number was computed from another's in the learner's own lines.

    These are lines of the module, and of functions that do not make the object: an operator is
    handed the number.
    """
    scene = evidence.run.scene
    if scene is None or scene.kind != "backward" or edge.user.op is None:
        return False
    inside = places.function_of(edge.user.node)
    if inside is None:
        return True
    maker = places.maker(edge.user)
    is_made_there = maker is not None and maker.node is inside
    return not is_made_there and not places.is_in_class(inside)


def _is_copied_operand(evidence: Evidence, places: FaultLocator, edge: Dependency) -> bool:
    """Whether an operator copies the number of an operand, and computes its result from that.

    A method that copies its own object is asked to, by whatever name: `detach()`.
    """
    maker = places.maker(edge.user)
    if maker is None or _is_of(maker, evidence.objects[edge.used], places):
        return _is_named(evidence, edge.user)
    around = {call.serial: call for call in places.calls_at(edge.user)}
    for user in evidence.users(edge.user):
        shared = [around[c.serial] for c in places.calls_at(user) if c.serial in around]
        if any(places.is_operator(call.node) for call in shared):
            return True
        if maker in shared and _reads(maker, evidence, edge.used):
            return True
    return _is_named(evidence, edge.user)


def _is_of(call: RecordedCall, o: RecordedObject, places: FaultLocator) -> bool:
    """Whether a call is that of a method of an object, but of no operator."""
    args = getattr(call.node, "args", None)
    is_method = places.is_in_class(call.node) and args is not None and bool(args.args)
    return (
        is_method
        and not places.is_operator(call.node)
        and call.variables.get(args.args[0].arg) is o  # type: ignore[union-attr]
    )


def _is_named(evidence: Evidence, value: RunNumber) -> bool:
    """Whether a number is the result of an operator, or of a method whose name is an operation."""
    o = evidence.objects[value]
    return any(made.result is o for made in evidence.witness.made)


def _reads(call: RecordedCall, evidence: Evidence, used: RunNumber) -> bool:
    """Whether the statement that a call runs reads an attribute of an object."""
    o = evidence.objects[used]
    names = {name for name, held in call.variables.items() if held is o}
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        for node in ast.walk(call.at)
    )

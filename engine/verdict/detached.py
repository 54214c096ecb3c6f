"""Numbers taken from objects on purpose, through which no gradient is due.

A number read inside an operator of the class is part of the operation. One that is read in the
learner's own lines, as in `3.0 * x.data`, or that a method hands out as a new object, is a
constant, as after `detach()`.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence

from engine.named_ops import SIGNS, op_named
from engine.record.attribute_names import BACKWARD
from engine.record.model import RecordedCall, RecordedObject, RunNumber

from .evidence import Dependency, Evidence
from .ledger import PassLedger
from .places import FaultLocator

_TARGET = re.compile(r"(?i)(?:targ(?:et)?s?|labels?|y_?true)\d*$")


def detached(evidence: Evidence, ledger: PassLedger) -> Iterator[Dependency]:
    """The edges along which nothing is due."""
    places = FaultLocator(evidence, ledger)
    recording = {_way(places, user) for user in evidence.args if _records_all(evidence, user)}
    for edge in evidence.partials:
        if ledger.of(edge):
            continue
        if _is_target(ledger, edge.used):
            yield edge
            continue
        if _is_recorded(evidence, edge):
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


def _is_target(ledger: PassLedger, leaf: RunNumber) -> bool:
    """Whether a leaf is what a loss compares with, by its name, and receives nothing at all."""
    is_named = leaf.op is None and bool(_TARGET.match(leaf.label or ""))
    return is_named and not any(e.used is leaf and e.amount for e in ledger.entries)


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
    found = list(readers(evidence, edge))
    return bool(found) and all(_reads_outside(evidence, places, edge, x) for x in found)


def readers(evidence: Evidence, edge: Dependency) -> Iterator[RunNumber]:
    """The numbers on the way to an object's that were computed from the other's directly."""
    todo, seen = [edge.user], {edge.user}
    while todo:
        x = todo.pop()
        if any(arg is edge.used for arg in x.args):
            yield x
        fresh = [arg for arg in x.args if arg not in evidence.objects and arg not in seen]
        seen.update(fresh)
        todo += fresh


def _reads_outside(
    evidence: Evidence, places: FaultLocator, edge: Dependency, reader: RunNumber
) -> bool:
    inside = places.function_of(reader.node)
    if inside is None:
        return True
    maker = places.maker(edge.user)
    if not (maker is not None and maker.node is inside) and not places.is_in_class(inside):
        return True
    calls = list(places.calls_at(edge.user))
    while calls and calls[0].node is not inside:
        del calls[0]
    return bool(calls) and not _is_read(evidence, places, edge, calls, _operand(reader, edge))


def _operand(reader: RunNumber, edge: Dependency) -> ast.AST:
    """The part of an operation's text that stands for one of its args, if that can be told."""
    at = [at for at, arg in enumerate(reader.args) if arg is edge.used]
    match reader.node:
        case ast.BinOp(left=left, right=right) if len(reader.args) == 2 and len(at) == 1:
            return (left, right)[at[0]]
    return reader.node


def _is_copied_operand(evidence: Evidence, places: FaultLocator, edge: Dependency) -> bool:
    """Whether an operator copies the number of an operand, and computes its result from that.

    A method that copies its own object is asked to, by whatever name: `detach()`.
    """
    maker = places.maker(edge.user)
    if maker is None or _is_of(maker, evidence.objects[edge.used], places):
        return _is_named(evidence, edge.user)
    if not _is_read(evidence, places, edge, places.calls_at(edge.user)):
        return False  # `x * x.data`: the operator wraps the number that it is handed
    around = {call.serial: call for call in places.calls_at(edge.user)}
    for user in evidence.users(edge.user):
        shared = [around[c.serial] for c in places.calls_at(user) if c.serial in around]
        if any(places.is_operator(call.node) for call in shared):
            return True
        if maker in shared and _reads(maker, evidence, edge.used):
            return True
    return _is_named(evidence, edge.user)


def _is_read(
    evidence: Evidence,
    places: FaultLocator,
    edge: Dependency,
    calls: Sequence[RecordedCall],
    node: ast.AST | None = None,
) -> bool:
    """Whether an operator reads the number, from whose calls it goes outwards as a parameter."""
    both = {id(evidence.objects[edge.used]), id(evidence.objects[edge.user])}
    inner = [at for at, call in enumerate(calls) if _is_of_values(places, call.node)]
    for call in calls[: max(inner, default=0) + 1]:
        held = {name: id(o) for name, o in call.variables.items()}
        for name in _attributes(node or call.at, call.node):
            if held.get(name) in both or name not in held.keys() | _params(call.node):
                return True
            if _assigned(name, call.node):
                return True
        node = None
    return False


def _is_of_values(places: FaultLocator, function: ast.AST) -> bool:
    """Whether a method is of no class that only uses objects with gradients, as a neuron does."""
    around = places.class_of(function)
    classes = places.evidence.run.source.each(ast.ClassDef)
    todo, seen = [around], set()
    while todo:
        found = todo.pop()
        if found is None or found in seen:
            continue
        seen.add(found)
        for part in found.body:
            name = getattr(part, "name", "").strip("_")
            if name in BACKWARD or name in SIGNS or op_named(name) is not None:
                return True
        named = {base.id for base in found.bases if isinstance(base, ast.Name)}
        todo += [part for part in classes if part.name in named]
    return False


def _params(function: ast.AST) -> set[str]:
    args = getattr(function, "args", None)
    return {arg.arg for arg in args.args} if isinstance(args, ast.arguments) else set()


def _attributes(node: ast.AST, function: ast.AST) -> Iterator[str]:
    """What a node reads attributes of, itself or by its names: a name, or "" for anything else."""
    todo, seen = [node], set()
    while todo:
        part = todo.pop()
        match part:
            case ast.Call(func=ast.Name(id="getattr" | "float"), args=[ast.Name(id=name), *_]):
                yield name
            case ast.Call(func=ast.Attribute(value=owner), args=args, keywords=keywords):
                todo += [owner, *args, *keywords]
                continue
            case ast.Attribute(value=value, ctx=ast.Load()):
                yield value.id if isinstance(value, ast.Name) else ""
            case ast.Name(id=name, ctx=ast.Load()) if name not in seen:
                seen.add(name)
                todo += _assigned(name, function, part.lineno)
        todo += ast.iter_child_nodes(part)


def _assigned(name: str, function: ast.AST, line: float = math.inf) -> list[ast.expr]:
    """What a function assigns to a name, before a line."""
    return [
        part.value
        for part in ast.walk(function)
        if isinstance(part, ast.Assign)
        and part.lineno < line
        and any(isinstance(target, ast.Name) and target.id == name for target in part.targets)
    ]


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

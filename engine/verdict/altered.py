"""Writes of a pass that clip, scale or clear what an object has received in the same pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.record.model import RunNumber

from .evidence import Evidence
from .fault import Fault
from .ledger import LedgerWrite, PassLedger, close
from .passes import Pass

LIMITING = frozenset({"min", "max", "clip", "round", "abs"})
"""Functions that give back what they are given, or less."""

FIRST = -0.5
"""Before all writes of a pass: what comes later follows from it."""


def altered(seen: Pass) -> Iterator[Fault]:
    """A gradient that the class changes once it has been received, so that it ends wrong."""
    scene = seen.evidence.run.scene
    if scene is not None and scene.kind == "backward":
        found = list(_altered(seen))
        yield from [fault for fault in found if fault.value and fault.value.label][:1] or found[:1]


def _altered(seen: Pass) -> Iterator[Fault]:
    received: set[RunNumber] = set()
    for entry in seen.ledger.entries:
        used, before = entry.used, entry.step.before
        if used is None or not entry.step.calls:
            continue
        has_changed = used in received and not close(entry.step.after, before)
        if has_changed and _is_in_class(seen, entry) and _is_wrong(seen, used):  # noqa: SIM102
            if _alters(seen, entry) or (entry.kind == "reset" and _counts(seen, entry)):
                place = seen.places.statement(entry.step.node)
                yield Fault(
                    place, at=FIRST, value=used, written=entry.step.after, due=before, entry=entry
                )
        if entry.kind == "contribution" and entry.amount != 0:
            received.add(used)


def _is_in_class(seen: Pass, entry: LedgerWrite) -> bool:
    """Whether the class itself writes, or a function that passes gradients on."""
    inside = entry.step.calls[0]
    return seen.places.is_in_class(inside.node) or any(
        other.call is not None and other.call.serial == inside.serial
        for other in seen.ledger.entries
        if other.kind == "contribution"
    )


def _is_wrong(seen: Pass, value: RunNumber) -> bool:
    true, held = seen.evidence.true.get(value), seen.evidence.held.get(value, 0.0)
    if true is None:
        return False
    end, seed = seen.ledger.ends.get(value, 0.0), seen.ledger.seed or 1.0
    return not close(end, true * seed) and not close(end, true * seed + held)


def _alters(seen: Pass, entry: LedgerWrite) -> bool:
    """Whether a statement computes a gradient from itself, and adds nothing to it."""
    match seen.places.statement(entry.step.node):
        case ast.AugAssign(op=op):
            return not isinstance(op, ast.Add | ast.Sub)
        case ast.Assign(targets=[ast.Attribute(attr=attr) as target], value=value):
            return attr in seen.places.gradient_names and _is_part(value, ast.unparse(target))
    return False


def _is_part(value: ast.expr, target: str) -> bool:
    """Whether an expression scales or limits the gradient of that name."""
    match value:
        case ast.Attribute():
            return ast.unparse(value) == target
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            return _is_part(left, target) or _is_part(right, target)
        case ast.UnaryOp(operand=operand):
            return _is_part(operand, target)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
            return name in LIMITING and any(_is_part(arg, target) for arg in args)
    return False


def _counts(seen: Pass, reset: LedgerWrite) -> bool:
    """Whether what is cleared is missed: by the operation that passes it on, or in a leaf."""
    value = reset.used
    if not _is_constant(getattr(seen.places.statement(reset.step.node), "value", None)):
        return False
    later = [entry for entry in seen.ledger.entries if entry.step.at > reset.step.at]
    if value is None or any(entry.used is value for entry in later):
        return False
    if not seen.evidence.args.get(value):
        o = seen.evidence.objects[value]
        return not any(
            changed is o and seen.evidence.begins < at <= reset.step.at
            for at, changed, _ in seen.evidence.witness.updated
        )
    return any(entry.user is value and entry.upstream == 0 for entry in later)


def _is_constant(value: ast.expr | None) -> bool:
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return _is_constant(body) and _is_constant(orelse)
        case ast.Call(args=[inner]):
            return _is_constant(inner)  # np.float64(0)
    return isinstance(value, ast.Constant)


def cleared(evidence: Evidence, ledger: PassLedger) -> list[RunNumber]:
    """The leaves whose gradients a pass has computed and set to 0 again."""
    return [
        value
        for value in evidence.objects
        if not evidence.args.get(value)
        and ledger.ends.get(value, 0.0) == 0 != ledger.reached.get(value, 0.0)
    ]

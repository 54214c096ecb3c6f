"""Why nothing came along an edge: the function was called at once, or never, or wrote elsewhere."""

from __future__ import annotations

import ast
from dataclasses import replace

from engine.record.model import BegunCall, RecordedObject, RunNumber

from .detached import readers
from .evidence import Dependency, Evidence
from .fault import Fault
from .ledger import LedgerWrite, close
from .passes import SilentEdge
from .places import FaultLocator
from .syntax import INITS, operand_in


def called_at_once(silent: SilentEdge) -> Fault | None:
    """The function was called where it should have been stored."""
    called = silent.places.called_at_once(silent.edge.user)
    return None if called is None else silent.fault(called)


def copied(silent: SilentEdge) -> Fault | None:
    """An operator computed with a copy of its operand."""
    evidence, (user, used) = silent.evidence, silent.edge
    o, wanted = evidence.objects[user], evidence.objects[used]
    if any(x is wanted for x in o.parts):
        return None
    for part in o.parts:
        if evidence.witness.copies.get(part.number) is used:
            return silent.fault(_made_at(silent, part) or silent.places.of_birth(user))
    if evidence.witness.copies.get(user) is not used:
        return _computed_before(silent)
    if any(made.result is o for made in evidence.witness.made):
        return None  # an operation whose number is that of an operand: relu
    return silent.fault(silent.places.of_birth(user))


def _made_at(silent: SilentEdge, part: RecordedObject) -> ast.AST | None:
    """The statement of an operator that made an object which it records."""
    at = silent.evidence.births.get(id(part))
    calls = silent.evidence.witness.writes.get(at, ()) if at is not None else ()
    return next((call.at for call in calls if call.name not in INITS), None)


def _computed_before(silent: SilentEdge) -> Fault | None:
    """The line of an operator that hands another one a number in place of an operand."""
    evidence, places, user = silent.evidence, silent.places, silent.edge.user
    born = places.function_of(places.of_birth(user))
    for reader in readers(evidence, silent.edge) if not evidence.objects[user].parts else ():
        place = places.statement(reader.node)
        if places.function_of(place) is not born and places.is_in_operator(place):
            return silent.fault(place)
    return None


def object_written(silent: SilentEdge) -> Fault | None:
    """The function of the operation writes a product with an object, which is no number."""
    wanted = silent.evidence.objects[silent.edge.used]
    for begun in silent.places.runs(silent.edge.user):
        for node in ast.walk(begun.node):
            if not isinstance(node, ast.Assign | ast.AugAssign) or node.value is None:
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_is_gradient_of(silent, target, begun, wanted) for target in targets):
                name = operand_in(node.value, begun.variables)
                if name:
                    return replace(silent.fault(node), note=f"`{name}`")
    return None


def _is_gradient_of(silent: SilentEdge, target: ast.expr, begun: BegunCall, wanted: object) -> bool:
    match target:
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            return attr in silent.places.gradient_names and begun.variables.get(name) is wanted
    return False


def written_elsewhere(silent: SilentEdge) -> Fault | None:
    """What was due came to another object, or to another arg on top of its own."""
    entry = next((e for e in silent.ledger.entries if _is_stray(silent, e)), None)
    entry = entry or next(
        (_odd_one(silent, e) for e in silent.writes if _is_extra(silent, e)), None
    )
    if entry is None:
        return None
    place = silent.places.of_write(entry)
    if entry.used is None and _serves_all(silent, place):
        return silent.fault(silent.places.of_birth(silent.edge.user))  # it records other objects
    if place is silent.places.statement(entry.step.node) and is_unknown_operand(silent):
        return None
    return silent.fault(place, entry, entry.step.at)


def _serves_all(silent: SilentEdge, place: ast.AST) -> bool:
    """Whether a write stands in a function that neither makes the result nor is made beside it."""
    places = silent.places
    inside, maker = places.function_of(place), places.maker(silent.edge.user)
    return inside is not None and maker is not None and not _is_within(places, inside, maker.node)


def _is_within(places: FaultLocator, inside: ast.AST | None, function: ast.AST) -> bool:
    while inside is not None and inside is not function:
        inside = places.function_of(places.parents.get(inside))
    return inside is function


def _is_stray(silent: SilentEdge, entry: LedgerWrite) -> bool:
    """Whether a write to another object was made by the function of the operation."""
    if entry.kind != "other" or entry.call is None or entry.step.after == 0:
        return False
    evidence, user = silent.evidence, silent.edge.user
    held = [evidence.value_of(o) for o in entry.call.variables.values()]
    results = [v for v in held if v is not None and v in evidence.args]
    return user in results and max(results, key=lambda v: v.serial) is user


def _is_extra(silent: SilentEdge, entry: LedgerWrite) -> bool:
    """Whether the arg of a write received more often than it is an operand."""
    edge = Dependency(silent.edge.user, entry.used or silent.edge.user)
    return len(silent.ledger.of(edge)) > max(1, len(silent.evidence.slots.get(edge, [0])))


def _odd_one(silent: SilentEdge, entry: LedgerWrite) -> LedgerWrite:
    """The write that brought to one arg what was due to another."""
    same = silent.ledger.of(Dependency(silent.edge.user, entry.used or silent.edge.user))
    return next((e for e in reversed(same) if close(e.amount, silent.due)), same[-1])


def ran_on_zero(silent: SilentEdge) -> Fault | None:
    """The operation ran while the gradient of its result was 0."""
    writes = silent.writes
    if not writes or any(e.amount != 0 for e in writes):
        return None
    return silent.fault(silent.places.of_call(writes[0]), writes[0], writes[0].step.at)


def never_reached(silent: SilentEdge) -> Fault | None:
    """The operands are not recorded, so that the pass does not come to the operation."""
    evidence, places, (user, used) = silent.evidence, silent.places, silent.edge
    if is_unknown_operand(silent):
        return silent.fault(places.recorded_at(user))
    if _is_left_out(silent):
        return None if _holds_some(evidence, user) else silent.fault(places.recorded_at(user))
    if silent.writes or places.ran(user):
        return None
    cut = next((c for c in evidence.users(user) if not is_recorded(evidence, c, user)), None)
    if places.has_function(user):
        if cut is None:
            return silent.fault(places.driver())
        return silent.fault(places.of_birth(cut), edge=Dependency(cut, user))
    if places.has_functions():
        return None
    if not is_recorded(evidence, user, used) or not _leads(evidence):
        return silent.fault(places.recorded_at(user))
    return None if cut is None else silent.fault(places.of_birth(cut))


def is_unknown_operand(silent: SilentEdge) -> bool:
    """Whether an operation records other operands alone, and its function knows no others."""
    evidence, (user, used) = silent.evidence, silent.edge
    if not _holds_some(evidence, user) or is_recorded(evidence, user, used):
        return False
    wanted = evidence.objects[used]
    return bool(silent.writes) and not any(
        o is wanted for e in silent.writes if e.call for o in e.call.variables.values()
    )


def left_out(silent: SilentEdge) -> Fault:
    """The operation never gives this operand its part."""
    places, user, writes = silent.places, silent.edge.user, silent.writes
    has_run = writes or places.ran(user)
    is_beside = not silent.evidence.run.source.stores_gradients
    if is_beside or _is_left_out(silent) or (not has_run and places.has_functions()):
        return silent.fault(places.recorded_at(user))
    last = writes[-1] if writes else None
    return silent.fault(places.of_function(user, last), last)


def _is_left_out(silent: SilentEdge) -> bool:
    """Whether the operand is not recorded, in a class whose one function serves all operations."""
    is_known = is_recorded(silent.evidence, *silent.edge)
    return not is_known and silent.places.is_shared_pass()


def _leads(evidence: Evidence) -> bool:
    """Whether objects lead to those that they were computed from."""
    return any(
        any(part is evidence.objects.get(arg) for part in evidence.objects[value].parts)
        for value, args in evidence.args.items()
        for arg in args
    )


def _holds_some(evidence: Evidence, user: RunNumber) -> bool:
    """Whether an object leads to any of those that it was computed from."""
    parts = [id(part) for part in evidence.objects[user].parts]
    return any(id(evidence.objects[arg]) in parts for arg in evidence.args[user])


def is_recorded(evidence: Evidence, user: RunNumber, used: RunNumber) -> bool:
    """Whether the object of `user` leads to that of `used` by its attributes.

    True as well if no object of the picture leads to any other.
    """
    o, wanted = evidence.objects[user], evidence.objects[used]
    if any(part is wanted for part in o.parts):
        return True
    return not _leads(evidence)

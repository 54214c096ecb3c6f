"""The verdict on one scene of a program: see the package."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.caches import Cache, store
from engine.program import Program, RecordedRun
from engine.record.model import RecordedCall, RunNumber

from .altered import cleared
from .arithmetic import arithmetic
from .built_in import judge_built_in
from .by_hand import by_hand, due_by_hand, has_literals
from .causes import Cause, causes
from .detached import detached
from .evidence import Dependency, Evidence, connect, evidence_of
from .faults import Findings, Observed, findings
from .kinds import KINDS
from .ledger import BY_HAND, LedgerWrite, PassLedger, close, keep
from .model import Judged, Mistake, Running, Verdict
from .places import FaultLocator
from .points import drawn, elsewhere, others
from .sentences import mistake_of
from .syntax import Syntax
from .unjudged import because, constants, later, not_recognised, not_seen, without_pass
from .whole import left_over

MISTAKES = 20
"""Mistakes that are listed."""
WRITTEN = frozenset({"contribution", "seed", "other", "copy"})
"""Kinds of entries that give an object a gradient."""
WHOLE = frozenset(kind.name for kind in KINDS.values() if kind.detect.whole)
"""Kinds that are wrong with a pass as a whole."""
OPERATIONS = 5_000
"""Runs that compute more numbers are not repeated at other points."""
OBJECTS = 1500
"""Scenes of more objects are not judged at other points."""
STORED = 20_000
"""What is found there in longer runs is not stored: it takes 50 bytes an operation and point."""


class JudgedPoint(NamedTuple):
    """One point: its evidence, ledger and findings."""

    evidence: Evidence
    ledger: PassLedger
    found: Findings


_elsewhere: Cache[Sequence[JudgedPoint]] = store("other points")


def judge(
    program: Program,
    run: RecordedRun,
    leaves: Mapping[str, float] | None,
    is_brief: bool = False,
    is_kept: bool = False,
) -> Verdict | None:
    """The verdict on the scene of `run`, None where nothing was written.

    A brief one is at the numbers of the run alone. What is found at the others can be kept for the
    next run of the program, with other leaves: the other points move the program's own numbers.
    """
    first = evidence_of(run)
    if first is None:
        return judge_built_in(run) or not_recognised(run)
    if first.witness.has_unseen:
        return not_seen()
    sessions = [_session(first)]
    is_small = program.operations <= OPERATIONS and len(first.objects) <= OBJECTS
    is_repeated = is_small and program.repeats and not is_brief
    if is_repeated and not has_literals(first, sessions[0].ledger):
        points = others(program, first, leaves)
        found_before = _elsewhere.get((program, points)) if is_kept else None
        more = found_before or [_session(other) for other in elsewhere(program, points)]
        if is_kept and program.operations <= STORED:
            _elsewhere.put((program, points), more)
        sessions += more
    found = causes([session.found for session in sessions])
    ids = {value: f"v{i}" for i, value in enumerate(first.order, 1)}
    if not found and not any(entry.kind in WRITTEN for entry in sessions[0].ledger.entries):
        return None
    return _verdict(sessions, found, ids)


def judge_anew(program: Program, run: RecordedRun, line: int) -> tuple[Verdict | None, bool]:
    """The verdict at numbers drawn for the text, and whether they show what a line does.

    They do not where they leave an operation with two branches, as relu, on one of them.
    """
    first = evidence_of(run)
    if first is None or first.witness.has_unseen:
        return None, True
    sessions = [_session(first)]
    is_small = program.operations <= OPERATIONS and len(first.objects) <= OBJECTS
    if is_small and program.repeats and not has_literals(first, sessions[0].ledger):
        points, text = others(program, first, None), "\n".join(program.source.lines)
        sessions += [_session(other) for other in drawn(program, points, text)]
    found = causes([session.found for session in sessions])
    ids = {value: f"v{i}" for i, value in enumerate(first.order, 1)}
    observed = [o for session in sessions for o in session.found.observed]
    return _verdict(sessions, found, ids), _shows_branches(observed, line)


def _shows_branches(observed: Sequence[Observed], line: int) -> bool:
    """Whether the writes of a line saw both branches of each operation, with a gradient there."""
    here = [o for o in observed if line in (o.place.lineno, o.statement.lineno)]  # type: ignore[attr-defined]
    branched = {o.role for o in here if o.has_branches}
    seen = {(o.role, close(o.partial, 0.0)) for o in here if o.upstream != 0}
    return all((role, is_flat) in seen for role in branched for is_flat in (True, False))


def _session(evidence: Evidence) -> JudgedPoint:
    ledger = keep(evidence)
    constant, wrong = list(detached(evidence, ledger)), _wrong(evidence, ledger)
    if constant and wrong:
        connect(evidence, constant)
        ledger = keep(evidence)
        if _wrong(evidence, ledger) >= wrong:  # nothing was detached on purpose
            connect(evidence)
            ledger = keep(evidence)
    scene = evidence.run.scene
    is_long = len(evidence.objects) > BY_HAND
    if evidence.is_pulled or (scene is not None and scene.kind == "gradients" and is_long):
        return JudgedPoint(evidence, ledger, Findings([], []))
    found = _without_right(evidence, ledger, findings(evidence, ledger))
    places = FaultLocator(evidence, ledger)
    for name, kind in KINDS.items():
        results = kind.detect.result(evidence, places) if kind.detect.result else ()
        found.faults += [replace(fault, kind=name) for fault in results]
    return JudgedPoint(evidence, ledger, found)


def _wrong(evidence: Evidence, ledger: PassLedger) -> int:
    """How many objects end with a wrong gradient."""
    return sum(_state(evidence, ledger, value) is False for value in evidence.objects)


def _without_right(evidence: Evidence, ledger: PassLedger, found: Findings) -> Findings:
    """Nothing is wrong with what comes to an object that ends with its true gradient, if known."""
    states = {value: _state(evidence, ledger, value) for value in evidence.objects}
    right = {value for value, state in states.items() if state is not False}
    faults = [f for f in found.faults if f.kind in WHOLE or f.value not in right]
    observed = [
        replace(o, is_wrong=o.is_wrong and o.fault.value not in right) for o in found.observed
    ]
    return Findings(faults, observed)


def _verdict(
    sessions: Sequence[JudgedPoint], found: Sequence[Cause], ids: Mapping[RunNumber, str]
) -> Verdict:
    evidence, ledger, _ = sessions[0]
    ends = {ids[value]: _state(evidence, ledger, value) for value in evidence.objects}
    ends |= dict.fromkeys((ids[value] for value in left_over(evidence, ledger)), False)
    if any(cause.fault.kind == "altered" for cause in found):
        ends |= dict.fromkeys((ids[value] for value in cleared(evidence, ledger)), False)
    touched = {entry.used for entry in ledger.entries if entry.kind != "reset"}
    if without_pass(evidence):
        touched = set()
    states = [ends[ids[value]] for value in evidence.objects if found or value in touched]
    mistakes = [
        mistake_of(cause, sessions[cause.point].evidence, sessions[cause.point].ledger, evidence)
        for cause in found[:MISTAKES]
    ]
    return Verdict(
        true_grads={ids[value]: true for value, true in evidence.true.items() if value in ids},
        frames=_frames(evidence, ledger, ids),
        mistakes=tuple(mistakes),
        right=states.count(True),
        checked=states.count(True) + states.count(False),
        unknown=states.count(None),
        points=len(sessions),
        is_own=evidence.is_own,
        touched=frozenset(value.label for value in touched if value and value.label),
        ends=ends,
        because="" if mistakes else because(evidence, ledger),
        later={ids[value]: grad for value, grad in later(evidence).items() if value in ids},
        seed=1.0 if ledger.seed is None else ledger.seed,
        notes=tuple(constants(evidence, ledger)),
    )


def _state(evidence: Evidence, ledger: PassLedger, value: RunNumber) -> bool | None:
    """Whether an object ends with its true gradient; None if this is unknown."""
    true = evidence.true.get(value)
    if true is None:
        return None
    seed = 1.0 if ledger.seed is None else ledger.seed
    reached = ledger.reached.get(value, 0.0)
    held = evidence.held.get(value, 0.0)
    return close(reached, true * seed) or close(reached, true * seed + held)


def _frames(
    evidence: Evidence, ledger: PassLedger, ids: Mapping[RunNumber, str]
) -> dict[int, Judged]:
    """What is known of each drawn step, by its place among them."""
    names: dict[ast.AST, str] = {}
    last = {entries[-1] for entries in by_hand(ledger).values()}
    syntax = Syntax(evidence.run.source)
    found = {}
    for entry in ledger.entries:
        step = entry.step
        if step.frame is None or step.pulled:
            continue
        due = _due(evidence, entry)
        if due is None and entry.used is not None and entry in last:
            due = due_by_hand(evidence, ledger, entry.used)
        right = None if due is None else close(step.after, due)
        user, amount = _given(entry, ids)
        how = "" if user is None else arithmetic(entry, syntax.statement(step.node))
        running = _running(evidence, entry, ids, names)
        found[step.frame] = Judged(due, right, running, user, amount, how)
    return found


def _given(entry: LedgerWrite, ids: Mapping[RunNumber, str]) -> tuple[str | None, float | None]:
    """The operation that a write is a contribution of, and the amount; None if it is none."""
    user = ids.get(entry.user) if entry.user is not None and entry.kind == "contribution" else None
    return user, None if user is None else entry.amount


def _due(evidence: Evidence, entry: LedgerWrite) -> float | None:
    """What a write should have left, by the gradient that its operation had."""
    if entry.kind == "seed":
        return 1.0
    if entry.kind != "contribution" or entry.user is None or entry.used is None:
        return None
    edge = Dependency(entry.user, entry.used)
    partial = evidence.partials.get(edge)
    slots = evidence.slots.get(edge)
    if partial is None:
        return None
    before = entry.step.after - entry.amount + entry.lost
    rights = [p * g for p in slots or [partial] for g in (entry.upstream, entry.portion)]
    for right in rights:
        if close(entry.amount, right):
            return before + entry.amount if entry.lost else entry.step.after
    return before + rights[0]


def _running(
    evidence: Evidence,
    entry: LedgerWrite,
    ids: Mapping[RunNumber, str],
    names: dict[ast.AST, str],
) -> Running | None:
    """The function that made a write, with the objects that its variables held."""
    call: RecordedCall | None = entry.call or (entry.step.calls[0] if entry.step.calls else None)
    if call is None:
        return None
    held = {name: evidence.value_of(o) for name, o in call.variables.items()}
    variables = {name: ids[value] for name, value in held.items() if value in ids and value}
    if call.node not in names:
        names[call.node] = _qualified(evidence, call)
    return Running(names[call.node], evidence.run.source.span(call.node), variables)


def _qualified(evidence: Evidence, call: RecordedCall) -> str:
    """The name of a function with those around it: `Value.__mul__._backward`."""
    path = [call.name]
    inside: list[ast.AST] = [evidence.run.source.tree]
    while inside:
        for child in ast.iter_child_nodes(inside.pop()):
            if isinstance(child, ast.FunctionDef | ast.ClassDef) and child is not call.node:
                if _spans(child, call.node):
                    path.insert(-1, child.name)
                    inside = [child]
                    break
            elif _spans(child, call.node) and child is not call.node:
                inside = [child]
                break
    return ".".join(path)


def _spans(outer: ast.AST, inner: ast.AST) -> bool:
    first, last = getattr(outer, "lineno", None), getattr(outer, "end_lineno", None)
    return first is not None and first <= inner.lineno <= last  # type: ignore[attr-defined]


__all__ = ["Mistake", "Verdict", "judge"]

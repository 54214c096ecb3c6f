"""Mistakes in words."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.numbers import full, short
from engine.parser_lock import Span
from engine.program import Program, ProgramError
from engine.record.model import RunNumber

from .amounts import LAST_PART
from .causes import Cause
from .evidence import Evidence
from .fault import Fault
from .kinds import KINDS, MistakeKind
from .ledger import PassLedger
from .model import Mistake
from .text_edits import Rewrite

NAME = 40
"""Characters of a name."""


def mistake_of(cause: Cause, evidence: Evidence, ledger: PassLedger, base: Evidence) -> Mistake:
    """The mistake that a cause is, seen at the point of `evidence`."""
    fault = cause.fault
    kind = KINDS[fault.kind]
    span = _span(evidence, fault)
    value = fault.value
    ends = ledger.reached.get(value, 0.0) if value is not None else None
    true = evidence.true.get(value) if value is not None else None
    if fault.kind == "wrong_result":
        ends = true = None
    elif fault.kind in ("not_zeroed", "second_pass") and fault.written is not None:
        ends = fault.written
    elif fault.kind == "altered" and value is not None:
        ends = ledger.ends.get(value, 0.0)
    words = {
        "line": str(span[0]),
        "name": name_of(evidence, value),
        "grad": gradient_of(evidence, value),
        "ends": program_number(ends),
        "true": program_number(true),
        "written": program_number(fault.written),
        "due": program_number(fault.due),
        "lost": program_number(fault.entry.lost if fault.entry else None),
        "other": _other(evidence, fault),
    }
    message = kind.sentence.format(**words)
    point = _point(evidence, base) if cause.point else ""
    return Mistake(
        kind=fault.kind,
        span=span,
        node=None if value is None else _id(evidence, value),
        written=fault.written,
        due=fault.due,
        message=f"{point}{message[0].lower()}{message[1:]}" if point else message,
        cure=kind.cure.format(**words),
        frame=_frame(fault) if not cause.point else None,
        ends=ends,
        true=true,
        subject=words["name"],
        point=point,
        why=kind.why.format(**words),
    )


def mistakes_of_failure(program: Program, error: ProgramError) -> tuple[Mistake, ...]:
    """The mistakes that ended a program."""
    return tuple(
        _of_failure(kind, span, other)
        for kind in KINDS.values()
        if kind.detect.failure
        for span, other in kind.detect.failure(program, error)
    )


def _of_failure(kind: MistakeKind, span: Span, other: str) -> Mistake:
    words = {"line": str(span[0]), "other": other, "name": ""}
    message = (kind.failure or kind.sentence).format(**words)
    cure, why = kind.cure.format(**words), kind.why.format(**words)
    return Mistake(kind.name, span, None, None, None, message, cure, why=why)


def moved(mistake: Mistake, rewrite: Rewrite, lines: Sequence[str]) -> Mistake:
    """A mistake whose only fix is in another line than the one that was blamed."""
    line = rewrite.span[0]
    text = lines[line - 1]
    span = (line, len(text) - len(text.lstrip()) + 1, line, len(text.rstrip()) + 1)
    kind = KINDS[rewrite.kind or mistake.kind]
    ends = f"it ends at {program_number(mistake.ends)}, it should be {program_number(mistake.true)}"
    start = f"{mistake.point}line" if mistake.point else "Line"
    return mistake._replace(
        kind=kind.name,
        span=span,
        message=f"{start} {line} makes the gradient of {mistake.subject} wrong: {ends}.",
        cure=kind.cure,
        why="With the change shown all gradients are right, at other numbers too.",
        frame=None,
    )


def _frame(fault: Fault) -> int | None:
    return fault.entry.step.frame if fault.entry is not None else None


def _id(evidence: Evidence, value: RunNumber) -> str | None:
    return f"v{evidence.order.index(value) + 1}" if value in evidence.order else None


def program_number(x: float | None) -> str:
    """A number as programs write it, in the digits of a card: "12.0", "0.4741"."""
    if x is None:
        return "unknown"
    text = short(x)
    if "." not in text or "e" in text:
        return text
    text = text.rstrip("0")
    return f"{text}0" if text.endswith(".") else text


def name_of(evidence: Evidence, value: RunNumber | None) -> str:
    """The name of an object: its label, or the text that computed it."""
    if value is None:
        return "a Value"
    if value.label:
        return value.label[:NAME]
    return _described(evidence, value)


def _described(evidence: Evidence, value: RunNumber) -> str:
    args = [arg for arg in evidence.args.get(value, ()) if arg.label]
    if value.op is not None and len(args) == len(evidence.args.get(value, ())) > 0:
        names = [arg.label for arg in value.args if arg in args] or [arg.label for arg in args]
        if value.op.is_word or len(names) == 1:
            return f"{value.op.name}({', '.join(names)})"[:NAME]
        return f"({names[0]} {value.op.symbol} {names[-1]})"[:NAME]
    if value.op is not None:
        return f"the result of {value.op.symbol}"
    return full(value.data)[:NAME]


def gradient_of(evidence: Evidence, value: RunNumber | None) -> str:
    """What the gradient of an object is called: `a.grad`, or where it has no name so."""
    name = name_of(evidence, value)
    if evidence.is_own and not evidence.run.source.stores_gradients:
        return f"the gradient of {name}"
    return f"{name}.{_attribute(evidence)}"


def _attribute(evidence: Evidence) -> str:
    """The name under which the program's class keeps gradients."""
    for node in ast.walk(evidence.run.source.tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if node.attr in evidence.run.source.gradients:
            return node.attr
    return "grad"


def _other(evidence: Evidence, fault: Fault) -> str:
    if fault.kind in ("wrong_result", "object_in_gradient", "gradient_for_number"):
        return fault.note
    if fault.kind == "changed_in_place":
        used = "" if fault.edge is None else name_of(evidence, fault.edge.user)
        made = f"{used} was computed from it" if used else "it was recorded as a result"
        is_late = fault.written != fault.due
        return f"{made}, {'in the pass itself' if is_late else 'and before the pass'}"
    if fault.kind == "upstream_missing":
        if fault.note == LAST_PART:
            return f", not by {fault.note} of it"
        return f", not by that of {fault.note}" if fault.note else ""
    if fault.edge is not None:
        return name_of(evidence, fault.edge.user)
    return "its result"


def _point(evidence: Evidence, base: Evidence) -> str:
    """Where a mistake shows that these numbers hide: `With a = 1.48: `."""
    found = []
    for value, own in zip(evidence.order, base.order, strict=False):
        is_leaf = value in evidence.objects and not value.args and value.label == own.label
        if is_leaf and value.label and value.data != own.data:
            found.append(f"{value.label} = {short(value.data)}")
    return f"With {', '.join(found[:3])}: " if found else "With other numbers: "


def _span(evidence: Evidence, fault: Fault) -> Span:
    """The place of a fault: of a definition or loop its first line."""
    span = evidence.run.source.span(fault.node)
    line = span[0]
    if span[2] != line:
        text = evidence.run.source.lines[line - 1]
        return line, span[1], line, len(text.rstrip()) + 1
    return span

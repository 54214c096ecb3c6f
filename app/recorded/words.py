"""What each step says: the program's line, the numbers, each Node's rule and what it sent."""

from __future__ import annotations

from collections.abc import Iterator

from app.picture.text import escaped
from app.recorded.boxes import BoxStep, CallBox, DrawnRecord
from engine.array_ops.rules import gradient
from engine.numbers import short
from engine.pytorch.figures_shown import shape_text, told
from engine.pytorch.record import Figures, NodeFrame, OperationFrame, SourcePlace
from engine.pytorch.rules import JAX, rule_of

NODES = 5
"""Nodes of a step that are told one by one."""


def step_words(drawn: DrawnRecord, step: BoxStep) -> str:
    """The explanation of a step as HTML."""
    box = drawn.boxes[step.box]
    parts = [_head(box)]
    parts += _forward(drawn, box) if step.pass_ == "forward" else _backward(drawn, box)
    return "".join(parts)


def _head(box: CallBox) -> str:
    where = f" in <b>{escaped(box.module)}</b>" if box.module else ""
    return f"<p><b>{escaped(box.title)}</b>{where}{_line(box)}</p>"


def _line(box: CallBox) -> str:
    place = box.operations[0].place if box.operations else None
    if place is None:
        return ""
    return f", line {place.line}: <code>{escaped(_code(place))}</code>"


def _code(place: SourcePlace) -> str:
    return place.expression if len(place.expression) < 90 else place.expression[:88] + "…"


def _forward(drawn: DrawnRecord, box: CallBox) -> Iterator[str]:
    record = drawn.record
    if box.is_module:
        yield f"<p>A closed module of {box.calls} calls and {len(box.leaves)} parameters.</p>"
    operations = [op for op in box.operations if op.node or drawn.shown_pass is None]
    for op in operations[:NODES] if not box.is_module else ():
        yield f'<p class="op">{_operation(drawn, op)}</p>'
    if box.result is not None:
        name = escaped(record.name(box.result))
        figures = record.figures.get(box.result)
        numbers = f'<b class="data">{escaped(told(figures))}</b>'
        yield f'<p class="result">{name} {_shape(figures)} = {numbers}</p>'


def _operation(drawn: DrawnRecord, op: OperationFrame) -> str:
    record = drawn.record
    given = ", ".join(
        escaped(f"{record.names(a.states)}" if a.states else f"{a.name}={a.text}")
        for a in op.arguments
        if a.states or a.text not in ("None", "False", "1")
    )
    kept = ""
    if op.mutates or op.is_view:
        what = "writes into" if op.mutates else "is a view of"
        kept = f" It {what} {escaped(record.names(op.mutates or op.inputs[:1]))}."
    random = " It draws random numbers." if op.is_random else ""
    return f"<code>{escaped(op.short)}</code>({given}){kept}{random}"


def _shape(figures: Figures | None) -> str:
    return f'<span class="shape">{shape_text(figures)}</span>' if figures is not None else ""


def _backward(drawn: DrawnRecord, box: CallBox) -> Iterator[str]:
    runs = [run for run in box.runs if not run.leaf]
    for run in runs[-NODES:] if box.is_module else runs[:NODES]:
        yield from _node(drawn, run)
    if len(runs) > NODES:
        yield f"<p>And {len(runs) - NODES} more Nodes.</p>"
    for run in box.runs:
        if run.leaf and not box.is_module:
            yield _leaf(drawn, run)
    if box.is_module:
        yield from _module_leaves(drawn, box)


def _node(drawn: DrawnRecord, run: NodeFrame) -> Iterator[str]:
    operation = None if run.operation is None else drawn.record.frames[run.operation]
    op = operation if isinstance(operation, OperationFrame) else None
    rule = rule_of(run.name, op)
    words = f": {escaped(rule.words)}" if rule is not None else ", whose rule is not known here"
    came = "; ".join(f"{_shape(f)} {escaped(told(f))}" for f in run.incoming if f is not None)
    name = escaped(run.name.removeprefix(JAX))
    yield f'<p class="op"><code>{name}</code>{words}.</p>'
    yield f'<p>Incoming gradient: <b class="grad">{came or "none"}</b>{_edited(run)}</p>'
    if rule is not None and rule.formulas:
        lines = "".join(
            f"<li><math><mrow>{gradient(f'<mi>{escaped(name)}</mi>')}<mo>=</mo>{formula.mathml()}"
            "</mrow></math></li>"
            for name, formula in rule.formulas
        )
        yield f'<ul class="rules">{lines}</ul>'
    sent = [(to, f) for to, _, f in run.sent if f is not None]
    if sent:
        rows = "".join(
            f"<tr><td>{escaped(_target(drawn, to))}</td><td>{_shape(f)}</td>"
            f'<td class="grad">{escaped(told(f))}</td></tr>'
            for to, f in sent
        )
        yield f'<table class="sent"><tbody>{rows}</tbody></table>'


def _edited(run: NodeFrame) -> str:
    if not run.edited:
        return ""
    return ". <b>A hook changed it</b>: it is not the sum of what was sent here"


def _target(drawn: DrawnRecord, node: str) -> str:
    """What a contribution goes to: a leaf by its name, else the result of a Node."""
    record = drawn.record
    if node.startswith("of "):
        return f"to {record.name(node[3:])}"
    found = next((op for op in drawn.flow.operations if op.node == node), None)
    if found is None or not found.outputs:
        return "to a Node from before"
    return f"to {record.name(found.outputs[0])}, of {found.short.strip('_')}"


def _leaf(drawn: DrawnRecord, run: NodeFrame) -> str:
    name = escaped(drawn.record.name(run.leaf))
    after = f'<b class="grad">{escaped(told(run.after))}</b>'
    if run.before is None:
        return f'<p class="op">{name}.grad was none and is now {after}.</p>'
    before = short(run.before.norm or 0.0)
    return (
        f'<p class="op">{name}.grad had length {before}; what came in is added to it: {after}.</p>'
    )


def _module_leaves(drawn: DrawnRecord, box: CallBox) -> Iterator[str]:
    runs = [run for run in box.runs if run.leaf]
    rows = "".join(
        f"<tr><td>{escaped(drawn.record.name(run.leaf))}</td><td>{_shape(run.after)}</td>"
        f'<td class="grad">{escaped(told(run.after))}</td></tr>'
        for run in runs
    )
    if rows:
        yield f'<table class="sent"><tbody>{rows}</tbody></table>'

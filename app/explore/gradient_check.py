"""The gradient check: each Value's gradient beside the measured slope, and the error by step."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from app.picture.plots import Plot, log_scale
from app.program_address import View, to_parameter
from engine.numbers import brief, compact, full, in_equation, with_minus
from engine.program import Program
from engine.trace import gradcheck, slopes
from engine.trace.measure import DifferenceQuotients
from engine.trace.model import Node
from engine.trace.rerun import Rerun
from engine.trace.traced import Trace


class CheckRow(NamedTuple):
    """The gradient that a single pass from zero gives a Value, beside the measured slope.

    `to` is the text of the parameter `check` that shows its error by step, `href` the address.
    """

    key: str
    label: str
    grad: str
    nudge: str
    verdict: str
    ok: bool
    error: str = ""
    to: str = ""
    href: str = ""
    is_chosen: bool = False


class ErrorRow(NamedTuple):
    """A step of the sweep: h, the measured slope, and its relative error, as texts."""

    h: str
    slope: str
    error: str


@dataclass(frozen=True, slots=True)
class ErrorByStep:
    """The error of one Value's measured slope for each step h, as a plot with a dial.

    `points` is JSON for the dial: per step its texts, the place of its mark, its address.
    """

    name: str
    rows: Sequence[ErrorRow]
    at: int
    plot: Markup
    points: str
    best: str
    relative: str


@dataclass(frozen=True, slots=True)
class CheckView:
    """The table and its caption; without rows, `unchecked` is the reason."""

    says: str
    rows: Sequence[CheckRow] = ()
    unchecked: str = ""
    sweep: ErrorByStep | None = None


CENTRAL = "Central differences of the output against the gradients of one pass."
BY_HAND = "Central differences of the output against the program’s own gradients."
ONLY_LEAVES = " Only the leaves: all Values would take more than {most:,} operations."
NO_PASS = "Not checked: the program has run no backward pass."
NOTHING = "No Value but the output has a gradient to check."
NEVER = "{}, which the program never wrote"
LEFT_OUT = "Not checked: this would take more than {most:,} operations."
LEAST = 1e-17  # errors below are drawn at the bottom


def check_view(
    program: Program, shown: Trace, leaves: dict[str, float], view: View, most: int
) -> CheckView:
    """The check of a trace with these leaves changed, in at most `most` operations."""
    if not gradcheck.is_due(shown):
        return CheckView("", unchecked=NO_PASS)
    says = BY_HAND if slopes.is_by_hand(shown) else CENTRAL
    ids = gradcheck.values(shown)
    if gradcheck.cost(shown, ids) > most:
        ids = gradcheck.leaves(shown)
        says += ONLY_LEAVES.format(most=most)
    rerun = Rerun(program, leaves, shown, most)
    rows = check_rows(shown, most, rerun, ids)
    if rows is None:
        return CheckView(says, unchecked=LEFT_OUT.format(most=most))
    if not rows:
        return CheckView(says, unchecked=NOTHING)
    chosen, _, step = view.lenses.get("check", "").partition("@")
    at = chosen if chosen in ids else ids[0]
    linked = tuple(_linked(row, key, at, view) for row, key in zip(rows, ids, strict=True))
    return CheckView(says, linked, sweep=_sweep(shown, at, _float(step), rerun))


def _linked(row: CheckRow, key: str, chosen: str, view: View) -> CheckRow:
    href = f"/?{view.with_lens('check', key).query()}"
    return row._replace(to=key, href=href, is_chosen=key == chosen)


def check_rows(
    shown: Trace, most: int, rerun: Rerun | None = None, ids: Sequence[str] | None = None
) -> tuple[CheckRow, ...] | None:
    """One row per leaf or per Value of `ids`; None if that would take more operations."""
    if gradcheck.is_due(shown) and gradcheck.cost(shown, ids) > most:
        return None
    names = shown.names()
    by_id = {node.id: node for node in shown.nodes}
    held, unwritten = _held(shown), shown.unwritten()
    return tuple(
        CheckRow(
            key=_key(by_id[row.node]),
            label=names[row.node],
            grad=in_equation(row.grad),
            nudge="–" if math.isnan(row.h) else in_equation(row.slope),
            verdict=NEVER.format(row.verdict)
            if row.node in unwritten and not row.ok
            else _verdict(row, by_id[row.node], held.get(row.node, 0.0)),
            ok=row.ok,
            error="" if math.isnan(row.error) else brief(row.error),
        )
        for row in gradcheck.check(shown, ids, rerun)
    )


def _sweep(shown: Trace, chosen: str, wanted: float | None, rerun: Rerun) -> ErrorByStep | None:
    """The error by step for one Value; None where its slope cannot be measured."""
    lines = gradcheck.Lines(shown, rerun)
    node = next(node for node in shown.nodes if node.id == chosen)
    found = lines.check(node)
    steps = [step for step in lines.sweep(node) if math.isfinite(step.slope)][::-1]
    if not steps or not math.isfinite(found.grad):
        return None
    size = abs(found.grad) or 1.0
    errors = [abs(step.slope - found.grad) / size for step in steps]
    plot = Plot(log_scale((step.h for step in steps), 1e-13, 1.0), log_scale(errors, LEAST, 1e3))
    goal = found.h if wanted is None else wanted
    at = min(range(len(steps)), key=lambda i: abs(math.log(steps[i].h / goal))) if goal > 0 else 0
    return ErrorByStep(
        name=node.name,
        rows=[_step_row(step, wrong) for step, wrong in zip(steps, errors, strict=True)],
        at=at,
        plot=_drawn(plot, steps, errors, at, node.name),
        points=json.dumps(list(_points(plot, steps, errors, chosen))),
        best=compact(float(f"{found.h:.2g}")) if math.isfinite(found.h) else "–",
        relative="relative error" if found.grad else "error",
    )


def _step_row(step: DifferenceQuotients, wrong: float) -> ErrorRow:
    return ErrorRow(compact(float(f"{step.h:.3g}")), with_minus(full(step.slope)), brief(wrong))


def _points(
    plot: Plot, steps: Sequence[DifferenceQuotients], errors: Sequence[float], chosen: str
) -> Iterable[dict[str, object]]:
    """What the dial shows at each step."""
    for step, wrong in zip(steps, errors, strict=True):
        x, y = plot.at(step.h, max(wrong, LEAST))
        row = _step_row(step, wrong)
        place = {"mark": [round(x, 1), round(min(y, plot.top + plot.down), 1)]}
        yield {"says": row._asdict(), "places": place, "to": f"{chosen}@{step.h:.3g}"}


def _drawn(
    plot: Plot, steps: Sequence[DifferenceQuotients], errors: Sequence[float], at: int, name: str
) -> Markup:
    points = [(s.h, max(e, plot.y.low)) for s, e in zip(steps, errors, strict=True)]
    x, y = plot.at(*points[at])
    parts = [
        *plot.grid("step h", "error"),
        plot.line(points, "curve"),
        f'<circle class="mark" data-place="mark" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>',
    ]
    best = min(range(len(errors)), key=errors.__getitem__)
    words = (
        f"Error of the measured slope of {name} by step h: {brief(errors[0])} at "
        f"{compact(steps[0].h)}, least {brief(errors[best])} at {compact(steps[best].h)}, "
        f"{brief(errors[-1])} at {compact(steps[-1].h)}"
    )
    return Markup(plot.svg(parts, words))  # noqa: S704  all text is escaped


def _float(text: str) -> float | None:
    try:
        x = float(text)
    except ValueError:
        return None
    return x if math.isfinite(x) and x > 0 else None


def _key(node: Node) -> str:
    return to_parameter(node.key) if node.key else ""


def _held(shown: Trace) -> dict[str, float]:
    """The gradient that each Value had before the first write to it, by id."""
    found: dict[str, float] = {}
    for frame in shown.frames:
        if frame.written is not None:
            found.setdefault(frame.node, frame.written.before)
    return found


def _verdict(row: gradcheck.GradientCheck, node: Node, held: float) -> str:
    """The verdict of a check; where the Value's gradient is another, both and the reason."""
    is_sum = held and math.isclose(row.grad - held, row.slope, rel_tol=1e-4, abs_tol=1e-6)
    if is_sum and row.verdict.startswith("differs"):
        return f"{row.verdict}, as it was {in_equation(held)} before this pass and was not reset"
    if node.grad is None or node.grad == row.grad or node.grad != node.grad:
        return row.verdict
    verdict = ", which agrees" if row.verdict == "agrees" else f": {row.verdict}"
    return (
        f"A single pass from zero gives {in_equation(row.grad)}{verdict}; {node.name}.grad is "
        f"{in_equation(node.grad)} because gradients were not reset."
    )

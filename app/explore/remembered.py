"""What backward must remember: the numbers that each rule keeps, and the trade of checkpointing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from app.picture.plots import AxisScale, Plot, log_scale, text
from app.program_address import View
from engine.numbers import counted
from engine.ops import OPS
from engine.trace.checkpoints import Checkpointing, Checkpoints, lengths
from engine.trace.expand import expanded
from engine.trace.memory import Memory, NeededPartials, Reading, memory
from engine.trace.slopes import is_by_hand
from engine.trace.traced import Trace

PARAMETER = "keep"
EVERY = "every:"
NOTHING = "No op of this graph has a gradient, so the backward pass needs no number."
OWN = (
    "The program has its own backward pass, which may keep others. These are the numbers that "
    "the rules of the table read, op by op."
)
UNKNOWN = "{} not traced: their rules are unknown and not counted."
NAMED, NAMED_BY_RULE = 8, 4
"""Names that the list of kept Values has, and that of one rule."""
LENGTHS, IDS = 40, 4_000
"""Places of the slider, at most, and ids of Values that all of them light."""
LINEAR = 60  # ops up to which the axis of lengths is linear


class PartialPiece(NamedTuple):
    """A piece of a partial's text; `reads` if it is a number that the rule keeps."""

    text: str
    reads: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule of the table: its op, its partials, what it keeps in words, and its Values here."""

    sign: str
    slug: str
    partials: Sequence[Sequence[PartialPiece]]
    keeps: str
    count: int
    here: str


class PlanRow(NamedTuple):
    """One length of segments, as texts; `h` names it. `to` is the text of the parameter."""

    h: str
    every: str
    kept: str
    peak: str
    again: str
    to: str
    href: str
    is_now: bool
    is_root: bool


@dataclass(frozen=True, slots=True)
class Dial:
    """The trade: a plot with a slider over the lengths of segments.

    `points` is JSON for the dial: per place its texts, the places of its marks, its address, and
    the ids of the Values that are kept and computed again.
    """

    rows: Sequence[PlanRow]
    at: int
    plot: Markup
    points: str
    ops: int
    root: int


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The section; without an op to differentiate, `missing` is the reason."""

    missing: str = ""
    kept: int = 0
    numbers: int = 0
    names: str = ""
    split: str = ""
    """How many of the kept numbers are leaves, and how many were computed."""
    notice: str = ""
    rules: Sequence[RuleRow] = ()
    dial: Dial | None = None


def memory_view(trace: Trace, view: View) -> MemoryView:
    """The section for a trace and the length of segments that its address asks for."""
    shown = expanded(trace, view.listed("expand"))
    found, names = memory(shown), shown.names()
    if not found.readings:
        return MemoryView(missing=NOTHING)
    leaves, computed = len(found.kept) - len(found.computed), len(found.computed)
    unknown = counted(len(found.unknown), "Value")
    return MemoryView(
        kept=len(found.kept),
        numbers=len(found.numbers),
        names=_names(found.kept, names),
        split=f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'}, {computed:,} computed",
        notice=UNKNOWN.format(unknown) if found.unknown else OWN if is_by_hand(shown) else "",
        rules=tuple(_rules(found, names)),
        dial=_dial(Checkpoints(shown, found), found, view),
    )


def _names(ids: Sequence[str], names: Mapping[str, str], most: int = NAMED) -> str:
    listed = ", ".join(names[one] for one in ids[:most])
    return f"{listed} and {len(ids) - most:,} more" if len(ids) > most else listed


# The rules


def _rules(found: Memory, names: Mapping[str, str]) -> Iterator[RuleRow]:
    """One row for each rule, in the order in which the program comes to it."""
    uses: dict[NeededPartials, list[Reading]] = {}
    for reading in found.readings:
        uses.setdefault(reading.rule, []).append(reading)
    for rule, readings in uses.items():
        op = OPS[rule.op]
        kept = list(dict.fromkeys(one for reading in readings for one in reading.keeps))
        partials = tuple(tuple(_pieces(partial, op.params)) for _, partial in rule.partials)
        keeps = _words(rule, op.params, bool(kept))
        yield RuleRow(
            op.symbol, op.slug, partials, keeps, len(readings), _names(kept, names, NAMED_BY_RULE)
        )


def _pieces(partial: str, params: Sequence[str]) -> Iterator[PartialPiece]:
    """The text of a partial, cut at the names of inputs and output."""
    read = {*params, "y"}
    for part in re.split(r"(\b\w+\b)", partial):
        if part:
            yield PartialPiece(part, part in read)


def _words(rule: NeededPartials, params: Sequence[str], is_any: bool) -> str:
    """What a rule keeps: "both inputs", "its output", "nothing"."""
    if not is_any:
        return "nothing" if not rule.reads else "a constant alone"
    inputs = [name for name in rule.reads if name != "y"]
    words = []
    if inputs:
        alone = "its input" if len(params) == 1 else f"input {inputs[0]}"
        words.append("both inputs" if len(inputs) == 2 else alone)
    if "y" in rule.reads:
        words.append("its output" if not words else "the output")
    return " and ".join(words)


# Checkpointing


def _dial(points: Checkpoints, found: Memory, view: View) -> Dial:
    count = len(points.ops)
    most = min(max(IDS // len(found.numbers), 8), LENGTHS)
    plans = [points.simulate(every) for every in lengths(count, most, points.root)]
    at = _place(view, plans)
    rows = [_row(plan, points, view, k == at) for k, plan in enumerate(plans)]
    plot = _plot(plans, count)
    return Dial(
        rows,
        at,
        _drawn(plot, plans, points.root, at),
        json.dumps([_point(plot, plan, row) for plan, row in zip(plans, rows, strict=True)]),
        count,
        points.root,
    )


def _place(view: View, plans: Sequence[Checkpointing]) -> int:
    """The place of the slider: the length that the address asks for, or the nearest one."""
    asked = view.lenses.get(PARAMETER, "").removeprefix(EVERY)
    every = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 1
    return min(range(len(plans)), key=lambda k: abs(plans[k].every - every))


def _row(plan: Checkpointing, points: Checkpoints, view: View, is_now: bool) -> PlanRow:
    to = f"{EVERY}{plan.every}"
    return PlanRow(
        "every op" if plan.every == 1 else f"every {_ordinal(plan.every)} op",
        f"{plan.every:,}",
        f"{sum(one in points.keeps for one in plan.between):,}",
        f"{plan.peak:,}",
        f"{len(plan.again):,}",
        to,
        f"/?{view.with_lens(PARAMETER, to).query()}",
        is_now,
        plan.every == points.root,
    )


def _ordinal(number: int) -> str:
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    return f"{number:,}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def _plot(plans: Sequence[Checkpointing], count: int) -> Plot:
    top = max(max(plan.peak, len(plan.again)) for plan in plans)
    across = AxisScale(1.0, float(max(count, 2)))
    if count > LINEAR:
        across = log_scale([1.0, float(count)], 1.0, 1e12)
    return Plot(across, AxisScale(0.0, max(1.05 * top, 4.0)), height=170.0)


def _places(plot: Plot, plan: Checkpointing) -> dict[str, list[float]]:
    heights = {"true": plan.peak, "predicted": len(plan.again)}
    return {
        name: [round(pixel, 1) for pixel in plot.at(float(plan.every), float(y))]
        for name, y in heights.items()
    }


def _point(plot: Plot, plan: Checkpointing, row: PlanRow) -> dict[str, object]:
    says = {name: getattr(row, name) for name in ("h", "kept", "peak", "again")}
    lit = {"kept": " ".join(plan.between), "again": " ".join(plan.again)}
    return {"says": says, "places": _places(plot, plan), "to": row.to, **lit}


def _drawn(plot: Plot, plans: Sequence[Checkpointing], root: int, at: int) -> Markup:
    x, _ = plot.at(float(root), 0.0)
    peaks = [(float(plan.every), float(plan.peak)) for plan in plans]
    again = [(float(plan.every), float(len(plan.again))) for plan in plans]
    marks = _places(plot, plans[at])
    parts = [
        *plot.grid("ops in a segment"),
        f'<path class="root" d="M{x:.1f} {plot.top:g}v{plot.down:g}"/>',
        text("label", x, plot.top - 3, "√n", "middle"),
        plot.line(again, "tangent"),
        plot.line(peaks, "curve"),
        *(
            f'<circle class="{name}" data-place="{name}" cx="{cx}" cy="{cy}" r="5"/>'
            for name, (cx, cy) in reversed(marks.items())
        ),
    ]
    best = min(plans, key=lambda plan: (plan.peak, len(plan.again)))
    words = (
        f"Most numbers kept at once, and operations done again, by the length of a segment: "
        f"{plans[0].peak} and {len(plans[0].again)} at 1, {best.peak} and {len(best.again)} at "
        f"{best.every}, {plans[-1].peak} and {len(plans[-1].again)} at {plans[-1].every}"
    )
    return Markup(plot.svg(parts, words))  # noqa: S704  all text is escaped

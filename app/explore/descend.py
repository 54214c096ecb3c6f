"""The section in which leaves follow their gradients: settings, path, and the steps as links."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from app.explore.descent_picture import picture
from app.explore.kept_gradients import other_gradient
from app.explore.nudge import SectionLink
from app.picture.plots import HUGE
from app.program_address import View, to_parameter
from engine.calculus.descent import (
    Descent,
    DescentPath,
    DescentPoint,
    UpdateLine,
    UpdateRule,
    arithmetic,
    parameters,
)
from engine.numbers import compact, counted, full, in_equation, short
from engine.program import Program
from engine.trace.model import Node
from engine.trace.traced import Trace
from engine.training.optim import OPTIMIZERS

NOTHING = (
    "No leaf can follow its gradient: this takes a named leaf with a gradient, a path to the "
    "output, and the number that the program gives it."
)
NOWHERE = "There is no first step: {reason}"
TOO_LARGE = "Not drawn: {leaf} is beyond the largest number that is plotted."
CUT = "Only {count}: more would take more than {most:,} operations."
ENDED = "The path ends at step {step}. {reason}"
OTHER = (
    "From step {step} on the program takes another branch than the one drawn, so that the path "
    "leaves the drawn surface."
)
RESTS = "At step {step} the gradient is 0 to four digits: the path has come to rest."
AGAINST = {
    False: "It grew instead: the rate is too large for so steep a place. Try a smaller one.",
    True: "It fell instead: the rate is too large for so steep a place. Try a smaller one.",
}
RATES = (0.001, 0.01, 0.1, 0.5, 1.0)
LENGTHS = (10, 30, 100)
EMPTY = Markup()
MOST_STEPS = 200
MOST_LEAVES = 8
LARGEST_RATE = 1e6
LISTED = 30
"""Steps listed with links."""
WORKED = 2
"""Steps whose arithmetic is shown."""
WORKED_LEAVES = 2
UPWARDS = ", with g the gradient negated"
SIGNS = {"-": "−", " * ": " · ", " ** 2": "²"}
FIELD = 9
"""Characters that the field of a leaf has room for."""
SETTLED = 5e-5
WAYS = {False: "down", True: "up"}


class DescentStepRow(NamedTuple):
    """A step: its numbers as texts, the address that moves the picture there, and whether it has.

    `leaves` is JSON: the numbers of the leaves by their parameters.
    """

    step: int
    numbers: Sequence[str]
    gradient: Sequence[str]
    output: str
    to: str
    href: str
    leaves: str
    is_shown: bool


class Worked(NamedTuple):
    """The arithmetic of a step for one leaf: lines of the rule with numbers."""

    step: int
    leaf: str
    lines: Sequence[tuple[str, str, str]]
    """Variable, expression, result."""


@dataclass(frozen=True, slots=True)
class Descend:
    """The section; without a picture, `missing` is the reason.

    `points` is JSON for the dial: per step its texts, the place of its mark, its parameter, and the
    numbers of its leaves.
    """

    missing: str = ""
    leaves: Sequence[SectionLink] = ()
    more: int = 0
    optimizers: Sequence[SectionLink] = ()
    rates: Sequence[SectionLink] = ()
    lengths: Sequence[SectionLink] = ()
    ways: Sequence[SectionLink] = ()
    rule: str = ""
    names: Sequence[str] = ()
    output: str = ""
    picture: Markup = EMPTY
    points: str = "[]"
    at: int = 0
    rows: Sequence[DescentStepRow] = ()
    left_out: int = 0
    worked: Sequence[Worked] = ()
    says: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DescentQuery:
    """What an address asks for; `start` is the number of each leaf at step 0."""

    ids: tuple[str, ...]
    rule: UpdateRule
    at: int
    start: tuple[float, ...]

    def text(self) -> str:
        """The parameter."""
        rule, start = self.rule, ",".join(map(full, self.start))
        parts = (rule.optimizer, full(rule.rate), str(rule.steps), WAYS[rule.is_up], str(self.at))
        return "@".join((",".join(self.ids), *parts, start))


def descend_view(
    program: Program, shown: Trace, leaves: Mapping[str, float], view: View, most: int
) -> Descend:
    """The section that an address asks for."""
    movable = {node.id: node for node in parameters(program, leaves, shown)}
    if not movable:
        return Descend(missing=NOTHING)
    asked = _asked(view, movable)
    asked, path = _path(program, shown, leaves, asked, movable, most)
    chosen = [movable[key] for key in asked.ids]
    found = _with_choices(asked, movable, view)
    if not path.places:
        reason = path.ended or CUT.format(count="0 steps", most=most)
        return replace(found, missing=NOWHERE.format(reason=reason))
    if any(abs(x) > HUGE for x in asked.start):
        return replace(found, missing=TOO_LARGE.format(leaf=chosen[0].name))
    return _filled(found, shown, chosen, asked, path, view, most)


def _asked(view: View, movable: Mapping[str, Node]) -> DescentQuery:
    parts = [*view.lenses.get("descend", "").split("@"), *[""] * 7]
    named = tuple(dict.fromkeys(key for key in parts[0].split(",") if key in movable))
    ids = named[:MOST_LEAVES] or (next(iter(movable)),)
    rate, steps = _positive(parts[2]), parts[3]
    is_count = steps.isascii() and steps.isdigit() and len(steps) < 4
    rule = UpdateRule(
        parts[1] if parts[1] in OPTIMIZERS else "sgd",
        min(rate, LARGEST_RATE) if rate else 0.1,
        min(max(int(steps), 1), MOST_STEPS) if is_count else 30,
        parts[4] == WAYS[True],
    )
    at = int(parts[5]) if parts[5].isascii() and parts[5].isdigit() and len(parts[5]) < 4 else 0
    start = tuple(x for text in parts[6].split(",") if (x := _number(text)) is not None)
    if len(start) != len(ids) or named != ids:
        at, start = 0, tuple(movable[key].data for key in ids)
    return DescentQuery(ids, rule, at, start)


def _number(text: str) -> float | None:
    try:
        x = float(text)
    except ValueError:
        return None
    return x if math.isfinite(x) else None


def _positive(text: str) -> float | None:
    x = _number(text)
    return x if x is not None and x > 0 else None


def _path(
    program: Program,
    shown: Trace,
    leaves: Mapping[str, float],
    asked: DescentQuery,
    movable: Mapping[str, Node],
    most: int,
) -> tuple[DescentQuery, DescentPath]:
    """The path from the start; from where the leaves are, if they are not at the step asked for."""
    now = tuple(movable[key].data for key in asked.ids)
    keys = [movable[key].key or "" for key in asked.ids]
    if asked.at == 0:
        asked = replace(asked, start=now)
    path = Descent(program, leaves, shown, keys, most).path(asked.start, asked.rule)
    if asked.at < len(path.places) and path.places[asked.at].numbers == now:
        return asked, path
    asked = replace(asked, at=0, start=now)
    return asked, Descent(program, leaves, shown, keys, most).path(now, asked.rule)


def _with_choices(asked: DescentQuery, movable: Mapping[str, Node], view: View) -> Descend:
    """The settings as links; each leads to the start of another path."""

    def choice(label: str, ids: Sequence[str], rule: UpdateRule, *, is_on: bool) -> SectionLink:
        known = dict(zip(asked.ids, asked.start, strict=True))
        start = tuple(known.get(key, movable[key].data) for key in ids)
        there = DescentQuery(tuple(ids), rule, 0, start)
        back = {movable[key].key or "": x for key, x in known.items()}
        href = _href(view, there.text(), back)
        return SectionLink(label, there.text(), href, is_on, _moves(back))

    rule = asked.rule
    listed = [*dict.fromkeys([*asked.ids, *movable])][: view.links // 2]
    nodes = [node for node in movable.values() if node.id in set(listed)]
    toggles = [
        choice(n.name, _toggled(asked.ids, n.id), rule, is_on=n.id in asked.ids) for n in nodes
    ]
    rates = sorted({*RATES, rule.rate})
    lengths = sorted({*LENGTHS, rule.steps})
    return Descend(
        leaves=toggles if len(toggles) > 1 else (),
        more=len(movable) - len(nodes),
        optimizers=[
            choice(name, asked.ids, replace(rule, optimizer=name), is_on=name == rule.optimizer)
            for name in OPTIMIZERS
        ],
        rates=[
            choice(compact(x), asked.ids, replace(rule, rate=x), is_on=x == rule.rate)
            for x in rates
        ],
        lengths=[
            choice(str(n), asked.ids, replace(rule, steps=n), is_on=n == rule.steps)
            for n in lengths
        ],
        ways=[
            choice(name, asked.ids, replace(rule, is_up=is_up), is_on=is_up == rule.is_up)
            for is_up, name in WAYS.items()
        ],
        rule=OPTIMIZERS[rule.optimizer].formula + (UPWARDS if rule.is_up else ""),
    )


def _toggled(ids: Sequence[str], key: str) -> list[str]:
    """The leaves with or without one; the last one stays."""
    if key in ids:
        return [other for other in ids if other != key] or [*ids]
    return [*ids[: MOST_LEAVES - 1], key]


def _href(view: View, text: str, moved: Mapping[str, float]) -> str:
    there = replace(view, leaves={**view.leaves, **moved}, frame=None)
    return f"/?{there.with_lens('descend', text).query()}"


def _filled(
    found: Descend,
    shown: Trace,
    chosen: Sequence[Node],
    asked: DescentQuery,
    path: DescentPath,
    view: View,
    most: int,
) -> Descend:
    drawn = picture(shown, chosen, path.places, asked.at, most)
    rows = [_row(place, chosen, asked, view) for place in path.places]
    points = [
        {
            "says": {"h": f"step {row.step}", "output": row.output}
            | {f"leaf{k}": text for k, text in enumerate(row.numbers)},
            "places": {"mark": mark} if mark else {},
            "to": row.to,
            "leaves": json.loads(row.leaves),
        }
        for row, mark in zip(rows, drawn.marks, strict=True)
    ]
    listed = _listed(rows, asked.at)
    now = path.places[asked.at].gradient
    others = [other_gradient(leaf, g) for leaf, g in zip(chosen, now, strict=True)]
    return replace(
        found,
        names=[leaf.name for leaf in chosen],
        output=shown.names()[shown.drawn],
        picture=drawn.picture,
        points=json.dumps(points),
        at=asked.at,
        rows=listed,
        left_out=len(rows) - len(listed),
        worked=list(_worked(path, asked, chosen)),
        says=[*_says(path, asked, shown, most), *filter(None, [drawn.says, *others])],
    )


def _row(
    place: DescentPoint, chosen: Sequence[Node], asked: DescentQuery, view: View
) -> DescentStepRow:
    to = replace(asked, at=place.step).text()
    pairs = zip(chosen, place.numbers, strict=True)
    moved = {leaf.key or "": x for leaf, x in pairs}
    return DescentStepRow(
        place.step,
        [in_equation(x) for x in place.numbers],
        [in_equation(x) for x in place.gradient],
        in_equation(place.output),
        to,
        _href(view, to, moved),
        _moves(moved),
        place.step == asked.at,
    )


def _moves(numbers: Mapping[str, float]) -> str:
    """JSON for the scripts: the number of each leaf, in full and as its field shows it."""
    return json.dumps({to_parameter(key): [full(x), _in_field(x)] for key, x in numbers.items()})


def _in_field(x: float) -> str:
    """A number as the field of a leaf shows it, as `static/js/explore/leaves.js` does."""
    text = full(x)
    return text if len(text) <= FIELD else short(x)


def _listed(rows: Sequence[DescentStepRow], at: int) -> list[DescentStepRow]:
    """The first steps, the last one and the one shown."""
    return [row for row in rows if row.step < LISTED or row.step in (at, len(rows) - 1)]


def _worked(path: DescentPath, asked: DescentQuery, chosen: Sequence[Node]) -> Iterator[Worked]:
    count = min(WORKED, len(path.places) - 1)
    leaves = chosen[:WORKED_LEAVES]
    found = [arithmetic(path, asked.rule, k, count) for k in range(len(leaves))]
    for step in range(count):
        for leaf, lines in zip(leaves, found, strict=True):
            named = [_line(line, leaf) for line in lines[step]]
            yield Worked(step + 1, leaf.name, named)


def _line(line: UpdateLine, leaf: Node) -> tuple[str, str, str]:
    """A line of the rule as texts; the parameter has the leaf's name."""
    name = leaf.name if line.name == "p" else line.name
    text = line.text
    for written, shown in SIGNS.items():
        text = text.replace(written, shown)
    return name, text, in_equation(line.result)


def _says(path: DescentPath, asked: DescentQuery, shown: Trace, most: int) -> Iterator[str]:
    """The course of the path, and how it ended."""
    output, first, last = shown.names()[shown.drawn], path.places[0], path.places[-1]
    ends = f"from {in_equation(first.output)} to {in_equation(last.output)}"
    yield f"{output} goes {ends} in {counted(last.step, 'step')}."
    change = last.output - first.output
    if change and (change > 0) != asked.rule.is_up:
        yield AGAINST[asked.rule.is_up]
    elif last.step and all(abs(g) < SETTLED for g in last.gradient):
        rest = next(
            place.step for place in path.places if all(abs(g) < SETTLED for g in place.gradient)
        )
        yield RESTS.format(step=rest)
    if path.ended:
        yield ENDED.format(step=last.step, reason=path.ended)
    if path.is_cut:
        yield CUT.format(count=counted(last.step, "step"), most=most)
    if path.other_at is not None:
        yield OTHER.format(step=path.other_at)

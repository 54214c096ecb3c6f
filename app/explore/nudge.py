"""The nudge: one or two leaves moved, and the change of the output beside the predicted one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from app.picture.landscape import landscape
from app.picture.plots import HUGE, Plot, scale
from app.program_address import View
from engine.numbers import compact, in_equation
from engine.trace import gradcheck, nudge
from engine.trace.model import Node
from engine.trace.nudge import NudgeSample
from engine.trace.traced import Trace

NO_PASS = "The program has run no backward pass, so there is no prediction to compare with."
NOTHING = "No leaf can be moved: no path leads from a leaf with a gradient to the output."
NO_NUMBER = "No leaf with a gradient can be moved: none of them is a finite number."
TOO_LARGE = "Not drawn: {leaf} is beyond the largest number that is plotted, {most}."
NO_OUTPUT = "Not drawn: nowhere in this range is {output} a finite number of at most {most}."
TOO_MUCH = "Not drawn: this would take more than {most:,} operations."
EMPTY = Markup()
REACHES = (10.0, 1.0, 0.1, 0.01)
AT_FIRST = 0.25  # of the reach


class SectionLink(NamedTuple):
    """A link in a section; `to` is the text that it gives the section's parameter.

    `leaves` is JSON: the numbers of the leaves that it moves, by their parameters.
    """

    label: str
    to: str
    href: str
    is_chosen: bool
    leaves: str = ""


Places = dict[str, list[float]]
"""The pixels of marks, by name."""


class Readout(NamedTuple):
    """The texts of one place of the dial."""

    h: str
    predicted: str
    true: str
    off: str


@dataclass(frozen=True, slots=True)
class Nudge:
    """The experiment: choices, a picture, and a dial whose places are samples.

    `points` is JSON for the dial: per sample its texts, the places of its marks, its address.
    """

    missing: str = ""
    firsts: Sequence[SectionLink] = ()
    seconds: Sequence[SectionLink] = ()
    reaches: Sequence[SectionLink] = ()
    more: int = 0
    """The leaves that are not among the choices."""
    moved: str = ""
    output: str = ""
    slope: str = ""
    picture: Markup = EMPTY
    points: str = ""
    at: int = 0
    count: int = 0
    now: Readout | None = None


class NudgeQuery(NamedTuple):
    """What an address asks for: ids of leaves, how far at most, the sample's number."""

    ids: tuple[str, ...]
    reach: float
    at: int


def nudge_view(shown: Trace, view: View, most: int) -> Nudge:
    """The experiment that an address asks for, on the graph of a trace."""
    if not gradcheck.is_due(shown):
        return Nudge(missing=NO_PASS)
    movable = nudge.movable(shown)
    leaves = {leaf.id: leaf for leaf in movable if math.isfinite(leaf.data)}
    if not leaves:
        return Nudge(missing=NO_NUMBER if movable else NOTHING)
    asked = _asked(view, leaves)
    chosen = [leaves[key] for key in asked.ids]
    found = Nudge(missing=TOO_MUCH.format(most=most))
    if nudge.evaluations(len(chosen)) * len(shown.nodes) <= most:
        found = _experiment(shown, chosen, asked)
    return _with_choices(found, leaves, asked, view)


def _experiment(shown: Trace, chosen: Sequence[Node], asked: NudgeQuery) -> Nudge:
    most = compact(HUGE)
    if large := next((leaf for leaf in chosen if abs(leaf.data) > HUGE), None):
        return Nudge(missing=TOO_LARGE.format(leaf=large.name, most=most))
    drawn = _along(shown, chosen[0], asked) if len(chosen) == 1 else _over(shown, chosen, asked)
    if not any(abs(sample.output) <= HUGE for sample in drawn.samples):
        return Nudge(missing=NO_OUTPUT.format(output=shown.names()[shown.drawn], most=most))
    return _view(shown, drawn, asked)


def _asked(view: View, leaves: dict[str, Node]) -> NudgeQuery:
    names, _, rest = view.lenses.get("nudge", "").partition("@")
    reach, _, at = rest.partition("@")
    ids = tuple(dict.fromkeys(key for key in names.split(",") if key in leaves))[:2]
    first = ids or (next(iter(leaves)),)
    wanted = next((r for r in REACHES if compact(r) == reach), 1.0)
    number = int(at) if at.isascii() and at.isdigit() and len(at) < 4 else -1
    last = 2 * nudge.HALF
    default = nudge.HALF + round(AT_FIRST * nudge.HALF)
    return NudgeQuery(first, wanted, number if 0 <= number <= last else default)


def _to(ids: Sequence[str], reach: float) -> str:
    return f"{','.join(ids)}@{compact(reach)}"


def _with_choices(found: Nudge, leaves: dict[str, Node], asked: NudgeQuery, view: View) -> Nudge:
    """The view with links to the other leaves and reaches."""

    def choice(label: str, ids: Sequence[str], reach: float, is_chosen: bool) -> SectionLink:
        to = _to(ids, reach)
        return SectionLink(label, to, f"/?{view.with_lens('nudge', to).query()}", is_chosen)

    first, *second = asked.ids
    listed = dict([*[(key, leaves[key]) for key in asked.ids], *leaves.items()][: view.links // 2])
    listed = {key: leaf for key, leaf in leaves.items() if key in listed}
    rest = [leaf for leaf in listed.values() if leaf.id != first]
    firsts = tuple(
        choice(leaf.name, [leaf.id, *(k for k in second if k != leaf.id)], asked.reach,
               leaf.id == first)
        for leaf in listed.values()
    )  # fmt: skip
    seconds = (
        choice("none", [first], asked.reach, not second),
        *(choice(leaf.name, [first, leaf.id], asked.reach, leaf.id in second) for leaf in rest),
    )
    reaches = tuple(choice(f"±{compact(r)}", asked.ids, r, r == asked.reach) for r in REACHES)
    more = len(leaves) - len(listed)
    seconds = seconds if rest else ()
    return replace(found, firsts=firsts, seconds=seconds, reaches=reaches, more=more)


class NudgePicture(NamedTuple):
    """An experiment's picture, its samples with the places of their marks, and the slope."""

    moved: str
    slope: float
    here: float
    samples: Sequence[NudgeSample]
    places: Sequence[Places]
    picture: Markup


def _view(shown: Trace, drawn: NudgePicture, asked: NudgeQuery) -> Nudge:
    readouts = [_readout(sample, drawn.here) for sample in drawn.samples]
    prefix = _to(asked.ids, asked.reach)
    points = [
        {"says": readout._asdict(), "places": places, "to": f"{prefix}@{k}"}
        for k, (readout, places) in enumerate(zip(readouts, drawn.places, strict=True))
    ]
    return Nudge(
        moved=drawn.moved,
        output=shown.names()[shown.drawn],
        slope=compact(drawn.slope),
        picture=drawn.picture,
        points=json.dumps(points),
        at=asked.at,
        count=len(points),
        now=readouts[asked.at],
    )


def _along(shown: Trace, leaf: Node, asked: NudgeQuery) -> NudgePicture:
    """One leaf: the output over it, with the line of the gradient's slope."""
    found = nudge.curve(shown, leaf, asked.reach)
    output = shown.names()[shown.drawn]
    curve = [(s.x, s.output) for s in found.samples]
    tangent = [(s.x, found.here + s.predicted) for s in found.samples]
    plot = Plot(scale((x for x, _ in curve), 0.0), scale(y for _, y in curve))
    places = [_places(sample, found.here, plot.at, sample.x) for sample in found.samples]
    parts = [
        *plot.grid(leaf.name, output),
        plot.line(curve, "curve"),
        plot.line([point for point in tangent if plot.y.low <= point[1] <= plot.y.high], "tangent"),
        *_marks(places[asked.at], plot.at(leaf.data, found.here)),
    ]
    words = f"{output} over {leaf.name}, with the line that its gradient predicts"
    picture = Markup(plot.svg(parts, words))  # noqa: S704  all text is escaped
    return NudgePicture(leaf.name, found.grad, found.here, found.samples, places, picture)


def _over(shown: Trace, leaves: Sequence[Node], asked: NudgeQuery) -> NudgePicture:
    """Two leaves: the output over both, moved along the gradient in their plane."""
    found = nudge.surface(shown, leaves, asked.reach)
    first, second = (leaf.name for leaf in leaves)
    land = landscape(found.heights, found.here, found.grads, found.reach)
    size = math.hypot(*found.grads)
    a, b = (g / size if size else 0.0 for g in found.grads)
    places = [
        _places(sample, found.here, lambda h, z: land.at(a * h, b * h, z), sample.h)
        for sample in found.samples
    ]
    marks = _marks(places[asked.at], land.at(0.0, 0.0, found.here))
    picture = land.svg((first, second, shown.names()[shown.drawn]), marks)
    moved = f"{first} and {second} along the gradient"
    return NudgePicture(moved, size, found.here, found.samples, places, picture)


def _places(
    sample: NudgeSample, here: float, at: Callable[[float, float], Sequence[float]], x: float
) -> Places:
    """The marks of a sample: the true output, and the predicted one."""
    heights = {"true": sample.output, "predicted": here + sample.predicted}
    return {
        name: [round(pixel, 1) for pixel in at(x, y)]
        for name, y in heights.items()
        if math.isfinite(y)
    }


def _marks(places: Places, here: Sequence[float]) -> Iterator[str]:
    if all(map(math.isfinite, here)):
        yield f'<circle class="here" cx="{here[0]:.1f}" cy="{here[1]:.1f}" r="3.5"/>'
    else:
        here = (0.0, 0.0)  # of marks that stay hidden
    for name in ("predicted", "true"):
        x, y = places.get(name, here)
        shown = "visible" if name in places else "hidden"
        place = f'cx="{x:.1f}" cy="{y:.1f}" r="5" visibility="{shown}"'
        yield f'<circle class="{name}" data-place="{name}" {place}/>'


def _readout(sample: NudgeSample, here: float) -> Readout:
    true = sample.output - here
    off = true - sample.predicted
    return Readout(
        compact(sample.h), in_equation(sample.predicted), in_equation(true), in_equation(off)
    )

"""Gradients of whole arrays that a program computed by hand, beside the true ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from markupsafe import Markup, escape

from app.picture.array_map import array_map, scale_of
from app.picture.array_picture import shape_text
from engine.array_ops.grid import indices
from engine.by_hand import model
from engine.by_hand.model import HandGradient, HandVerdict
from engine.numbers import in_equation

COMPARED = 3
"""Wrong gradients that are shown number by number."""


class HandRow(NamedTuple):
    """A row of the table."""

    name: str
    shape: str
    line: int
    true: str
    difference: str
    state: str
    sign: str
    says: str
    yours: str = ""
    """The number itself, where gradients are numbers; then `true` is one, too."""


class ComparedGrid(NamedTuple):
    """One of three maps: yours, due, difference."""

    title: str
    role: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class ComparedArray:
    """A wrong gradient, number by number, and where the difference is largest."""

    name: str
    grids: Sequence[ComparedGrid]
    largest: str


@dataclass(frozen=True, slots=True)
class HandView:
    """The table, and the first wrong gradients."""

    rows: Sequence[HandRow]
    compared: Sequence[ComparedArray]
    source: str
    is_of_numbers: bool = False


def headline(found: HandVerdict) -> Markup:
    """The first mistake, and how far its gradient is off."""
    mistake = found.mistakes[0]
    row = next(it for it in found.gradients if it.shown == mistake.name)
    sentence = escape(mistake.message)
    if row.equality is None or f"{row.shown} is " in mistake.message:
        return sentence
    if _is_number(row):
        off = Markup('{}: <code>{}</code> is <b class="grad">{}</b>, and should be {}.')
        yours, true = (in_equation(x.data[0]) for x in (row.written, row.due or row.written))
        return off.format(mistake.message.rstrip("."), row.shown, yours, true)
    off = Markup('{}: <code>{}</code> is off by up to <b class="grad">{}</b>.')
    return off.format(mistake.message.rstrip("."), row.shown, in_equation(row.equality.maxdiff))


def _is_number(row: HandGradient) -> bool:
    return not row.written.shape and row.due is not None and not row.due.shape


def all_right(found: HandVerdict) -> str:
    count = found.right
    mean = next((it for it in found.gradients if it.state == model.MEAN), None)
    if mean is not None:
        return (
            f"What you computed by hand is {in_equation(1 / mean.factor)} times smaller than the "
            f"gradients of {found.loss}: the gradients of the mean, where {found.loss} is the sum."
        )
    lucky = [it.shown for it in found.gradients if it.state == model.LUCKY]
    if lucky:
        which = " and ".join([", ".join(lucky[:-1]), lucky[-1]] if lucky[1:] else lucky)
        return f"{which} {'is' if len(lucky) == 1 else 'are'} right for these numbers alone."
    if count < found.checked:
        return f"{count:,} of {found.checked:,} gradients of {found.loss} are right."
    if not count:
        return f"The gradients of {found.loss} could not be judged."
    which = "The gradient" if count == 1 else f"All {count:,} gradients"
    return (
        f"{which} of {found.loss} that you computed by hand {'is' if count == 1 else 'are'} right."
    )


def hand_view(found: HandVerdict) -> HandView:
    wrong = [it for it in found.gradients if it.state == model.WRONG]
    wrong += [it for it in found.gradients if it.state == model.FOLLOWS]
    wrong = [it for it in wrong if not _is_number(it)]
    line = found.loss_span[0]
    return HandView(
        [_row(it, found) for it in found.gradients],
        [_compared(it) for it in wrong[:COMPARED]],
        f"The true gradients come from reverse mode on the operations behind {found.loss}, which "
        f"line {line} computes: {found.loss} = {in_equation(found.number)}.",
        all(map(_is_number, found.gradients)),
    )


def _row(it: HandGradient, found: HandVerdict) -> HandRow:
    largest = "?" if it.due is None else in_equation(scale_of(it.due.data))
    if it.due is not None and _is_number(it):
        yours, largest = in_equation(it.written.data[0]), in_equation(it.due.data[0])
    else:
        yours = ""
    difference = "" if it.equality is None else _brief(it.equality.maxdiff)
    sign, says = _verdict(it, found)
    state = "ok" if it.state in (model.RIGHT, model.SCALED) else it.state
    return HandRow(
        it.shown, shape_text(it.written.shape), it.span[0], largest, difference, state, sign, says,
        yours,
    )  # fmt: skip


def _brief(x: float) -> str:
    """A difference: of rounding alone its size is enough."""
    if x == 0 or x >= 1e-4:
        return in_equation(x)
    return f"{x:.0e}".replace("e-0", "e-").replace("-", "−")


def _verdict(it: HandGradient, found: HandVerdict) -> tuple[str, str]:
    match it.state:
        case model.RIGHT:
            exact = it.equality is not None and it.equality.exact
            return "✓", "exact" if exact else "approx."
        case model.SCALED:
            return "✓", f"{in_equation(it.factor)} times it, taken back later"
        case model.MEAN:
            return "?", f"{in_equation(it.factor)} times it"
        case model.LUCKY:
            return "?", "for these alone"
        case model.SHAPE:
            due = "" if it.due is None else f": {it.of} is {shape_text(it.due.shape)}"
            return "!", f"shape{due}"
        case model.FOLLOWS:
            return "!", f"follows {it.because}"
        case model.WRONG:
            for mistake in found.mistakes:
                if mistake.name == it.shown or it.shown in mistake.fixes:
                    return "!", f"line {mistake.span[0]}"
            return "!", "wrong"
    return "?", f"not that of {it.of}"


def _compared(it: HandGradient) -> ComparedArray:
    assert it.due is not None
    due = it.due.data
    differences = [a - b for a, b in zip(it.written.data, due, strict=True)]
    at = max(range(len(due)), key=lambda i: abs(differences[i]), default=0)
    end = max(scale_of(it.written.data), scale_of(due))
    shape = tuple(it.due.shape) if prod(it.due.shape) == len(due) else (len(due),)
    index = ", ".join(map(str, list(indices(shape))[at])) if shape else ""
    place = f"{it.of}[{index}]" if index else it.of
    grids = [
        _grid("yours", "grad", it.written.data, shape, end, at),
        _grid("due", "due", due, shape, end, at),
        _grid("difference", "off", differences, shape, None, at),
    ]
    yours, true = in_equation(it.written.data[at]), in_equation(due[at])
    return ComparedArray(it.shown, grids, f"Largest at {place}: yours {yours}, due {true}.")


def _grid(
    title: str,
    role: str,
    data: Sequence[float],
    shape: tuple[int, ...],
    end: float | None,
    at: int,
) -> ComparedGrid:
    label = f"{title}, {shape_text(shape)}"
    found = array_map(data, shape, role, label=label, scale=end, marked=at)
    return ComparedGrid(title, role, Markup(found))  # noqa: S704  escaped where it is written

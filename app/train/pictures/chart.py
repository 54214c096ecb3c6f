"""The loss curve as SVG: training, test (dashed), penalty, and a run for comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.picture.drawing import FONT
from app.picture.palette import LIGHT
from app.picture.text import escaped
from app.picture.ticks import ticks
from app.train.pictures.looks import look
from engine.numbers import brief, compact, counted

WIDTH, HEIGHT = 364.0, 142.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 10.0, 22.0
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
WHOLE = 1_000  # longest run, in steps, whose axis has its full length from the start

Plain = Mapping[str, Any]
Losses = Sequence[Any]
"""Numbers as in JSON, with "nan", "inf" and "-inf" for non-finite ones."""


def loss_svg(
    setup: Plain,
    losses: Losses,
    test_losses: Losses = (),
    page: bool = False,
    beside: Losses = (),
    penalties: Losses = (),
) -> str:
    """The chart of the losses so far, inline for a page or as a standalone file."""
    own = "batch" if any(segment["partial"] for segment in setup.get("segments", ())) else "train"
    kinds = {"beside": beside, "penalty": penalties, "test": test_losses, own: losses}
    curves = {name: [float(x) for x in found] for name, found in kinds.items() if len(found)}
    top = _top(curves)
    reached = max([1, *(len(curve) - 1 for curve in curves.values())])
    last = max(reached, min(setup["steps"], WHOLE))
    parts = (*_axes(last, top, page), *_curves(curves, last, top, page))
    return "".join((_head(losses, test_losses, page), *parts, "</svg>"))


def penalties(state: Plain) -> Losses:
    """The penalty before each step so far and at the current one; [] without any."""
    found = state.get("penalties", ())
    return [*found, state["penalty"]] if found or float(state["penalty"]) else []


def loss_words(losses: Losses, test_losses: Losses = ()) -> str:
    """The text alternative of the curve: "loss 1.181 → 0.0123 after 100 steps"."""
    if len(losses) < 2:
        return f"Loss {brief(losses[0])} before the first step" if losses else "No step yet"
    words = f"loss {brief(losses[0])} → {brief(losses[-1])}"
    words += f" after {counted(len(losses) - 1, 'step')}"
    return f"{words}; test loss {brief(test_losses[-1])}" if test_losses else words


def _head(losses: Losses, test_losses: Losses, page: bool) -> str:
    box = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}"'
    words = escaped(loss_words(losses, test_losses))
    if page:
        return f'<svg class="loss-picture" {box} role="img" aria-label="{words}">'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {box} width="{2 * WIDTH:g}"'
        f' height="{2 * HEIGHT:g}" role="img" font-family="{FONT}">'
        f"<title>Loss over the steps</title><desc>{words}</desc>"
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="6" fill="{LIGHT.panel}"/>'
    )


# Axes


def _top(curves: Mapping[str, Sequence[float]]) -> float:
    """The largest finite loss with a margin; 1 if there is none."""
    finite = [x for curve in curves.values() for x in curve if math.isfinite(x)]
    return max(finite, default=0.0) * 1.05 or 1.0


def _axes(last: int, top: float, page: bool) -> Iterator[str]:
    for value in ticks(0.0, top):
        y = TOP + DOWN * (1 - value / top)
        yield f'<path{look("grid", page)} d="M{LEFT:g} {y:.1f}h{ACROSS:g}"/>'
        yield _tick(LEFT - 6, y + 3.6, compact(value), "end", page)
    bottom = TOP + DOWN
    yield f'<path{look("axis", page)} d="M{LEFT:g} {bottom:g}h{ACROSS:g}"/>'
    for value in ticks(0.0, float(last)):
        if value == int(value):
            x = LEFT + ACROSS * value / last
            anchor = "end" if x > WIDTH - RIGHT - 12 else "middle"
            yield _tick(x, bottom + 15, f"{int(value):,}", anchor, page)


def _tick(x: float, y: float, words: str, anchor: str, page: bool) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f"<text{look('tick', page)} {place}>{words}</text>"


# Curves


def _curves(
    curves: Mapping[str, Sequence[float]], last: int, top: float, page: bool
) -> Iterator[str]:
    for name, curve in curves.items():
        line = _line(curve, last, top)
        shape = f'd="{line}" stroke-linejoin="round" stroke-linecap="round"'
        yield f'<path fill="none"{look(f"curve {name}", page)} {shape}/>'


def _line(curve: Sequence[float], last: int, top: float) -> str:
    """A path through the losses, interrupted at non-finite ones.

    Of many steps within one pixel, only the minimum and the maximum are drawn.
    """
    parts, pen = [], "M"
    for step, loss in _thinned(curve, math.ceil(len(curve) / (2 * ACROSS))):
        if not math.isfinite(loss):
            pen = "M"
            continue
        x, y = LEFT + ACROSS * step / last, TOP + DOWN * (1 - max(loss, 0.0) / top)
        parts.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
    return "".join(parts) if len(parts) != 1 else f"{parts[0]}h0.01"


def _thinned(curve: Sequence[float], width: int) -> Iterator[tuple[int, float]]:
    if width <= 1:
        yield from enumerate(curve)
        return
    for start in range(0, len(curve), 2 * width):
        part = range(start, min(start + 2 * width, len(curve)))
        finite = [i for i in part if math.isfinite(curve[i])]
        if not finite:
            yield start, math.nan
            continue
        ends = {min(finite, key=curve.__getitem__), max(finite, key=curve.__getitem__)}
        yield from ((i, curve[i]) for i in sorted(ends | {part[-1]}))

"""The outputs of a network over its input space as PNG: a boundary, a shaded plane or a curve.

Samples are drawn on top, training samples filled and test samples hollow.
"""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from app.caches import cached
from app.picture.palette import DARK, LIGHT, Palette, Rgb, mixed, rgb
from app.train.pictures.looks import shade
from app.train.pictures.raster import Point, Raster
from engine.training.losses import LOSSES

WIDTH, HEIGHT = 560, 392
RADIUS, RING, HOLLOW = 5.6, 1.5, 3.1  # radius of a point, width of its halo, radius of its hole
EDGE = 0.8  # width of the outline of a point that may have the colour of its ground
CROWD = 250  # points drawn at this size; more points are drawn smaller
MOST_POINTS = 800
SURE = 0.75  # opacity of a class at full confidence
FLAT = 0.7  # share of the colour of a class in a flat picture
CURVE = 3.4  # pixels
NAN = 0  # the byte of nan

Plain = Mapping[str, Any]


def boundary_png(
    setup: Plain, state: Plain, dark: bool = False, flat: bool = False, tests: bool = True
) -> bytes:
    """The picture of a state; blank with more than two inputs.

    `flat` gives each class one colour, `tests` includes the test samples.
    """
    palette = DARK if dark else LIGHT
    raster = Raster(WIDTH, HEIGHT, rgb(palette.map_zero))
    if setup["bounds"] is not None:
        if state["grid"] is not None:
            raster.cells(_colours(setup, b64decode(state["grid"]), palette, flat))
        _points(raster, setup, palette, tests)
        if state["curve"] is not None:
            _curves(raster, setup, state["curve"], palette)
    return raster.png()


# Outputs


def _colours(setup: Plain, grid: bytes, palette: Palette, flat: bool) -> list[bytes]:
    """The colours of the cells, row by row."""
    side = setup["grid"]
    area = side * side
    planes = [grid[i * area : (i + 1) * area] for i in range(setup["outputs"])]
    if len(planes) == 1:
        table = _shades(palette, setup["threshold"] / setup["limit"], flat)
        colours = b"".join([table[byte] for byte in planes[0]])
    else:
        colours = b"".join(
            [_surest(bytes(cell), palette, flat) for cell in zip(*planes, strict=True)]
        )
    return [colours[3 * side * y : 3 * side * (y + 1)] for y in range(side)]


@cached("shades of an output")
def _shades(palette: Palette, threshold: float, flat: bool) -> list[bytes]:
    """The colour map of a single output, indexed by byte, with the threshold in the neutral colour.

    `threshold` is a fraction of the limit of the output, below 1.
    """
    shares = [((i - 128) / 127 - threshold) / (1 - threshold) for i in range(1, 256)]
    if flat:
        shares = [FLAT if share >= 0 else -FLAT for share in shares]
    found = [bytes(shade(palette, min(max(share, -1.0), 1.0))) for share in shares]
    return [_nan(palette), *found]


@cached("colours of classes")
def _surest(cell: bytes, palette: Palette, flat: bool) -> bytes:
    """The colour of the class with the largest output, faded by its margin over the second."""
    if NAN in cell:
        return _nan(palette)
    first, second = sorted(cell, reverse=True)[:2]
    colour = rgb(class_colour(cell.index(first), palette))
    lead = 1.0 if flat else min((first - second) / 127, 1.0)
    return bytes(mixed(rgb(palette.map_zero), colour, SURE * lead))


def _nan(palette: Palette) -> bytes:
    """The colour of nan, which is neither that of positive nor that of negative numbers."""
    return bytes(mixed(rgb(palette.mute), rgb(palette.map_zero), 0.5))


def class_colour(number: int, palette: Palette) -> str:
    """The colour of a class."""
    return palette.classes[number % len(palette.classes)]


def _curves(raster: Raster, setup: Plain, curve: Sequence[Sequence[Any]], palette: Palette) -> None:
    xs, *outputs = curve
    for number, ys in enumerate(outputs):
        colour = palette.data if len(outputs) == 1 else class_colour(number, palette)
        places: list[Point] = []
        for x, y in zip(xs, map(float, ys), strict=True):
            if math.isfinite(y):
                places.append(_place(setup, x, _held(setup, y)))
        raster.line(places, CURVE, rgb(colour))


def _held(setup: Plain, y: float) -> float:
    """A height clamped to near the picture, to bound the cost of drawing the line."""
    low: float
    high: float
    low, high = setup["bounds"][2:]
    return min(max(y, low - (high - low)), high + (high - low))


# Samples


def _points(raster: Raster, setup: Plain, palette: Palette, tests: bool) -> None:
    samples = [sample for sample in setup["samples"] if tests or not sample["test"]]
    size = 1.0 if len(samples) <= CROWD else math.sqrt(CROWD / len(samples))
    panel = rgb(palette.panel)
    for sample in samples[:: 1 + len(samples) // MOST_POINTS]:
        place = _place(setup, *_where(setup, sample))
        colour = _colour(setup, sample, palette)
        raster.disc(place, (RADIUS + RING) * size, panel)
        if _is_valued(setup):
            raster.disc(place, (RADIUS + EDGE) * size, rgb(palette.mute))
        raster.disc(place, RADIUS * size, colour)
        if sample["test"]:
            raster.disc(place, HOLLOW * size, panel)


def _where(setup: Plain, sample: Plain) -> tuple[float, float]:
    """The position of a sample in data coordinates."""
    if setup["inputs"] == 2:
        return sample["x"][0], sample["x"][1]
    return sample["x"][0], _target(setup, sample["y"])


def _target(setup: Plain, label: float) -> float:
    """The height of a sample with one input: its target, or the target output of its class."""
    if setup["kind"] == "classes" and setup["outputs"] == 1 and label == 0:
        return LOSSES[setup["spec"]["loss"]].no
    return 1.0 if setup["kind"] == "classes" else label


def _is_valued(setup: Plain) -> bool:
    """Whether samples have the colour of their target on the scale of the outputs."""
    return bool(setup["kind"] != "classes" and setup["inputs"] == 2)


def _colour(setup: Plain, sample: Plain, palette: Palette) -> Rgb:
    if setup["kind"] == "classes":
        return rgb(class_colour(int(sample["y"]), palette))
    if _is_valued(setup):
        return shade(palette, min(max(sample["y"] / setup["limit"], -1.0), 1.0))
    return rgb(palette.mute)


def _place(setup: Plain, x: float, y: float) -> Point:
    """Data coordinates in pixels."""
    left, right, low, high = setup["bounds"]
    across = (x - left) / (right - left) * WIDTH
    down = (high - y) / (high - low) * HEIGHT
    return across - 0.5, down - 0.5

"""The network as SVG: edges by weight, a map in every neuron, biases.

The layout depends on the layer sizes only. Of a wide layer the first MOST neurons are drawn, with
the number of the others below them.
"""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from app.caches import cached
from app.train.pictures.looks import LEVELS, LOST, framed, level_name
from engine.numbers import brief, signed

WIDTH, HEIGHT = 720.0, 560.0
SIDE, TOP, BOTTOM = 62.0, 74.0, 34.0  # from the border to the centres of the outermost boxes
BOX = (54.0, 40.0)
ROW = 92.0  # maximum distance between neurons of a layer
SHARE = 0.74  # maximum fraction of a row's height, and of a column's width, that a box takes
MOST = 16
THIN, THICK, HALF = 0.4, 5.0, 2.2
"""Stroke width of weight 0; its maximum increase; the |weight| at half of that increase."""
TITLED = 600  # maximum parameters of a network whose links have tooltips
NAN = 0  # the byte of nan in a map
LONG = 4  # characters of an input's name that needs more room

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NeuronBox:
    """The box of a neuron: its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The y of its centre."""
        return self.y + self.height / 2


def network_svg(setup: Plain, state: Plain, page: bool = False) -> str:
    """The network in a state, inline for a page or as a standalone file."""
    words = network_words(setup)
    about = () if page else (words, f"After {state['step']:,} steps.")
    return framed("network-picture", (WIDTH, HEIGHT), words, _parts(setup, state), about)


def network_words(setup: Plain) -> str:
    """The network in a sentence."""
    layers = " → ".join(map(str, setup["layers"]))
    names = ", ".join(dict.fromkeys(setup["activations"]))
    words = f"Network {layers} of {setup['parameter_count']:,} parameters, {names}."
    stripes = " In each neuron each stripe is a sample." if setup["map_kind"] == "samples" else ""
    return words + stripes


def _parts(setup: Plain, state: Plain) -> Iterator[str]:
    """Links come first, so that boxes cover their ends."""
    columns = places(tuple(setup["layers"]))
    yield from _captions(setup, columns)
    yield '<g fill="none">'
    yield from _links(setup, state, columns)
    yield "</g>"
    yield from _neurons(setup, state, columns)


# Places


@cached("places of neurons")
def places(layers: tuple[int, ...]) -> tuple[tuple[NeuronBox, ...], ...]:
    """The drawn boxes of each layer, the inputs first."""
    gap = (WIDTH - 2 * SIDE) / (len(layers) - 1)
    room = HEIGHT - TOP - BOTTOM
    rows = [min(ROW, room / min(size, MOST)) for size in layers]
    scale = min(1.0, SHARE * min(rows) / BOX[1], SHARE * gap / BOX[0])
    width, height = BOX[0] * scale, BOX[1] * scale
    columns = []
    for i, size in enumerate(layers):
        shown = min(size, MOST)
        start = TOP + (room - rows[i] * (shown - 1)) / 2 - height / 2
        x = SIDE + i * gap - width / 2
        columns.append(
            tuple(NeuronBox(x, start + rows[i] * k, width, height) for k in range(shown)),
        )
    return tuple(columns)


def thickness(weight: float) -> float:
    """The stroke width of a link, from THIN to THIN + THICK."""
    size = abs(weight)
    return THIN + (THICK * size / (size + HALF) if math.isfinite(size) else THICK)


# Captions


def _captions(setup: Plain, columns: Sequence[Sequence[NeuronBox]]) -> Iterator[str]:
    layers = setup["layers"]
    for i, column in enumerate(columns):
        x = column[0].x + column[0].width / 2
        yield _text(x, 20, _title(i, len(layers)), "layer")
        what = str(layers[i]) if i == 0 else f"{layers[i]} {setup['activations'][i - 1]}"
        yield _text(x, 36, what, "size")
        if layers[i] > len(column):
            more = f"+ {layers[i] - len(column):,} more"
            yield _text(x, column[-1].y + column[-1].height + 16, more, "size")
    if layers[0] <= len(columns[0]):
        for k, box in enumerate(columns[0]):
            name = setup["input_names"][k]
            x = box.x - 16 if len(name) < LONG else box.x - 26
            yield _text(x, box.middle + 4, name, "name")


def _title(layer: int, count: int) -> str:
    if layer in (0, count - 1):
        return "output" if layer else "inputs"
    return f"layer {layer}"


def _text(x: float, y: float, words: str, role: str) -> str:
    return f'<text class="{role}" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{words}</text>'


# Links


def _links(setup: Plain, state: Plain, columns: Sequence[Sequence[NeuronBox]]) -> Iterator[str]:
    parameters, titled = state["parameters"], setup["parameter_count"] <= TITLED
    start = 0
    for layer, (nin, nout) in enumerate(pairwise(setup["layers"]), 1):
        for k, box in enumerate(columns[layer]):
            first = start + k * (nin + 1)
            for i, source in enumerate(columns[layer - 1]):
                weight = float(parameters[first + i])
                words = f"{_whose(layer - 1, i)} → {_whose(layer, k)}: weight {signed(weight)}"
                yield _link(source, box, weight, words if titled else "")
        start += (nin + 1) * nout


def _link(source: NeuronBox, to: NeuronBox, weight: float, words: str) -> str:
    x1, x2 = source.x + source.width, to.x
    bend = (x2 - x1) / 2
    line = (
        f"M{x1:.1f} {source.middle:.1f}C{x1 + bend:.1f} {source.middle:.1f}"
        f" {x2 - bend:.1f} {to.middle:.1f} {x2:.1f} {to.middle:.1f}"
    )
    shape = f'<path class="link {_sign(weight)}" d="{line}" stroke-width="{thickness(weight):.2f}"'
    return f"{shape}><title>{words}</title></path>" if words else f"{shape}/>"


def _sign(x: float) -> str:
    if math.isnan(x):
        return "lost"
    return "pos" if x >= 0 else "neg"


def _whose(layer: int, k: int) -> str:
    return f"layer {layer}, neuron {k + 1}" if layer else f"input {k + 1}"


# Neurons


def _neurons(setup: Plain, state: Plain, columns: Sequence[Sequence[NeuronBox]]) -> Iterator[str]:
    maps, side = b64decode(state["maps"] or ""), setup["map"]
    area = side if setup["map_kind"] == "line" else side * side
    biases = _biases(setup["layers"], state["parameters"])
    done = 0
    for layer, column in enumerate(columns):
        for k, box in enumerate(column):
            at = (done + k) * area
            bias = float(biases[layer - 1][k]) if layer else None
            yield _neuron(box, maps[at : at + area], side, (layer, k), bias)
        done += setup["layers"][layer]


def _biases(layers: Sequence[int], parameters: Sequence[Any]) -> list[Sequence[Any]]:
    """The bias of each neuron, layer by layer."""
    found, start = [], 0
    for nin, nout in pairwise(layers):
        end = start + (nin + 1) * nout
        found.append(parameters[start + nin : end : nin + 1])
        start = end
    return found


def _neuron(
    box: NeuronBox, shades: bytes, side: int, place: tuple[int, int], bias: float | None
) -> str:
    size = f'width="{box.width:.1f}" height="{box.height:.1f}" rx="4"'
    words = _whose(*place) + ("" if bias is None else f": bias {signed(bias)}")
    dot = "" if bias is None else _bias(box, bias)
    if bias is not None and not shades and box.width == BOX[0]:
        words_inside = f"{bias:+.2f}".replace("-", "−")
        dot += _text(box.width / 2, box.height / 2 + 4, words_inside, "size")
    return (
        f'<g transform="translate({box.x:.1f} {box.y:.1f})"><title>{words}</title>'
        f'<rect class="paper" {size}/>{_map(box, shades, side)}'
        f'<rect class="frame" {size}/>{dot}</g>'
    )


def _bias(box: NeuronBox, bias: float) -> str:
    """A dot at the bottom left corner, sized by |bias|."""
    radius = (1.8 + 0.7 * thickness(bias)) * box.height / BOX[1]
    return f'<circle class="bias {_sign(bias)}" cy="{box.height:.1f}" r="{radius:.1f}"/>'


def _map(box: NeuronBox, shades: bytes, side: int) -> str:
    """The map of a neuron: shaded over two inputs, a curve over one."""
    if len(shades) == side * side:
        scale = f"{box.width / side:.3f} {box.height / side:.3f}"
        shapes = "".join(
            f'<path class="{level_name(level)}" d="{line}"/>'
            for level, line in levels(shades, side).items()
        )
        return f'<g transform="scale({scale})" shape-rendering="crispEdges">{shapes}</g>'
    if len(shades) == side:
        step, low = box.width / (side - 1), box.height - 3
        points = [
            f"{i * step:.1f} {low - (low - 3) * (byte - 1) / 254:.1f}"
            for i, byte in enumerate(shades)
            if byte != NAN
        ]
        return f'<path class="response" d="M{"L".join(points)}"/>' if points else ""
    return ""


def levels(shades: bytes, side: int) -> dict[int, str]:
    """A path for each nonzero shade and for nan, made of runs along the rows, in cells."""
    paths: dict[int, list[str]] = {}
    for y in range(side):
        x = 0
        for level, run in groupby(shades[y * side : (y + 1) * side], _level):
            length = len(list(run))
            if level:
                paths.setdefault(level, []).append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return {level: "".join(line) for level, line in sorted(paths.items())}


def _level(byte: int) -> int:
    return LOST if byte == NAN else round((byte - 128) / 127 * LEVELS)


def strongest(setup: Plain, state: Plain) -> str:
    """The largest weight in words, as text alternative of the links."""
    found: tuple[float, str] = (0.0, "")
    start = 0
    for layer, (nin, nout) in enumerate(pairwise(setup["layers"]), 1):
        for k in range(nout):
            for i in range(nin):
                weight = float(state["parameters"][start + k * (nin + 1) + i])
                if abs(weight) > abs(found[0]):
                    found = weight, f"{_whose(layer - 1, i)} to {_whose(layer, k)}"
        start += (nin + 1) * nout
    return f"The largest weight is {brief(found[0])}, from {found[1]}." if found[1] else ""

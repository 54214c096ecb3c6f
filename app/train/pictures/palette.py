"""The colours of training's pictures where no style sheet reaches, light and dark.

They are those of the tokens in `static/css/app.css` with the same names. On the page itself the
same parts carry classes, which `static/css/train.css` paints.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

Rgb = tuple[int, int, int]
Attributes = dict[str, str]


@dataclass(frozen=True, slots=True)
class Palette:
    """One set of colours; `classes` are those of the classes of samples, in their order."""

    panel: str
    ink: str
    mute: str
    line: str
    line_strong: str
    data: str
    pos: str
    neg: str
    map_pos: str
    map_neg: str
    map_zero: str
    classes: tuple[str, ...]


LIGHT = Palette(
    panel="#ffffff",
    ink="#1b2330",
    mute="#596273",
    line="#e2e5eb",
    line_strong="#c8cdd7",
    data="#0a5fb8",
    pos="#0f766e",
    neg="#9d3c8f",
    map_pos="#4ea69c",
    map_neg="#c37ab7",
    map_zero="#ffffff",
    classes=(
        *("#9d3c8f", "#0f766e", "#9a6700", "#4653b5"),
        *("#8a4b2a", "#4d7c0f", "#b4314f", "#475569"),
    ),
)
DARK = Palette(
    panel="#151a22",
    ink="#e4e9f0",
    mute="#98a3b3",
    line="#2a313c",
    line_strong="#414a58",
    data="#74b6ff",
    pos="#4fc9ba",
    neg="#e48fd6",
    map_pos="#26897e",
    map_neg="#9c4c91",
    map_zero="#10151c",
    classes=(
        *("#e48fd6", "#4fc9ba", "#e3b341", "#9aa7ff"),
        *("#d79a74", "#a3d15a", "#ff8fa3", "#a9b6c8"),
    ),
)

LEVELS = 8
"""Shades of a neuron's map on each side of 0."""


def rgb(colour: str) -> Rgb:
    """The three bytes of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """`one` with so large a share of `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def written(colour: Rgb) -> str:
    """A colour as "#rrggbb"."""
    return "#" + bytes(colour).hex()


def shade(palette: Palette, share: float) -> Rgb:
    """The colour of a number in a map, from −1 to 1."""
    side = palette.map_pos if share > 0 else palette.map_neg
    return mixed(rgb(palette.map_zero), rgb(side), abs(share))


def level_name(level: int) -> str:
    """The class of a shade: "p6" is the most positive, "n6" the most negative, "z" is 0."""
    return f"{'p' if level > 0 else 'n'}{abs(level)}" if level else "z"


_LOOKS: dict[str, Attributes] = {
    "link pos": {"stroke": LIGHT.pos, "stroke-opacity": "0.75"},
    "link neg": {"stroke": LIGHT.neg, "stroke-opacity": "0.75"},
    "link lost": {"stroke": LIGHT.mute, "stroke-dasharray": "4 4"},
    "frame": {"fill": "none", "stroke": LIGHT.mute, "stroke-width": "1"},
    "paper": {"fill": LIGHT.map_zero},
    "response": {"fill": "none", "stroke": LIGHT.data, "stroke-width": "1.6"},
    "bias pos": {"fill": LIGHT.pos, "stroke": LIGHT.panel, "stroke-width": "1.2"},
    "bias neg": {"fill": LIGHT.neg, "stroke": LIGHT.panel, "stroke-width": "1.2"},
    "name": {"fill": LIGHT.ink, "font-size": "13"},
    "layer": {"fill": LIGHT.ink, "font-size": "12", "font-weight": "600"},
    "size": {"fill": LIGHT.mute, "font-size": "12"},
    "grid": {"stroke": LIGHT.line, "stroke-width": "1"},
    "axis": {"stroke": LIGHT.line_strong, "stroke-width": "1"},
    "tick": {"fill": LIGHT.mute, "font-size": "10.5"},
    "curve train": {"stroke": LIGHT.data, "stroke-width": "1.8"},
    "curve test": {"stroke": LIGHT.ink, "stroke-width": "1.4", "stroke-dasharray": "5 3"},
    "curve beside": {"stroke": LIGHT.mute, "stroke-width": "1.4"},
    **{
        level_name(level): {"fill": written(shade(LIGHT, level / LEVELS))}
        for level in range(-LEVELS, LEVELS + 1)
    },
}


@cache
def look(role: str, page: bool) -> str:
    """The attributes of a part of a picture: its class on a page, its colours elsewhere."""
    if page:
        return f' class="{role}"'
    return "".join(f' {name}="{value}"' for name, value in _LOOKS[role].items())

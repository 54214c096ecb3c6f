"""The colours of standalone pictures, for slides, print and `<img>`.

They equal the custom properties of the same names in `static/css/app.css`; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

Rgb = tuple[int, int, int]
Attributes = dict[str, str]


@dataclass(frozen=True, slots=True)
class Palette:
    """A set of colours, "#rrggbb"; `classes` are those of the samples' classes, in order."""

    panel: str
    raised: str
    ink: str
    mute: str
    line: str
    line_strong: str
    edge: str
    cap: str
    constant: str
    data: str
    grad: str
    grad_line: str
    leaf: str
    leaf_soft: str
    leaf_line: str
    op: str
    op_soft: str
    op_line: str
    error: str
    pos: str
    neg: str
    map_pos: str
    map_neg: str
    map_zero: str
    classes: tuple[str, ...]


LIGHT = Palette(
    panel="#ffffff",
    raised="#ffffff",
    ink="#1b2330",
    mute="#596273",
    line="#e2e5eb",
    line_strong="#c8cdd7",
    edge="#aab3c1",
    cap="#f1f3f7",
    constant="#fafbfc",
    data="#0a5fb8",
    grad="#b34a05",
    grad_line="#d59b76",
    leaf="#17714e",
    leaf_soft="#e4f4ed",
    leaf_line="#9bd0ba",
    op="#5546ad",
    op_soft="#efecfb",
    op_line="#b9aee8",
    error="#b3182d",
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
    raised="#1c222c",
    ink="#e4e9f0",
    mute="#98a3b3",
    line="#2a313c",
    line_strong="#414a58",
    edge="#5d6878",
    cap="#262e3a",
    constant="#171d26",
    data="#74b6ff",
    grad="#ffa25e",
    grad_line="#966543",
    leaf="#5ecb9d",
    leaf_soft="#14301f",
    leaf_line="#2f6c52",
    op="#b7abff",
    op_soft="#262144",
    op_line="#544a93",
    error="#ff8b95",
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


def rgb(colour: str) -> Rgb:
    """The three bytes of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Linear interpolation between two colours; `share` is the weight of `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def written(colour: Rgb) -> str:
    """A colour as "#rrggbb"."""
    return "#" + bytes(colour).hex()

"""The style of elements in training's pictures: CSS classes on the page, attributes in files.

On the page `static/css/train.css` styles the classes; in files the colours are the light palette's.
"""

from __future__ import annotations

from app.caches import cached
from app.picture.palette import LIGHT, Attributes, Palette, Rgb, mixed, rgb, written

LEVELS = 8
"""Shades of a neuron's map for each sign."""

LOST = LEVELS + 1
"""The level of nan, which has a colour of its own."""


def shade(palette: Palette, share: float) -> Rgb:
    """The colour of a number from −1 to 1 in a map."""
    side = palette.map_pos if share > 0 else palette.map_neg
    return mixed(rgb(palette.map_zero), rgb(side), abs(share))


def level_name(level: int) -> str:
    """The CSS class of a shade: "p8" is the most positive, "n8" the most negative, "z" is 0."""
    if level == LOST:
        return "nan"
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
    "bias lost": {"fill": LIGHT.mute, "stroke": LIGHT.panel, "stroke-width": "1.2"},
    "name": {"fill": LIGHT.ink, "font-size": "13"},
    "layer": {"fill": LIGHT.ink, "font-size": "12", "font-weight": "600"},
    "size": {"fill": LIGHT.mute, "font-size": "12"},
    "grid": {"stroke": LIGHT.line, "stroke-width": "1"},
    "axis": {"stroke": LIGHT.line_strong, "stroke-width": "1"},
    "tick": {"fill": LIGHT.mute, "font-size": "10.5"},
    "curve train": {"stroke": LIGHT.data, "stroke-width": "1.8"},
    "curve batch": {"stroke": LIGHT.data, "stroke-width": "1"},
    "curve test": {"stroke": LIGHT.ink, "stroke-width": "1.4", "stroke-dasharray": "5 3"},
    "curve penalty": {"stroke": LIGHT.grad, "stroke-width": "1.2"},
    "curve beside": {"stroke": LIGHT.mute, "stroke-width": "1.4"},
    **{
        level_name(level): {"fill": written(shade(LIGHT, level / LEVELS))}
        for level in range(-LEVELS, LEVELS + 1)
    },
    level_name(LOST): {"fill": written(mixed(rgb(LIGHT.mute), rgb(LIGHT.map_zero), 0.5))},
}


@cached("looks of elements")
def look(role: str, page: bool) -> str:
    """The attributes of an element: its CSS class on a page, its colours in a file."""
    if page:
        return f' class="{role}"'
    return "".join(f' {name}="{value}"' for name, value in _LOOKS[role].items())

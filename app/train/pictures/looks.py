"""The style of elements in training's pictures: CSS classes on the page, attributes in files.

On the page `static/css/train.css` styles the classes; in files the colours are the light palette's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from app.caches import cached
from app.picture.drawing import FONT
from app.picture.palette import LIGHT, Attributes, Palette, Rgb, mixed, rgb, written
from app.picture.text import escaped

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


_CURVE = {"fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round"}
_DASHED = {"stroke-dasharray": "5 3"}
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
    "curve train": {**_CURVE, "stroke": LIGHT.data, "stroke-width": "1.8"},
    "curve batch": {**_CURVE, "stroke": LIGHT.data, "stroke-width": "1"},
    "curve test": {**_CURVE, **_DASHED, "stroke": LIGHT.ink, "stroke-width": "1.4"},
    "curve penalty": {**_CURVE, "stroke": LIGHT.grad, "stroke-width": "1.2"},
    "curve beside": {**_CURVE, "stroke": LIGHT.mute, "stroke-width": "1.4"},
    **{
        level_name(level): {"fill": written(shade(LIGHT, level / LEVELS))}
        for level in range(-LEVELS, LEVELS + 1)
    },
    level_name(LOST): {"fill": written(mixed(rgb(LIGHT.mute), rgb(LIGHT.map_zero), 0.5))},
}


_CLASS = re.compile(r' class="([^"]+)"')


def framed(
    name: str,
    size: tuple[float, float],
    words: str,
    parts: Iterable[str],
    about: Sequence[str] = (),
    zoom: float = 1,
) -> str:
    """A picture of its parts, inline for a page, where `name` is its class and `words` describe it.

    With a title and a description, `about`, it is a file, in the colours of the light palette.
    """
    width, height = size
    box, drawn = f'viewBox="0 0 {width:g} {height:g}"', "".join(parts)
    if not about:
        label = f'aria-label="{escaped(words)}"'
        return f'<svg class="{name}" {box} role="img" {label}>{drawn}</svg>'
    title, description = map(escaped, about)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {box} width="{zoom * width:g}"'
        f' height="{zoom * height:g}" role="img" font-family="{FONT}"><title>{title}</title>'
        f'<desc>{description}</desc><rect width="{width:g}" height="{height:g}" rx="8"'
        f' fill="{LIGHT.panel}"/>{_CLASS.sub(lambda role: _colours(role[1]), drawn)}</svg>'
    )


@cached("looks of elements")
def _colours(role: str) -> str:
    """The colours of an element of that class, as attributes."""
    return "".join(f' {name}="{value}"' for name, value in _LOOKS[role].items())

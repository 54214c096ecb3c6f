"""The picture of whole arrays as a standalone file: the page's, with attributes for its classes.

What a frame does not know yet is left out, and so is what only scripts read. The rules mirror
`static/css/arrays.css` and `static/css/by-hand.css`, in light colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from app.picture.array_map import STEPS
from app.picture.drawing import FONT
from app.picture.palette import LIGHT, Attributes, mixed, rgb, written

_XMLNS = "http://www.w3.org/2000/svg"
_NOT_OF_FILES = (
    "class",
    "tabindex",
    "data-array",
    "data-cell",
    "data-frame",
    "data-map",
    "data-from",
    "data-to",
)
_HUES = {"data": LIGHT.data, "grad": LIGHT.grad}
_MIDDLE, _END = {"text-anchor": "middle"}, {"text-anchor": "end"}
RULES: Mapping[tuple[str, str], Attributes] = {
    ("path", "flow"): {"fill": "none", "stroke": LIGHT.line_strong, "stroke-width": "1.3"},
    ("rect", "flow"): {"fill": LIGHT.panel},
    ("text", "flow"): {"font-size": "11", "fill": LIGHT.mute, **_MIDDLE},
    ("rect", "card"): {"fill": LIGHT.panel, "stroke": LIGHT.line_strong},
    ("text", "name"): {"font-size": "12", "font-weight": "bold", "fill": LIGHT.ink},
    ("text", "shape"): {"font-size": "11", "fill": LIGHT.mute, **_END},
    ("text", "by"): {"font-size": "11", "fill": LIGHT.op},
    ("text", "dtype"): {"font-size": "10", "fill": LIGHT.mute, **_END},
    ("rect", "later"): {"fill": "none", "stroke": LIGHT.line_strong, "stroke-dasharray": "2 2"},
    ("rect", "histogram"): {"fill": LIGHT.line_strong},
    ("text", "histogram"): {"font-size": "10", "fill": LIGHT.mute},
    ("path", "cross"): {"fill": "none", "stroke": LIGHT.error},
    ("path", "dark"): {"fill": "none", "stroke": LIGHT.ink},
    ("path", "light"): {"fill": "none", "stroke": LIGHT.panel},
    ("text", "light"): {"font-size": "10.5", "fill": LIGHT.panel, **_MIDDLE},
    ("text", "cell-map"): {"font-size": "10.5", "fill": LIGHT.ink, **_MIDDLE},
}
"""By the tag and a class of an element, or of the one around it."""


def standalone_arrays(picture: str) -> str:
    """The SVG of `array_picture` as a file of its own."""
    root = ET.fromstring(picture)  # noqa: S314  our own text
    root.set("xmlns", _XMLNS)
    root.set("font-family", FONT)
    _dress(root, (), LIGHT.data)
    paper = Element("rect", width=root.get("width", ""), height=root.get("height", ""))
    paper.set("fill", LIGHT.panel)
    root.insert(0, paper)
    return ET.tostring(root, encoding="unicode")


def _dress(element: Element, around: tuple[str, ...], hue: str) -> None:
    """Give an element, and those in it, the attributes of its classes."""
    looks = tuple(element.get("class", "").split())
    here = (*looks, *around)
    hue = next((_HUES[look] for look in looks if look in _HUES), hue)
    for child in list(element):
        if _is_hidden(child, here):
            element.remove(child)
        else:
            _dress(child, here, hue)
    for name, text in _attributes(element.tag, here, hue).items():
        element.set(name, text)
    for name in _NOT_OF_FILES:
        element.attrib.pop(name, None)


def _is_hidden(element: Element, around: tuple[str, ...]) -> bool:
    known = "has-grad" if "of-grad" in around else "has-data"
    return element.get("class") == ("not-yet" if known in around else "reached")


def _attributes(tag: str, looks: tuple[str, ...], hue: str) -> Attributes:
    if tag == "text" and "role" in looks:
        return {"font-size": "10", "fill": LIGHT.grad if "of-grad" in looks else LIGHT.data}
    if looks[:1] == ("heat",):
        shade = "odd" if "odd" in looks else looks[1]
        level = 0.0 if shade == "odd" else int(shade[1:]) / STEPS
        stroke = LIGHT.error if shade == "odd" else hue
        fill = written(mixed(rgb(LIGHT.panel), rgb(hue), level))
        return {"fill": fill, "stroke": stroke, "stroke-width": ".4"}
    if tag == "rect" and looks[:1] == ("card",) and "now" in looks:
        colour = LIGHT.grad if "backward" in looks else LIGHT.data
        return {"fill": LIGHT.panel, "stroke": colour, "stroke-width": "2.2"}
    return next((RULES[tag, look] for look in looks if (tag, look) in RULES), {})

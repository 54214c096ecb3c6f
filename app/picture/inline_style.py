"""The look of the picture where no style sheet reaches: slides, print, <img>.

RULES mirrors the part of `static/css/picture.css` that styles the picture, in the light palette. A
rule is (classes of the group, role of the part, attributes); later rules win. Only attributes
that every reader of SVG knows: no style element, no markers, no references.
"""

from __future__ import annotations

from functools import cache

PAPER = "#ffffff"
INK = "#1b2330"
MUTE = "#667085"
LINE = "#b4bcc9"
BORDER = "#cfd5df"
CAP = "#f1f3f7"
DATA = "#0b66c3"
GRAD = "#c2570c"
LEAF = "#1a7f5a"
LEAF_SOFT = "#e5f4ee"
LEAF_BORDER = "#8cc7ae"
OP = "#5b4bb7"
OP_SOFT = "#eeebfa"
OP_BORDER = "#b9aee8"

Attributes = dict[str, str]


def _flow(colour: str) -> Attributes:
    return {"stroke": colour, "stroke-width": "2.4", "stroke-dasharray": "7 4"}


def _source(colour: str) -> Attributes:
    return {"stroke": colour, "stroke-width": "1.6", "stroke-dasharray": "5 3"}


def _changed(colour: str) -> Attributes:
    return {"stroke": colour, "stroke-width": "2.6", "stroke-dasharray": "none"}


_END = {"text-anchor": "end"}
_MIDDLE = {"text-anchor": "middle"}

RULES: tuple[tuple[str, str, Attributes], ...] = (
    ("cluster", "frame", {"fill": "#f7f8fb", "stroke": BORDER, "stroke-dasharray": "2 3"}),
    ("cluster", "title", {"font-size": "11", "font-weight": "bold", "fill": MUTE}),
    ("edge", "line", {"fill": "none", "stroke": LINE, "stroke-width": "1.4"}),
    ("edge", "head", {"fill": LINE}),
    ("edge merged", "line", {"stroke-width": "2"}),
    ("edge flow-forward", "line", _flow(DATA)),
    ("edge flow-forward", "head", {"fill": DATA}),
    ("edge flow-backward", "line", _flow(GRAD)),
    ("edge flow-backward", "tail", {"fill": GRAD}),
    ("edge", "badge", {"fill": PAPER, "stroke": LINE}),
    ("edge", "count", {"font-size": "9", "fill": MUTE, **_MIDDLE}),
    ("op", "disc", {"fill": OP_SOFT, "stroke": OP_BORDER}),
    ("op", "sign", {"font-size": "15", "fill": OP, **_MIDDLE}),
    ("op word", "sign", {"font-size": "11"}),
    ("op active forward", "disc", {"fill": DATA, "stroke": DATA}),
    ("op active backward", "disc", {"fill": GRAD, "stroke": GRAD}),
    ("op active", "sign", {"fill": PAPER}),
    ("", "paper", {"fill": PAPER}),
    ("", "card", {"fill": "none", "stroke": BORDER, "stroke-width": "1"}),
    ("", "sheet", {"fill": CAP, "stroke": BORDER, "stroke-width": "1"}),
    ("", "cap", {"fill": CAP}),
    ("", "label", {"font-size": "11.5", "font-weight": "bold", "fill": INK}),
    ("", "label code", {"font-size": "11", "font-weight": "normal", "fill": MUTE}),
    ("", "kind", {"font-size": "10", "fill": MUTE, **_END}),
    ("", "name", {"font-size": "10", "fill": MUTE}),
    ("", "data", {"font-size": "11.5", "fill": DATA, **_END}),
    ("", "grad", {"font-size": "11.5", "fill": GRAD, **_END}),
    ("leaf", "card", {"stroke": LEAF_BORDER, "stroke-width": "1.4"}),
    ("leaf", "cap", {"fill": LEAF_SOFT}),
    ("leaf", "kind", {"fill": LEAF}),
    ("constant", "paper", {"fill": "#fafbfc"}),
    ("constant", "card", {"stroke": LINE}),
    ("constant", "data", _MIDDLE),
    ("output", "card", {"stroke": INK, "stroke-width": "2"}),
    ("output", "kind", {"fill": INK}),
    ("copy", "card", {"stroke-dasharray": "1.5 2.5"}),
    ("pending", "data", {"fill": MUTE}),
    ("no-grad", "grad", {"fill": MUTE}),
    ("source forward", "card", _source(DATA)),
    ("source backward", "card", _source(GRAD)),
    ("changed forward", "card", _changed(DATA)),
    ("changed backward", "card", _changed(GRAD)),
)


@cache
def attributes(classes: str, role: str) -> str:
    """The attributes of a part called `role` in a group with `classes`, ready to be written."""
    present = set(classes.split())
    found: Attributes = {}
    for wanted, part, values in RULES:
        if (part == role or part == role.split()[0]) and present.issuperset(wanted.split()):
            found |= values
    found = {name: value for name, value in found.items() if value != "none" or name == "fill"}
    return "".join(f' {name}="{value}"' for name, value in found.items())

"""Presentation attributes of standalone pictures, for slides, print and <img>.

RULES mirrors the part of `static/css/picture.css` that styles the picture, in light colours. A rule
is (classes of the group, role of the part, attributes); later rules win. Limited to attributes that
all SVG renderers support: no style element, no markers, no references.
"""

from __future__ import annotations

from app.caches import cached
from app.picture.palette import LIGHT, Attributes, mixed, rgb, written

_CLUSTER = written(mixed(rgb(LIGHT.panel), rgb(LIGHT.op), 0.04))


def _flow(colour: str) -> Attributes:
    return {"stroke": colour, "stroke-width": "2.4", "stroke-dasharray": "7 4"}


def _source(colour: str) -> Attributes:
    return {"stroke": colour, "stroke-width": "1.8", "stroke-dasharray": "5 3"}


def _changed(colour: str) -> Attributes:
    return {"stroke": colour, "stroke-width": "2.6", "stroke-dasharray": "none"}


_DOTS = {"stroke-dasharray": "1 3"}
WIDTHS = {level: 1.2 + 0.75 * (level - 1) for level in range(1, 9)} | {0: 1.2}
"""Widths of edges in pixels by the strength of what came along them."""
_END = {"text-anchor": "end"}
_MIDDLE = {"text-anchor": "middle"}

RULES: tuple[tuple[str, str, Attributes], ...] = (
    ("cluster", "frame", {"fill": _CLUSTER, "stroke": LIGHT.op_line, "stroke-dasharray": "2 3"}),
    ("cluster", "frame-title", {"font-size": "11", "font-weight": "bold", "fill": LIGHT.mute}),
    ("edge", "line", {"fill": "none", "stroke": LIGHT.edge, "stroke-width": "1.4"}),
    ("edge", "head", {"fill": LIGHT.edge}),
    ("edge merged", "line", {"stroke-width": "2"}),
    ("edge flow-forward", "line", _flow(LIGHT.data)),
    ("edge flow-forward", "head", {"fill": LIGHT.data}),
    ("edge flow-backward", "line", _flow(LIGHT.grad)),
    ("edge flow-backward", "tail", {"fill": LIGHT.grad}),
    *(("edge made", part, {"fill": LIGHT.grad_line}) for part in ("head", "tail")),
    ("edge made", "line", {"stroke": LIGHT.grad_line, "stroke-dasharray": "none"}),
    ("edge made flow-backward", "tail", {"fill": LIGHT.grad}),
    ("edge made new", "line", {"stroke": LIGHT.grad, "stroke-dasharray": "none"}),
    ("edge made odd", "line", {"stroke": LIGHT.error, "stroke-width": "3", **_DOTS}),
    *((f"edge made s{n}", "line", {"stroke-width": f"{width:g}"}) for n, width in WIDTHS.items()),
    ("edge made s0", "line", _DOTS),
    ("amount", "tag", {"fill": LIGHT.raised, "stroke": LIGHT.grad_line, "stroke-width": "1"}),
    ("amount", "sum", {"font-size": "10.5", "fill": LIGHT.grad, **_MIDDLE}),
    ("amount new", "tag", {"fill": LIGHT.grad, "stroke": LIGHT.grad}),
    ("amount new", "sum", {"font-weight": "bold", "fill": LIGHT.panel}),
    ("edge", "badge", {"fill": LIGHT.panel, "stroke": LIGHT.line_strong}),
    ("edge", "count", {"font-size": "10.5", "fill": LIGHT.mute, **_MIDDLE}),
    ("op", "disc", {"fill": LIGHT.op_soft, "stroke": LIGHT.op_line}),
    ("op", "sign", {"font-size": "15", "fill": LIGHT.op, **_MIDDLE}),
    ("op word", "sign", {"font-size": "11"}),
    ("formula", "more", {"fill": "none", "stroke": LIGHT.op, "stroke-width": "1.5"}),
    ("op active forward", "disc", {"fill": LIGHT.data, "stroke": LIGHT.data}),
    ("op active backward", "disc", {"fill": LIGHT.grad, "stroke": LIGHT.grad}),
    ("op active", "sign", {"fill": LIGHT.panel, "font-weight": "bold"}),
    ("formula active", "more", {"stroke": LIGHT.panel}),
    ("", "paper", {"fill": LIGHT.raised}),
    ("", "card", {"fill": "none", "stroke": LIGHT.line_strong, "stroke-width": "1"}),
    ("", "sheet", {"fill": LIGHT.op_soft, "stroke": LIGHT.op_line, "stroke-width": "1"}),
    ("", "cap", {"fill": LIGHT.cap}),
    ("", "label", {"font-size": "11.5", "font-weight": "bold", "fill": LIGHT.ink}),
    ("", "label code", {"font-size": "11", "font-weight": "normal", "fill": LIGHT.mute}),
    ("", "kind", {"font-size": "10.5", "fill": LIGHT.mute, **_END}),
    ("", "name", {"font-size": "10.5", "fill": LIGHT.mute}),
    ("", "data", {"font-size": "11.5", "fill": LIGHT.data, **_END}),
    ("", "grad", {"font-size": "11.5", "fill": LIGHT.grad, **_END}),
    ("group", "card", {"stroke": LIGHT.op_line}),
    ("group", "cap", {"fill": LIGHT.op_soft}),
    ("array", "by", {"font-size": "10.5", "font-weight": "bold", "fill": LIGHT.op, **_END}),
    ("array", "more", {"fill": "none", "stroke": LIGHT.op, "stroke-width": "1.5"}),
    ("array", "dots", {"font-size": "11.5", "fill": LIGHT.mute, **_MIDDLE}),
    ("cell", "data", {"font-size": "10.5"}),
    ("cell", "grad", {"font-size": "10.5"}),
    ("void", "hole", {"fill": "none", "stroke": LIGHT.line_strong, "stroke-dasharray": "2 3"}),
    ("leaf", "card", {"stroke": LIGHT.leaf_line, "stroke-width": "1.4"}),
    ("leaf", "cap", {"fill": LIGHT.leaf_soft}),
    ("leaf", "kind", {"fill": LIGHT.leaf}),
    ("constant", "paper", {"fill": LIGHT.constant}),
    ("constant", "data", _MIDDLE),
    ("output", "card", {"stroke": LIGHT.ink, "stroke-width": "2"}),
    ("output", "kind", {"fill": LIGHT.ink}),
    ("copy", "card", {"stroke-dasharray": "1.5 2.5"}),
    ("pending", "data", {"fill": LIGHT.mute}),
    ("no-grad", "grad", {"fill": LIGHT.mute}),
    ("array active forward", "card", {"stroke": LIGHT.data, "stroke-width": "1.8"}),
    ("array active backward", "card", {"stroke": LIGHT.grad, "stroke-width": "1.8"}),
    ("", "chip", {"fill": LIGHT.raised, "stroke": LIGHT.error, "stroke-width": "1"}),
    ("", "due", {"font-size": "10.5", "font-weight": "bold", "fill": LIGHT.ink, **_MIDDLE}),
    ("", "flag", {"fill": LIGHT.error}),
    ("", "flag-sign", {"font-size": "11", "font-weight": "bold", "fill": LIGHT.panel, **_MIDDLE}),
    ("wrong", "card", {"stroke": LIGHT.error, "stroke-width": "2"}),
    ("holds-wrong", "card", {"stroke": LIGHT.error, "stroke-width": "2"}),
    ("wrong first-wrong", "card", {"stroke-width": "3.5"}),
    ("wrong", "grad", {"font-weight": "bold", "text-decoration": "underline"}),
    ("field", "box", {"fill": LIGHT.raised, "stroke": LIGHT.mute, "stroke-width": "0.9"}),
    ("field", "data", {"font-size": "8.5", "fill": LIGHT.mute, **_END}),
    ("field", "grad", {"font-size": "8.5", "fill": LIGHT.mute, **_END}),
    ("source forward", "card", _source(LIGHT.data)),
    ("source backward", "card", _source(LIGHT.grad)),
    ("changed forward", "card", _changed(LIGHT.data)),
    ("changed backward", "card", _changed(LIGHT.grad)),
)


@cached("inline styles")
def attributes(classes: str, role: str) -> str:
    """The attributes of the part `role` in a group with `classes`, as markup."""
    present = set(classes.split())
    found: Attributes = {}
    for wanted, part, values in RULES:
        if (part == role or part == role.split()[0]) and present.issuperset(wanted.split()):
            found |= values
    found = {name: value for name, value in found.items() if value != "none" or name == "fill"}
    return "".join(f' {name}="{value}"' for name, value in found.items())

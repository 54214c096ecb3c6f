"""Numbers of cards as fields to fill in, for exercises.

A field stands where the card would have the number. One that can be typed into is an input of the
form with the id FORM; on a sheet of paper a field is empty, with the number of its question.

    <g class="field asked" data-field="v3.grad"><rect class="box"/> … </g>
"""

from __future__ import annotations

from app.picture.quiz import RIGHT, SHOWN, WRONG, Field
from app.picture.scene import DrawnFrame
from app.picture.text import escaped

FORM = "answers"
HEIGHT = 15.6
LEFT = 42.0  # of the field in a card, right of the number's name
GAP = 5.0  # to the right edge of the card
_SIGN_ROOM = 17.0
_SIGNS = {RIGHT: "M{x:g} {y:g}l2.8 3l5.2 -6", SHOWN: "M{x:g} {y:g}h7"}


def field_markup(scene: DrawnFrame, field: Field, role: str, width: float, down: float) -> str:
    """The field of a number whose text would end at `width` with its baseline at `down`."""
    left, top = LEFT, down - 11.7
    wide = width - left - GAP
    look = f"field {field.look}"
    shape = f'x="{left:g}" y="{top:g}" width="{wide:g}" height="{HEIGHT:g}" rx="5"'
    box = f"<rect{scene.part('box', look)} {shape}/>"
    if field.is_input and scene.page:
        return (
            f'<g class="{look}" data-field="{field.name}">{box}{_input(field, left, top, wide)}</g>'
        )
    sign, end = _sign(scene, field, look, width, down)
    text = f'<text{scene.part(role, look)} x="{end:g}" y="{down:g}">{escaped(field.text)}</text>'
    if not scene.page:
        return f"<g>{box}{text}{sign}</g>"
    return f'<g class="{look}" data-field="{field.name}">{box}{text}{sign}</g>'


def _input(field: Field, left: float, top: float, wide: float) -> str:
    """The input of a field, in HTML: SVG has none."""
    invalid = ' aria-invalid="true"' if field.look == WRONG else ""
    return (
        f'<foreignObject x="{left:g}" y="{top:g}" width="{wide:g}" height="{HEIGHT:g}">'
        f'<input xmlns="http://www.w3.org/1999/xhtml" name="{field.name}" form="{FORM}"'
        f' value="{escaped(field.text)}" aria-label="{escaped(field.label)}"{invalid}'
        f' inputmode="text" autocomplete="off" autocapitalize="off" spellcheck="false"'
        f' maxlength="120"/></foreignObject>'
    )


def _sign(
    scene: DrawnFrame, field: Field, look: str, width: float, down: float
) -> tuple[str, float]:
    """The sign of an answered field, and where the text beside it ends."""
    if field.look not in _SIGNS:
        return "", width - GAP - 5
    path = _SIGNS[field.look].format(x=width - GAP - 12, y=down - 4)
    return f'<path{scene.part("sign-of", look)} d="{path}"/>', width - GAP - _SIGN_ROOM

"""What an exercise asks of a picture: the numbers of cards that are fields, and how each looks.

Looks: `asked` (the present question), `open`, `wrong`, `right` and `shown`, each with its own sign
besides its colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.picture.frame_state import State

ASKED, OPEN, WRONG, RIGHT, SHOWN = "asked", "open", "wrong", "right", "shown"


class Field(NamedTuple):
    """A field: the input's name, its label, the text in it, its look, and whether it is typed."""

    name: str
    label: str
    text: str
    look: str
    is_input: bool = False


class Quiz(NamedTuple):
    """A picture with fields: what is known and highlighted, and the fields by Value and number."""

    state: State
    fields: Mapping[tuple[str, str], Field]

    def has_input(self, node: str) -> bool:
        """Whether a field of a Value's card can be typed into."""
        found = (self.fields.get((node, kind)) for kind in ("data", "grad"))
        return any(field is not None and field.is_input for field in found)

    def look_of(self, node: str) -> str:
        """The class of the card of a Value that is asked for; "" for any other."""
        looks = [
            self.fields[node, kind].look for kind in ("data", "grad") if (node, kind) in self.fields
        ]
        return f" {ASKED}" if any(look in (ASKED, WRONG) for look in looks) else ""

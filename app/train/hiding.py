"""What `hide=` of an address can leave out of the page of Train: controls and parts of the page."""

from __future__ import annotations

import difflib

from engine.training.fields import shown
from engine.training.refusals import SpecError
from engine.training.settings import FIELDS

GROUPS: dict[str, str] = {
    "data": "Data",
    "network": "Network",
    "training": "Training",
    "mistakes": "Try a mistake",
}
"""The legend of each part of the form."""

WITHOUT_CONTROL = tuple(name for name, entry in FIELDS.items() if not entry.group)
"""Settings too long to be typed; the form hands them on."""

PARTS: dict[str, str] = {
    "stats": "The figures above the curve.",
    "chart": "The curve of the loss.",
    "boundary": "The boundary, or the fitted curve.",
    "predictions": "The table of predictions.",
    "losses": "The table of losses.",
    "norms": "The norms of weights and gradients.",
    "doctor": "The doctor.",
    "code": "The run as code.",
    "play": "The steps: play, the slider, and what is beside them.",
    "open": "The way to Explore.",
    "sweep": "The sweep of rates and seeds.",
    "local": "Going on in the browser.",
    "export": "The menu of files.",
}
"""The parts of the page that are no controls of the form."""

HIDEABLE: dict[str, str] = {
    **{name: f"The settings “{legend}”." for name, legend in GROUPS.items()},
    **{
        name: f"The control: {entry.help[:1].lower()}{entry.help[1:]}"
        for name, entry in FIELDS.items()
        if name not in (*WITHOUT_CONTROL, *GROUPS)
    },
    **PARTS,
}
"""Every name that `hide` knows, and what is left out."""


def hidden(text: str) -> tuple[str, ...]:
    """The names in the text of `hide`, each once. Raises SpecError for one that is not known."""
    words = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for word in words:
        if word not in HIDEABLE:
            raise SpecError("hide", shown(word), f"hide names {shown(word)}; {_known(word)}")
    return words


def _known(word: str) -> str:
    close = difflib.get_close_matches(word[:40].lower(), HIDEABLE, 1, 0.6)
    guess = f"did you mean {close[0]}? " if close else ""
    return f"{guess}it knows {', '.join(HIDEABLE)}."

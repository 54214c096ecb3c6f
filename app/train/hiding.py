"""The names that `hide=` accepts: controls and parts of the Train page."""

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
"""Settings too long for a control, which the form carries as hidden inputs."""

PARTS: dict[str, str] = {
    "presets": "The menu of presets, and what to watch in the chosen one.",
    "stats": "The figures above the loss curve.",
    "chart": "The loss curve.",
    "boundary": "The decision boundary, or the fitted curve.",
    "predictions": "The table of predictions.",
    "losses": "The table of losses.",
    "norms": "The norms of weights, gradients and updates.",
    "histograms": "The histograms of activations and gradients.",
    "doctor": "The doctor.",
    "code": "The code of the run.",
    "check": "The check of a step's gradient.",
    "landscape": "The loss as a landscape.",
    "space": "The space as a layer sees it.",
    "play": "The player: buttons, slider, speed and link to Explore.",
    "open": "The link to Explore.",
    "sweep": "The sweep over learning rates and seeds.",
    "race": "The link to the race of several runs.",
    "local": "Nothing any more: the browser continues the run by itself.",
    "export": "The export menu.",
}
"""The parts of the page other than controls of the form."""

HIDEABLE: dict[str, str] = {
    **{name: f"The settings “{legend}”." for name, legend in GROUPS.items()},
    **{
        name: f"The control: {entry.help[:1].lower()}{entry.help[1:]}"
        for name, entry in FIELDS.items()
        if name not in (*WITHOUT_CONTROL, *GROUPS)
    },
    **PARTS,
}
"""Every name that `hide` accepts, with the part that it hides."""


def hidden(text: str) -> tuple[str, ...]:
    """The distinct names in the text of `hide`. Raises SpecError for an unknown one."""
    words = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for word in words:
        if word not in HIDEABLE:
            raise SpecError("hide", shown(word), f"hide names {shown(word)}; {_known(word)}")
    return words


def _known(word: str) -> str:
    close = difflib.get_close_matches(word[:40].lower(), HIDEABLE, 1, 0.6)
    guess = f"did you mean {close[0]}? " if close else ""
    return f"{guess}it knows {', '.join(HIDEABLE)}."

"""The settings at hand on Train's page, and the stops of their sliders.

All other settings are behind `More settings`.
"""

from __future__ import annotations

from engine.numbers import plain

IN_BAR = ("activation", "learning_rate", "l2")
"""The settings above the network, in their order."""
AT_HAND = ("data", "noise", "test_share", *IN_BAR)
"""The settings that are seen at first sight."""
CARDS = ("moons", "circles", "xor", "spiral")
"""The data sets that are seen at first sight; another one is seen while it is chosen."""


def _decades(first: int, last: int, *digits: int) -> tuple[float, ...]:
    """Round numbers from 10^first to 10^last: each power of ten, times each digit."""
    powers = (float(f"{digit}e{power}") for power in range(first, last) for digit in digits)
    return (*powers, float(f"1e{last}"))


STOPS: dict[str, tuple[float, ...]] = {
    "noise": tuple(i / 50 for i in range(26)),
    "test_share": tuple(i / 20 for i in range(19)),
    "learning_rate": _decades(-4, 1, 1, 2, 3, 5, 7),
    "l2": (0.0, *_decades(-5, 0, 1, 2, 5)),
}
"""The values of a slider, from left to right; a text field takes those between as well."""
PERCENT = ("test_share",)
"""The settings that a slider shows in percent."""


LABELS = {"l2": "Regularisation (L2)"}
"""Longer labels, for the room above the network."""


def stops(name: str) -> str:
    """The values of a setting's slider as an attribute; "" if it has none."""
    return " ".join(map(plain, STOPS.get(name, ())))

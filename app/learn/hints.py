"""The grades of hints."""

HINTS = ("Which rule", "With symbols", "With numbers")
"""The titles of the grades, the gentlest first."""


def hints_shown(text: str) -> int:
    """How many hints a form says are shown already."""
    return min(int(text), len(HINTS)) if text.isascii() and text.isdigit() and len(text) < 4 else 0

"""Tables of help as they are written: a line for each name, or for several."""

from __future__ import annotations


def table(text: str) -> dict[str, str]:
    """Lines of `names: help`, several names parted by commas."""
    rows = (line.split(": ", 1) for line in text.strip().splitlines())
    return {name.strip(): says for names, says in rows for name in names.split(",")}

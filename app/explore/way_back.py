"""The way back to the run of Train that a program shows, at its step."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode


class WayBack(NamedTuple):
    """A link to a run; `href` is empty for a program that shows none."""

    href: str = ""
    words: str = ""


def way_back(run: str) -> WayBack:
    """The way back to the run of a query: only its parameters are taken, the path is Train's."""
    pairs = parse_qsl(run, keep_blank_values=True)
    if not pairs:
        return WayBack()
    step = dict(pairs).get("step", "")
    number = int(step) if step.isascii() and step.isdigit() and len(step) < 10 else 0
    return WayBack(f"/train?{urlencode(pairs)}", f"← Back to the run at step {number}")

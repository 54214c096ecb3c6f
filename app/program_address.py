"""Explore's state in its address: program, changed leaves, frame and view, from a query or a form.

    /?program=L+%3D+a*2&a=2.5&frame=9&direction=TB&grouped=1&open=g1,g2

Every parameter outside OWN is the new value of a leaf. A leaf whose name is in OWN is prefixed with
`leaf.`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

OWN = ("program", "frame", "direction", "grouped", "open")
PREFIX = "leaf."


@dataclass(frozen=True, slots=True)
class View:
    """A parsed address; `program` is None on the empty page, `frame` None for the last frame."""

    program: str | None = None
    leaves: dict[str, float] = field(default_factory=dict)
    frame: int | None = None
    direction: str = "LR"
    grouped: bool | None = None
    open: frozenset[str] | None = None
    unread: tuple[str, ...] = ()
    """Names of leaves whose value is not a finite number."""

    def query(self) -> str:
        """The query string of this view."""
        pairs: list[tuple[str, str]] = [("program", self.program or "")]
        pairs += [(to_parameter(key), repr(x)) for key, x in self.leaves.items()]
        if self.frame is not None:
            pairs.append(("frame", str(self.frame)))
        if self.direction != "LR":
            pairs.append(("direction", self.direction))
        if self.grouped:
            pairs.append(("grouped", "1"))
        if self.open is not None:
            pairs.append(("open", ",".join(sorted(self.open))))
        return urlencode(pairs)

    def at(self, frame: int | None) -> View:
        """The same view at another frame."""
        return replace(self, frame=frame)


def read(pairs: Iterable[tuple[str, str]]) -> View:
    """The view of the pairs of a query or a form; malformed view parameters are ignored."""
    own: dict[str, str] = {}
    leaves: dict[str, float] = {}
    unread: list[str] = []
    for name, text in pairs:
        if name in OWN:
            own[name] = text
        elif text.strip():
            key = from_parameter(name)
            number = _float(text)
            if number is None:
                unread.append(key)
            else:
                leaves[key] = number
    return View(
        program=own.get("program"),
        leaves=leaves,
        frame=_whole(own.get("frame", "")),
        direction="TB" if own.get("direction") == "TB" else "LR",
        grouped=True if own.get("grouped") == "1" else None,
        open=_groups(own["open"]) if "open" in own else None,
        unread=tuple(unread),
    )


def twice(pairs: Iterable[tuple[str, str]]) -> str | None:
    """The first duplicate name, which makes the address ambiguous; None if there is none."""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return name
        seen.add(name)
    return None


def _groups(text: str) -> frozenset[str]:
    return frozenset(part for part in text.split(",")[:500] if part)


def to_parameter(key: str) -> str:
    """The parameter name of the leaf `key`."""
    return f"{PREFIX}{key}" if key in OWN or key.startswith(PREFIX) else key


def from_parameter(name: str) -> str:
    """The leaf key of a parameter name."""
    return name.removeprefix(PREFIX)


def _float(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

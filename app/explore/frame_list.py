"""Frames by their numbers on the page: `all`, `this`, `ends`, or a list such as 1,4-8."""

from __future__ import annotations

import re

ALL, THIS, ENDS = "all", "this", "ends"
LONGEST = 2_000  # letters
LARGEST = 9  # digits
_PART = re.compile(rf"(\d{{1,{LARGEST}}})(?:-(\d{{1,{LARGEST}}}))?", re.ASCII)


class FrameListError(ValueError):
    """A list that cannot be read, or a frame that does not exist; the message says which."""


def chosen(text: str, count: int, this: int, last_forward: int) -> list[int]:
    """The frames that `text` names, each once, ascending, counted from 1 to `count`.

    `this` is the current frame; the ends are the last frame of each pass. Raises FrameListError.
    """
    words = {ALL: range(1, count + 1), THIS: (this,), ENDS: (last_forward, count)}
    named = "".join(text.split()) or ALL
    if named in words:
        return sorted(set(words[named]))
    if len(named) > LONGEST:
        raise FrameListError(f"The list of frames has more than {LONGEST:,} letters.")
    found = set[int]()
    for part in named.split(","):
        found.update(_range(part, count))
    return sorted(found)


def _range(part: str, count: int) -> range:
    """The frames of `4` or `4-8`."""
    match = _PART.fullmatch(part)
    if match is None:
        raise FrameListError(
            f"“{part[:40]}” is no frame: write numbers and ranges, such as 1,4-8, or all, this or"
            " ends."
        )
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        first, last = last, first
    if first < 1 or last > count:
        missing = first if first < 1 else last
        raise FrameListError(f"There is no frame {missing}: the frames are 1 to {count:,}.")
    return range(first, last + 1)

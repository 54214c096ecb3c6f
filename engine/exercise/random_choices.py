"""Random choices from a seed that stay the same for ever, on every machine and Python.

The random bytes are SHA-256 of the seed and a counter; `random` promises its sequence for one
method only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
PREFIX = "gradlens"
"""Before every seed. It is the project's former name, and stays: another prefix would make another
exercise of every link that was ever handed out."""


class Choices:
    """A sequence of choices that depends on the text of its seed alone."""

    def __init__(self, seed: str) -> None:
        self._seed, self._count = f"{PREFIX} {seed}", 0

    def below(self, most: int) -> int:
        """A whole number from 0 to `most` - 1; the bias is below most / 2⁶⁴."""
        text = f"{self._seed}:{self._count}".encode()
        self._count += 1
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % most

    def one(self, among: Sequence[T]) -> T:
        """One of several."""
        return among[self.below(len(among))]

    def chance(self, percent: int) -> bool:
        """True in so many cases of 100."""
        return self.below(100) < percent

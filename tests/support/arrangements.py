"""A machine's notes on arrays, for tests without a picture."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any


class NoArrangements:
    """Notes nothing."""

    def add(self, items: Any, shape: Any, name: str = "") -> None:
        pass

    def within(self, part: str) -> AbstractContextManager[None]:
        return nullcontext()

    def named(self, items: Any, shape: Any, name: str) -> None:
        pass

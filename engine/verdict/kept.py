"""What was found at the other points of programs, kept for the next drag of a leaf.

The other points move the program's own numbers, so a dragged leaf does not change them: what was
found there holds as long as the program, its scene and the leaves that cannot be moved do.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from engine.language.program import Program

Found = TypeVar("Found")

PROGRAMS = 8
"""Programs for which it is kept, those judged last: it holds whole runs."""
OPERATIONS = 20_000
"""Operations of a run up to which it is kept: about 1 MB for each point."""


class Kept(Generic[Found]):
    """What was found for some programs, one key for each. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[Program, tuple[Hashable, Sequence[Found]]] = OrderedDict()

    def get(
        self, program: Program, key: Hashable, find: Callable[[], Sequence[Found]]
    ) -> Sequence[Found]:
        """What is kept of a program under `key`, else what `find()` finds."""
        with self._lock:
            known = self._found.get(program)
            if known is not None and known[0] == key:
                self._found.move_to_end(program)
                return known[1]
        found = find()
        if program.operations <= OPERATIONS:
            with self._lock:
                self._found[program] = key, found
                self._found.move_to_end(program)
                while len(self._found) > PROGRAMS:
                    self._found.popitem(last=False)
        return found

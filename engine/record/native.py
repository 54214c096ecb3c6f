"""Runs of a program in this Python, with all that it may do."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from .model import Place
from .session import RecordingSession, Wanted
from .source import Limits, ProgramError, Source


class NativeRecording:
    """The recorded runs of one program, which has the modules, files and time of its caller."""

    repeats = False

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source, self.limits = source, limits

    def record(self, wanted: Wanted) -> str:
        """The record of a run, as JSON. Raises ProgramError if the program fails."""
        session = RecordingSession(self.source, self.limits, replace(wanted, native=True))
        return session.record()

    def records(self, wanted: Wanted, points: Sequence[Mapping[Place, float]]) -> list[str | None]:
        """None: a program that may do what its caller may runs once."""
        return [None for _ in points]


class RepeatableRecording(NativeRecording):
    """The recorded runs of a program that does nothing but calculate: they may be repeated."""

    repeats = True

    def records(self, wanted: Wanted, points: Sequence[Mapping[Place, float]]) -> list[str | None]:
        """The records of runs with changes; None where one fails."""
        return [self._record_of(replace(wanted, changes=changes)) for changes in points]

    def _record_of(self, wanted: Wanted) -> str | None:
        try:
            return self.record(wanted)
        except ProgramError:
            return None


@contextmanager
def as_script(path: str | Path, argv: Sequence[str]) -> Iterator[None]:
    """What `python path argv` finds in `sys`, for as long as this lasts."""
    before, places = sys.argv, sys.path
    sys.argv, sys.path = [str(path), *argv], [str(Path(path).parent), *places]
    try:
        yield
    finally:
        sys.argv, sys.path = before, places

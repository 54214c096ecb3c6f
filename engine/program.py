"""A program: source text in, the record of a run out.

    >>> run = Program("a = 2; b = -3; L = (a*b + 10) * -2").run()
    >>> run.output.label, run.output.data
    ('L', -8.0)

What runs it is behind this interface; all that is read of a run is its record.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from engine import parser_lock
from engine.record.array_use import uses_arrays, writes_gradients_of_numbers
from engine.record.decode import BadRecord, decoded
from engine.record.model import Leaf, Note, Place, RecordedRun
from engine.record.session import Wanted
from engine.record.source import Limits, ProgramError, Source, Span
from engine.recording import Recording, broken, parsed
from engine.replay import can_replay, is_arithmetic, replayed

__all__ = ["Limits", "Note", "Program", "ProgramError", "RecordedRun", "Span", "UnknownLeaf"]


class UnknownLeaf(Exception):
    """A leaf that was to be changed but does not exist; `known` lists those that do."""

    def __init__(self, name: str, known: list[str]) -> None:
        listed = ", ".join(known[:20]) or "none"
        super().__init__(f"There is no leaf called {name[:64]!r}; there are {listed}.")
        self.name, self.known = name, known


class Recordings(Protocol):
    """What runs a program: in the sandbox, or in this Python."""

    repeats: bool
    """Whether running the program more than once does no harm."""

    def record(self, wanted: Wanted, /) -> str:
        """The record of a run, as JSON."""

    def records(
        self, wanted: Wanted, points: Sequence[Mapping[Place, float]], /
    ) -> list[str | None]:
        """The records of short runs that may be repeated, with changes; None where one fails."""


class Program:
    """A program that has been read. Raises ProgramError for text that cannot be."""

    def __init__(
        self,
        text: str,
        limits: Limits | None = None,
        recording: Callable[[Source, Limits], Recordings] = Recording,
    ) -> None:
        self.limits = limits or Limits()
        parse = parsed if recording is Recording else parser_lock.module
        self.source = Source(text, self.limits, parse)
        self.recording = recording
        self._recording = recording(self.source, self.limits)
        self.repeats = self._recording.repeats
        self.operations = 0
        """The operations that the last run took."""
        self.output: int | None = None
        """The number that is drawn, as a node of the named numbers; None for the last one."""
        self._leaves: dict[str, Leaf] | None = None
        """The leaves of the program's own run."""
        self._own: RecordedRun | None = None
        """The program's own run, if those with other leaves follow from it."""

    def with_text(self, text: str) -> Program:
        """A program of another text: it runs where this one may run again, else in the sandbox.

        If this one was stopped, the other ends with the scene that is shown of it. Raises
        ProgramError.
        """
        other = Program(text, self.limits, self.recording if self.repeats else Recording)
        if isinstance(self._recording, Recording) and isinstance(other._recording, Recording):
            other._recording.known_end = self._recording.known_end
        return other

    def run(
        self,
        leaves: Mapping[str, float] | None = None,
        scene: int | None = None,
        is_judged: bool = False,
        enough: int = 0,
    ) -> RecordedRun:
        """Run the program, with some leaves changed, for the scene of this id, else the last one.

        One that is to be judged has a witness of calls and writes. Raises ProgramError and
        UnknownLeaf. A run ends after `enough` named numbers; see `Wanted`.
        """
        if not leaves:
            return self._run({}, scene, is_judged, enough)
        known = self._known()
        for name in leaves:
            if name not in known:
                raise UnknownLeaf(name, list(known))
        if self.replays(leaves, scene):
            assert self._own is not None
            found = replayed(self._own, leaves)
            if found is not None:
                return found
        changed = {known[name].place: float(x) for name, x in leaves.items()}
        return self._run(changed, scene, is_judged, enough)

    def runs(
        self, points: Sequence[Mapping[str, float]], scene: int | None = None
    ) -> list[RecordedRun]:
        """Judged runs of a short program with leaves changed, those that do not fail."""
        known = self._known()
        changes = [{known[key].place: x for key, x in point.items()} for point in points]
        records = self._recording.records(Wanted(self._names, None, scene, judged=True), changes)
        return [self._decoded(record) for record in records if record is not None]

    def replays(self, leaves: Collection[str], scene: int | None = None) -> bool:
        """Whether a run with other numbers at these leaves follows from the program's own run."""
        if self._own is None or scene is not None:
            return False
        drawn = {key for key, _ in self._own.keys}
        return drawn.issuperset(leaves)

    @cached_property
    def _is_arithmetic(self) -> bool:
        return is_arithmetic(self.source)

    @cached_property
    def writes_gradients(self) -> bool:
        """Whether the program itself may set a gradient of an object."""
        return self.source.stores_gradients or bool(
            self.source.each(ast.ClassDef) and self.source.each(ast.Subscript)
        )

    @cached_property
    def uses_arrays(self) -> bool:
        """Whether the program may compute with whole arrays of NumPy or PyTorch."""
        return uses_arrays(self.source)

    @cached_property
    def _names_numbers(self) -> bool:
        return self.uses_arrays or writes_gradients_of_numbers(self.source)

    def defaults(self) -> dict[str, float]:
        """The number that the program itself gives each leaf, by the leaf's key."""
        return {key: leaf.default for key, leaf in self._known().items()}

    def _known(self) -> dict[str, Leaf]:
        if self._leaves is None:
            self._run({})
        assert self._leaves is not None
        return self._leaves

    def _run(
        self,
        changed: Mapping[Place, float],
        scene: int | None = None,
        is_judged: bool = False,
        enough: int = 0,
    ) -> RecordedRun:
        known = None if self._leaves is None else self._names
        wanted = Wanted(
            known, changed, scene, is_judged,
            arrays=self._names_numbers, output=self.output, enough=enough,
        )  # fmt: skip
        run = self._decoded(self._recording.record(wanted))
        self.operations = run.operations
        if self._leaves is None:
            self._leaves = {leaf.key: leaf for leaf in run.leaves}
            if can_replay(run) and self._is_arithmetic:
                self._own = run
        return run

    def _decoded(self, record: str) -> RecordedRun:
        try:
            return decoded(record, self.source, self.limits)
        except BadRecord:  # the instance may say anything
            raise broken() from None

    @cached_property
    def _names(self) -> dict[Place, str]:
        """The keys of leaves by their places."""
        return {leaf.place: key for key, leaf in self._known().items()}

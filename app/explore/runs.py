"""Explore's runs: programs and their traces, cached for requests with other leaves or frames."""

from __future__ import annotations

from app.caches import store
from app.program_address import View
from app.settings import Settings
from engine.caches import Cache
from engine.numbers import counted
from engine.program import Program, UnknownLeaf
from engine.trace.build import trace
from engine.trace.traced import Trace

UNKNOWN = 5  # limit of unknown leaves listed in notes


class ProgramRuns:
    """Runs programs and keeps the last ones."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._programs: Cache[Program] = store("programs")
        self._traces: Cache[Trace] = store("traces")

    def run(self, view: View) -> tuple[Program, Trace, list[str]]:
        """The program of a view, its trace, and notes on leaves that could not be changed.

        Raises ProgramError.
        """
        program = self.program(view.program or "")
        leaves, notes = dict(view.leaves), []
        if leaves or view.unread:
            notes = _notes(program, view)
            leaves = known_leaves(program, view)
        changed = tuple(sorted(leaves.items()))
        return program, self._trace(view.program or "", changed, view.scene), notes

    def program(self, text: str) -> Program:
        """The program of a text. Raises ProgramError."""
        program = self._programs.get(text)
        if program is None:
            program = Program(text, self.settings.limits)
            self._programs.put(text, program, len(text))
        return program

    def is_replayed(self, view: View) -> bool:
        """Whether a view's trace follows from a run of its program that is known."""
        program = self._programs.get(view.program or "")
        return program is not None and program.replays(view.leaves, view.scene)

    def _trace(self, text: str, leaves: tuple[tuple[str, float], ...], scene: int | None) -> Trace:
        key = text, leaves, scene
        found = self._traces.get(key)
        if found is None:
            found = trace(self.program(text), dict(leaves), scene=scene)
            self._traces.put(key, found, _size(found))
        return found


def known_leaves(program: Program, view: View) -> dict[str, float]:
    """The leaves that a view changes, less those that the program does not have."""
    if not view.leaves:
        return {}
    known = program.defaults()
    return {name: x for name, x in view.leaves.items() if name in known}


def _notes(program: Program, view: View) -> list[str]:
    known = program.defaults()
    notes = [
        f"{name} needs a number; the program's own is used."
        for name in view.unread
        if name in known
    ]
    unknown = [name for name in view.leaves if name not in known]
    notes += [str(UnknownLeaf(name, list(known))) for name in unknown[:UNKNOWN]]
    if len(unknown) > UNKNOWN:
        notes.append(f"{counted(len(unknown) - UNKNOWN, 'more unknown leaf name')} ignored.")
    return notes


def _size(found: Trace) -> int:
    """The size of a trace in the cache, in nodes, frames and lines."""
    return len(found.nodes) + len(found.frames) + len(found.scenes) + len(found.printed)

"""Machines on standby: the code of an ended run, for the next run of the same program.

A dragged leaf changes a number, not the program, whose code would be compiled again for every run.
Code holds its machine, tape and variables, so these are emptied and begin anew. Only the code of
straight programs is kept: it holds nothing else of its run, and of other programs compiling is a
small part of the work.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.record.model import Place
from engine.record.source import Limits, Source

from .machine import Kept, Machine
from .witness import Witness

LENGTH = 2_000
"""Characters of a program whose code is kept: closures take more memory than their text."""


class Standby:
    """The machine of one program, if none of its runs is under way. Any thread may ask for it."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self._source, self._limits = source, limits
        self._idle: list[tuple[Machine, Kept]] = []

    def machine(self, overrides: Mapping[Place, float], witness: Witness | None) -> Machine:
        """A machine at the start of a run."""
        try:
            machine, kept = self._idle.pop()
        except IndexError:
            return Machine(self._source, self._limits, overrides, witness)
        Machine.__init__(machine, self._source, self._limits, overrides, witness, kept)
        return machine

    def close(self, machine: Machine) -> None:
        """End a run that went well."""
        kept = machine.kept()
        machine.close()
        is_small = len(self._source.text) <= LENGTH
        if kept is not None and is_small and self._source.is_straight and not self._idle:
            kept.tape.__dict__.clear()
            self._idle.append((machine, kept))

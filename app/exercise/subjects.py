"""The exercises of addresses: programs run and laid out within the limits of the settings."""

from __future__ import annotations

from collections.abc import Mapping

from app.caches import store
from app.exercise.address import ExerciseQuery
from app.picture import layout
from app.picture.direction import larger
from app.picture.grouping import visible
from app.program_address import View
from app.serving.metrics import observe_layout
from app.settings import Settings
from engine.caches import Cache
from engine.exercise.exercise import Exercise, askable, exercise
from engine.exercise.renewed import TRIES, renewed
from engine.program import Program
from engine.trace.build import trace
from engine.trace.traced import Trace

ROOM = 900.0, 500.0
"""Width and height for the picture on a screen of 1440 × 860 pixels."""
OPERATIONS = 100_000
"""Operations that the search for other numbers takes, beyond those of one run."""
MOST_CHOICES = 120


class Subjects:
    """Runs the programs of exercises, and keeps the last traces."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._traces: Cache[Trace] = store("traces of exercises")

    def exercise(self, asked: ExerciseQuery) -> Exercise:
        """The exercise of an address, without leaves that are unknown.

        Raises ExerciseError, ProgramError.
        """
        return exercise(self._trace(asked.view), asked.task)

    def placement(self, trace: Trace, view: View) -> layout.Placement:
        """The layout of a graph. Raises LayoutError, LayoutBusy."""
        limit, copies = self.settings.whole("max_drawn"), self.settings.whole("copy_over")
        over = self.settings.whole("boxes_over")
        graph = visible(trace, view.open, limit, copies, view.grouped, over=over)
        seconds = self.settings.number("layout_seconds")

        def place(direction: str) -> layout.Placement:
            return layout.place(graph, direction, seconds, observe_layout)

        if view.direction:
            return place(view.direction)
        return larger(place, len(graph.boxes), ROOM)

    def choices(self, asked: ExerciseQuery) -> tuple[tuple[str, str], ...]:
        """Numbers that can be hidden one by one, named Values and leaves first: id and name."""
        found = self._trace(asked.view)
        nodes = {node.id: node for node in found.nodes}
        among = sorted(askable(found), key=lambda number: not nodes[number[0]].label)
        chosen = among[:MOST_CHOICES]
        return tuple((f"{of}.{kind}", f"{nodes[of].name}.{kind}") for of, kind in chosen)

    def renewed(self, asked: ExerciseQuery) -> dict[str, float]:
        """Other numbers for the leaves of an exercise, the next ones for the present ones.

        Raises as `exercise`. A program that takes long is run a few times at most.
        """
        self.exercise(asked)
        program = self._program(asked.view)
        defaults = program.defaults()
        leaves = {name: asked.view.leaves.get(name, x) for name, x in defaults.items()}
        scene = asked.view.scene

        def run(numbers: Mapping[str, float]) -> Trace:
            return trace(program, numbers, scene=scene)

        run(leaves)
        tries = min(TRIES, 1 + OPERATIONS // max(program.operations, 1))
        return renewed(run, leaves, asked.task, asked.digest, tries)

    def _trace(self, view: View) -> Trace:
        key = view.program, tuple(sorted(view.leaves.items())), view.scene
        found = self._traces.get(key)
        if found is None:
            program = self._program(view)
            known = program.defaults() if view.leaves else {}
            leaves = {name: x for name, x in view.leaves.items() if name in known}
            found = trace(program, leaves, scene=view.scene)
            self._traces.put(key, found, len(found.nodes) + len(found.frames))
        return found

    def _program(self, view: View) -> Program:
        return Program(view.program or "", self.settings.limits)

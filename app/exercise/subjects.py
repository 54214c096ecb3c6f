"""The exercises of addresses: programs run and laid out within the limits of the settings."""

from __future__ import annotations

from collections.abc import Mapping

from app.cache import Cache
from app.exercise.address import Asked
from app.picture import layout
from app.picture.direction import larger
from app.picture.grouping import visible
from app.program_address import View
from app.serving.metrics import observe_layout
from app.settings import Settings
from engine.exercise.exercise import Exercise, exercise
from engine.exercise.renewed import renewed
from engine.language.program import Program
from engine.trace.build import trace
from engine.trace.traced import Trace

ROOM = 900.0, 420.0
"""Width and height for the picture on a screen of 1440 × 860 pixels."""
TRACES, KEPT = 64, 60_000  # cache entries, and their size in nodes and frames
UNREAD = "The leaf {name} needs a number."


class Subjects:
    """Runs the programs of exercises, and keeps the last traces."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._traces: Cache[Trace] = Cache(TRACES, KEPT)

    def exercise(self, asked: Asked) -> Exercise:
        """The exercise of an address. Raises ExerciseError, ProgramError, UnknownLeaf."""
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

    def renewed(self, asked: Asked) -> dict[str, float]:
        """Other numbers for the leaves of an exercise, the next ones for the present ones."""
        program = self._program(asked.view)
        leaves = {**program.defaults(), **asked.view.leaves}
        scene = asked.view.scene

        def run(numbers: Mapping[str, float]) -> Trace:
            return trace(program, numbers, scene=scene)

        return renewed(run, leaves, asked.task, asked.digest)

    def _trace(self, view: View) -> Trace:
        key = view.program, tuple(sorted(view.leaves.items())), view.scene
        found = self._traces.get(key)
        if found is None:
            found = trace(self._program(view), view.leaves, scene=view.scene)
            self._traces.put(key, found, len(found.nodes) + len(found.frames))
        return found

    def _program(self, view: View) -> Program:
        return Program(view.program or "", self.settings.limits)

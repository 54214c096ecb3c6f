"""A leaf moved in the program itself: the program is run again, and its output read.

This measures slopes through numbers that could not be traced, such as `int(x)` or an array's.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.program import Program, ProgramError

from .traced import Trace


class Rerun:
    """The output of `shown`, a trace of `program` with `leaves` changed, as a function of a leaf.

    `most` bounds the operations of all runs together; beyond it, nothing is measured.
    """

    def __init__(
        self, program: Program, leaves: Mapping[str, float], shown: Trace, most: int
    ) -> None:
        self.program, self.leaves, self.shown = program, dict(leaves), shown
        self.left = most

    def output(self, key: str, start: float, x: float) -> float | None:
        """The output with the leaf `key`, which is drawn with `start`, at `x`.

        None if it cannot be had: the program changes the leaf's number before this pass, does
        not come to the same scene, fails, or takes too many operations.
        """
        starts = self.program.defaults() | self.leaves
        self.left -= self.program.operations
        if self.left < 0 or starts.get(key) != start:
            return None
        try:
            run = self.program.run(self.leaves | {key: x}, self.shown.scene)
        except ProgramError:
            return None
        if (run.scene.id if run.scene else None) != self.shown.scene or run.output is None:
            return None
        return float(run.output.data)

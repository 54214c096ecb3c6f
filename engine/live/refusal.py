"""What cannot be drawn, said in a sentence."""

from __future__ import annotations


class CannotShow(TypeError):
    """An object that has no graph to draw; the message says what it lacks, and what to do.

    A notebook shows the sentence alone, as the way through these modules helps nobody.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class CannotRebuild(CannotShow):
    """A graph that no program can be written for; the message says why."""

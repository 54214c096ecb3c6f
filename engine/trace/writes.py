"""What is said of writes to gradients that have no frame, as a scene has too many."""

from __future__ import annotations

from dataclasses import replace

from engine.program import Note, RecordedRun
from engine.record.model import Stage
from engine.verdict.model import Verdict

LEFT_OUT = (
    "{left:,} of the {all:,} writes to gradients have no frame: after the first "
    "{most:,} only the last one of each Value has. To see those in between, take fewer turns, or "
    "call draw_dot({output}) earlier, which makes a scene of the writes before it."
)


def notes(run: RecordedRun, stage: Stage, most: int) -> list[Note]:
    """The note on the steps that have no frame, if there are any, at the first that may be one."""
    if not stage.left_out or not stage.steps:
        return []
    count, output = len(stage.places) + stage.left_out, stage.backward.order[-1].label
    message = LEFT_OUT.format(left=stage.left_out, all=count, most=most, output=output or "…")
    return [Note(message, run.source.span(stage.steps[most - 1].node))]


def renumbered(verdict: Verdict, stage: Stage) -> Verdict:
    """The verdict with its frames counted among those shown, instead of among all steps."""
    if not stage.left_out:
        return verdict
    new = {at: frame for frame, at in enumerate(stage.places)}
    mistakes = [
        it if it.frame is None else it._replace(frame=new.get(it.frame)) for it in verdict.mistakes
    ]
    frames = {new[at]: found for at, found in verdict.frames.items() if at in new}
    return replace(verdict, frames=frames, mistakes=tuple(mistakes))

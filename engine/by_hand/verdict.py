"""The verdict on the gradients of arrays that a run computed by hand."""

from __future__ import annotations

from importlib.util import find_spec

from engine.program import Program, RecordedRun

from .fixes import mistakes
from .judge import hand_pass
from .model import HandVerdict
from .points import judged_again


def judge_arrays(program: Program, run: RecordedRun) -> HandVerdict | None:
    """The gradients of arrays that a run computed by hand; None if it computed none.

    Mistakes are named, and fixes tried, where the program may run again.
    """
    passed = hand_pass(program, run)
    if passed is None:
        return None
    if not program.uses_arrays:
        passed = judged_again(passed)
    can_run = program.repeats or find_spec("wasmtime") is not None
    loss = passed.matched.loss
    node = passed.nodes[loss.of]
    return HandVerdict(
        passed.gradients,
        mistakes(passed) if can_run else (),
        loss.shown,
        loss.of,
        node.data[0],
        run.source.span(node.node),
    )

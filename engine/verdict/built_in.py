"""The verdict on a pass of built-in Values: right by itself, on gradients that were left over."""

from __future__ import annotations

from collections.abc import Mapping

from engine.program import RecordedRun
from engine.record.model import Backward, RunNumber
from engine.reverse import UNKNOWN, sweep
from engine.value import partials

from .kinds import KINDS
from .ledger import close
from .model import Mistake, Verdict
from .sentences import program_number

Gradients = Mapping[RunNumber, float | None]


def judge_built_in(run: RecordedRun) -> Verdict | None:
    """The verdict on a pass whose gradients are wrong for what was there before; else None."""
    stage = run.stage
    if stage is None or stage.steps is not None or run.scene is None or not stage.backward.order:
        return None
    if run.scene.kind != "backward" or stage.stale:
        return None
    backward = stage.backward
    none: dict[RunNumber, float | None] = dict.fromkeys(backward.order, 0.0)
    true = _passed(backward, none | {backward.order[-1]: 1.0})
    starts = dict(zip(backward.order, backward.grads, strict=True))
    seeded: dict[RunNumber, float | None] = {**starts, backward.order[-1]: backward.before + 1.0}
    ends = _passed(backward, seeded)
    mistake = _second_pass(run, backward, true, ends) or _not_zeroed(run, backward, ends)
    if mistake is None:
        return None
    ids = {value: f"v{at}" for at, value in enumerate(backward.order, 1)}
    used = {backward.order[at]: grad for at, grad in backward.spent.items()}
    right = {
        id_: _is_right(ends[value], true[value], starts[value] - used.get(value, 0.0))
        for value, id_ in ids.items()
    }
    states = list(right.values())
    return Verdict(
        true_grads={id_: true[value] for value, id_ in ids.items()},
        frames={},
        mistakes=(mistake,),
        right=states.count(True),
        checked=states.count(True) + states.count(False),
        unknown=states.count(None),
        points=1,
        ends=right,
    )


def _is_right(end: float | None, true: float | None, kept: float) -> bool | None:
    """Whether a gradient is the true one, with what was rightly kept of earlier passes or not."""
    if end is None or true is None:
        return None
    return close(end, true) or close(end, true + kept)


def _passed(
    backward: Backward, gradients: dict[RunNumber, float | None]
) -> dict[RunNumber, float | None]:
    return sweep(
        backward.order,
        lambda value: partials(value) if value.op else [(arg, None) for arg in value.args],
        gradients,
        UNKNOWN,
    )


def _second_pass(
    run: RecordedRun, backward: Backward, true: Gradients, ends: Gradients
) -> Mistake | None:
    """What an earlier pass left in the results of the graph, this pass has passed on again."""
    starts = dict(zip(backward.order, backward.grads, strict=True))
    results = [
        value for value in backward.order[:-1] if value.op is not None and starts[value] != 0
    ]
    for value in backward.order if results else ():
        end, known = ends[value], true[value]
        if value.op is not None or end is None or known is None:
            continue
        due = known + starts[value]
        if not close(end, due):
            other = results[-1].label or "A result"
            return _mistake(run, backward, "second_pass", value, end, due, other)
    return None


def _not_zeroed(run: RecordedRun, backward: Backward, ends: Gradients) -> Mistake | None:
    """The first leaf whose gradient an update has used, and that this pass added to."""
    for at, used in backward.spent.items():
        value = backward.order[at]
        end = ends[value]
        if end is not None and not close(end, end - used):
            return _mistake(run, backward, "not_zeroed", value, end, end - used, "")
    return None


def _mistake(
    run: RecordedRun,
    backward: Backward,
    name: str,
    value: RunNumber,
    end: float,
    due: float,
    other: str,
) -> Mistake:
    kind = KINDS[name]
    at, span = backward.order.index(value), run.source.span(backward.node)
    subject = value.label or program_number(value.data)
    words = {
        "line": str(span[0]),
        "name": subject,
        "grad": f"{subject}.grad",
        "ends": program_number(end),
        "true": program_number(due),
        "other": other,
    }
    return Mistake(
        name,
        span,
        f"v{at + 1}",
        end,
        due,
        kind.sentence.format(**words),
        kind.cure.format(**words),
        ends=end,
        true=due,
        subject=subject,
        why=kind.why.format(**words),
    )

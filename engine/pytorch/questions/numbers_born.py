"""Where the first nan or inf was born, and from what."""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.numbers import short
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import Figures, NodeFrame, OperationFrame, TensorState

KIND = "nan"
_CURES = {
    "log": (
        "Keep what is logged above 0, `x.clamp(min=1e-12).log()`, or use log_softmax or "
        "logsigmoid."
    ),
    "log2": "Keep what is logged above 0, `x.clamp(min=1e-12).log2()`.",
    "div": "Keep the divisor away from 0: `a / (b + 1e-8)`.",
    "reciprocal": "Keep the divisor away from 0: `1 / (x + 1e-8)`.",
    "sqrt": "Keep what is under the root above 0: `(x + 1e-8).sqrt()`; at 0 its slope is infinite.",
    "rsqrt": "Keep what is under the root above 0: `(x + 1e-8).rsqrt()`.",
    "exp": "Subtract the largest exponent first, or use softmax, logsumexp or softplus, which do.",
    "pow": "Keep the base above 0 where the exponent is negative or a fraction.",
    "linalg_vector_norm": "The norm has no slope at 0: `(x.square().sum() + 1e-12).sqrt()`.",
    "std": "Of equal numbers it is 0, where it has no slope; of one it is nan: "
    "`x.var(unbiased=False).add(1e-8).sqrt()`.",
    "_softmax": "A row of −inf alone has no softmax: mask so that each row keeps one number.",
    "acos": "Keep the argument inside (−1, 1): `x.clamp(-1 + 1e-7, 1 - 1e-7)`.",
    "asin": "Keep the argument inside (−1, 1): `x.clamp(-1 + 1e-7, 1 - 1e-7)`.",
    "atanh": "Keep the argument inside (−1, 1).",
    "mean": "The mean of no numbers is nan: see to it that the selection is not empty.",
    "sub": "∞ − ∞ is no number: see what grew without bound.",
    "mul": "0 × ∞ is no number: choose before the function is applied, not after it.",
}  # fmt: skip
_MASKING = {
    "masked_fill", "full", "full_like", "scalar_tensor", "where", "fill", "triu", "tril",
    "new_full",
}  # fmt: skip
_GREW = (
    "The numbers grew without bound: a smaller learning rate, or clip the gradients with "
    "`torch.nn.utils.clip_grad_norm_`."
)
_ELSE = "Look at the numbers that went in, and keep them in the function's domain."


def nan_births(flow: TensorFlow) -> Iterator[RunAnswer]:
    """The first operation that made finite numbers into nan or inf which reached the loss.

    Failing that, the first Node that did so with gradients.
    """
    bad = [state for state in flow.loss_states if _is_bad(flow.figures(state))]
    if bad:
        birth = _forward(flow, bad[0])
        if birth is not None:
            yield _of_operation(flow, birth, bad[0])
        else:
            yield from _given(flow, bad[0])
        return
    for run in flow.record.node_runs:
        sent = next((s.figures for s in run.sent if _is_bad(s.figures)), None)
        if sent is not None and not any(_is_bad(f) for f in run.incoming):
            yield _of_node(flow, run, sent)
            return


def _is_bad(figures: Figures | None) -> bool:
    return figures is not None and not figures.is_finite


def _is_masking(op: OperationFrame) -> bool:
    """Whether −inf is what the program asked for."""
    return op.short.strip("_") in _MASKING


def _forward(flow: TensorFlow, loss: TensorState) -> OperationFrame | None:
    """The earliest operation behind a loss that made nan or inf of finite numbers."""
    behind = flow.before([loss])
    born = [
        op
        for op in flow.operations
        if any(state in behind and _is_bad(flow.figures(state)) for state in op.outputs)
        and not _is_masking(op)
        and (_has_new(flow, op) or not any(_is_bad(flow.figures(s)) for s in op.inputs))
    ]
    return born[0] if born else None


def _has_new(flow: TensorFlow, op: OperationFrame) -> bool:
    """Whether an operation made nan where there was none: of masks' −inf."""
    came = [f for s in op.inputs if (f := flow.figures(s)) is not None]
    went = [f for s in op.outputs if (f := flow.figures(s)) is not None]
    return any(f.nans for f in went) and not any(f.nans for f in came)


def _given(flow: TensorFlow, loss: TensorState) -> Iterator[RunAnswer]:
    """A tensor that nothing here made has nan or inf."""
    for state in reversed(flow.before([loss])):
        figures = flow.figures(state)
        made = flow.maker(state)
        if (made is None or state in made.inputs) and figures is not None and _is_bad(figures):
            used = next(op for op in flow.uses[state] if op is not made)
            count = figures.nans + figures.infs
            yield RunAnswer(
                KIND,
                f"{flow.record.name(state)} holds nan or inf from the start, {count:,} of "
                f"{figures.size:,} numbers, and so has the loss.",
                "Clean the data: `torch.isfinite(x).all()` should hold before training.",
                used.place,
            )
            return


def _word(figures: Figures) -> str:
    return "nan" if figures.nans else "inf"


def _of_operation(flow: TensorFlow, op: OperationFrame, loss: TensorState) -> RunAnswer:
    state = next(s for s in op.outputs if _is_bad(flow.figures(s)))
    figures = flow.figures(state)
    assert figures is not None
    base = op.short.rstrip("_") if op.short != "_softmax" else op.short
    count = figures.nans + figures.infs
    message = (
        f"The first {_word(figures)} is born here: {_name(flow, op)} gives {count:,} of "
        f"{figures.size:,} numbers that are {_word(figures)}, of finite ones"
        f"{_example(flow, op, figures)}. "
        f"So the loss is {_number(flow.figures(loss))}."
    )
    grown = any((f := flow.figures(s)) and (f.norm or 0) > 1e15 for s in op.inputs)
    cure = _GREW if grown or base in ("mm", "addmm", "bmm", "add") else _CURES.get(base, _ELSE)
    return RunAnswer(KIND, message, cure, op.place)


def _name(flow: TensorFlow, op: OperationFrame) -> str:
    inputs = flow.record.names(op.inputs)
    return f"{op.short.strip('_')}({inputs})"


def _number(figures: Figures | None) -> str:
    values = figures.values if figures is not None else None
    return "not a finite number" if not values else short(values[0])


def _example(flow: TensorFlow, op: OperationFrame, figures: Figures) -> str:
    """The first bad number and what it was made of."""
    values = figures.values
    if values is None:
        return ""
    at = next(i for i, x in enumerate(values) if not math.isfinite(x))
    parts = []
    for state in op.inputs:
        given = flow.figures(state)
        if given is not None and given.shape == figures.shape and given.values is not None:
            parts.append(short(float(given.values[at])))
    return f": {', '.join(parts)} gives {short(values[at])}" if parts else ""


def _of_node(flow: TensorFlow, run: NodeFrame, sent: Figures) -> RunAnswer:
    op = None if run.operation is None else flow.record.frames[run.operation]
    base = op.short.rstrip("_") if isinstance(op, OperationFrame) else run.name
    message = (
        f"The loss is finite, and its gradient is not: the first {_word(sent)} is born in the "
        f"backward pass of this line, in {run.name}, of a finite incoming gradient."
    )
    if isinstance(op, OperationFrame):
        message += _input_where_bad(flow, op, sent)
    return RunAnswer(KIND, message, _CURES.get(base, _ELSE), run.place)


def _input_where_bad(flow: TensorFlow, op: OperationFrame, sent: Figures) -> str:
    values = sent.values
    if values is None:
        return ""
    at = next(i for i, x in enumerate(values) if not math.isfinite(x))
    for state in op.inputs:
        given = flow.figures(state)
        if given is not None and given.shape == sent.shape and given.values is not None:
            x = short(float(given.values[at]))
            return f" There {flow.record.name(state)} is {x}, and {op.short} has no finite slope."
    return ""

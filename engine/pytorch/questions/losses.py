"""Losses that are given what they do not expect: probabilities for logits, other shapes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.numbers import short
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer, shape_words
from engine.pytorch.record import Figures, OperationFrame, TensorState

_PROBABILITIES = {"_softmax": "softmax", "_log_softmax": "log_softmax", "sigmoid": "sigmoid"}
_DIFFERENCES = {
    "sub", "rsub", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
}  # fmt: skip


def double_softmax(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A cross entropy, which takes the softmax itself, of what is a softmax already."""
    for op in flow.operations_behind_losses():
        if op.short != "_log_softmax" or flow.called(op) != "cross_entropy":
            continue
        made = flow.origin(op.inputs[0])
        if made is None or made.short not in _PROBABILITIES:
            continue
        word = _PROBABILITIES[made.short]
        figures = flow.figures(op.inputs[0])
        span = _span(figures)
        where = "" if made.place is None else f" of line {made.place.line}"
        yield RunAnswer(
            "double-softmax",
            f"cross_entropy takes the softmax itself, and is given the result of {word}{where}: "
            f"the softmax is taken twice, which flattens all gradients.{span}",
            f"Give it the logits: leave out {word} before the loss"
            + (", or use nll_loss." if word == "log_softmax" else "."),
            op.place,
        )


def _span(figures: Figures | None) -> str:
    if figures is None or figures.least is None or figures.largest is None:
        return ""
    return f" Here they lie in [{short(figures.least)}, {short(figures.largest)}]."


def probabilities_to_nll(flow: TensorFlow) -> Iterator[RunAnswer]:
    """The negative log likelihood of what is no logarithm."""
    for op in flow.operations_behind_losses():
        if op.short not in ("nll_loss_forward", "nll_loss2d_forward"):
            continue
        if flow.called(op) == "cross_entropy":
            continue
        made = flow.origin(op.inputs[0])
        figures = flow.figures(op.inputs[0])
        if figures is None or figures.largest is None or figures.least is None:
            continue
        if made is not None and made.short == "_log_softmax":
            continue
        if figures.largest > 0 or (made is not None and made.short == "_softmax"):
            what = "probabilities" if made is not None and made.short == "_softmax" else "numbers"
            yield RunAnswer(
                "nll-without-log",
                f"nll_loss expects log-probabilities, which are at most 0, and is given {what} in "
                f"[{short(figures.least)}, {short(figures.largest)}].",
                "Use `F.cross_entropy(logits, targets)`, or log_softmax before nll_loss.",
                op.place,
            )


def sigmoids_and_bce(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A sigmoid before the loss that takes it itself, or none before the one that does not."""
    for op in flow.operations:
        if op.short == "binary_cross_entropy_with_logits":
            made = flow.origin(op.inputs[0])
            if made is not None and made.short in ("sigmoid", "_softmax"):
                word = _PROBABILITIES[made.short]
                yield RunAnswer(
                    "double-sigmoid",
                    f"binary_cross_entropy_with_logits takes the sigmoid itself, and is given the "
                    f"result of {word}: the sigmoid is taken twice.",
                    f"Leave out {word} before it, or use binary_cross_entropy.",
                    op.place,
                )
        elif op.short == "binary_cross_entropy":
            figures = flow.figures(op.inputs[0])
            if figures is None or figures.least is None or figures.largest is None:
                continue
            if figures.least < 0 or figures.largest > 1:
                yield RunAnswer(
                    "logits-to-bce",
                    "binary_cross_entropy expects probabilities, and is given numbers in "
                    f"[{short(figures.least)}, {short(figures.largest)}]: logits.",
                    "Use `F.binary_cross_entropy_with_logits`, which is also the safer one.",
                    op.place,
                )


def unmeant_broadcasts(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A difference of (N, 1) and (N,), which is a table of N × N differences."""
    said = set()
    for op in flow.operations_behind_losses():
        if op.short not in _DIFFERENCES or len(op.inputs) < 2:
            continue
        given = [_before_expand(flow, state) for state in op.inputs[:2]]
        out = flow.figures(op.outputs[0])
        shapes = [flow.record.tensors[state.tensor].shape for state in given]
        wide = _broadcast(*shapes)
        if wide is None or (op.place and op.place.line in said):
            continue
        said.add(op.place.line if op.place else 0)
        count = wide[0] * wide[1]
        mean = f", and the mean is of all of them: {_value(flow, op)}" if _is_one(out) else ""
        names = flow.record.names(given).replace(", ", " and ")
        yield RunAnswer(
            "broadcast",
            f"{names} have the shapes {shape_words(shapes[0])} and {shape_words(shapes[1])}: each "
            f"is broadcast to {shape_words(wide)}, so that {count:,} differences of all pairs are "
            f"taken, not {wide[0]:,}{mean}.",
            "Give both one shape: `prediction.squeeze(1)` or `target.unsqueeze(1)`.",
            op.place,
        )


def _is_one(figures: Figures | None) -> bool:
    return figures is not None and not figures.shape


def _value(flow: TensorFlow, op: OperationFrame) -> str:
    figures = flow.figures(op.outputs[0])
    return short(figures.values[0]) if figures and figures.values else "?"


def _before_expand(flow: TensorFlow, state: TensorState) -> TensorState:
    """The tensor that PyTorch broadcast for a loss."""
    op = flow.maker(state)
    while op is not None and op.short == "expand" and op.inputs:
        state = op.inputs[0]
        op = flow.maker(state)
    return state


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, int] | None:
    """The table that (N, 1) and (N,) make, in either order."""
    if len(a) < len(b):
        a, b = b, a
    if len(a) == 2 and len(b) == 1 and a[1] == 1 and a[0] == b[0] and b[0] > 1:
        return a[0], b[0]
    return None

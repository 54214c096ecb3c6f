"""Functions of the program's own whose backward is not the derivative of their forward."""

from __future__ import annotations

from collections.abc import Iterator

from engine.numbers import short
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import NodeFrame, OperationFrame
from engine.pytorch.slopes import slope_of


def wrong_functions(flow: TensorFlow) -> Iterator[RunAnswer]:
    """What a Function sends differs from the slope of its forward along it.

    One that sends gradients through steps on purpose has the slope 0 there, and is let be.
    """
    for run in flow.record.node_runs:
        op = None if run.operation is None else flow.record.frames[run.operation]
        if not isinstance(op, OperationFrame) or not op.is_function or op.run is None:
            continue
        slope = slope_of(flow.record, run, op)
        if slope is None or slope.is_kink or not slope.measured or slope.is_right:
            continue
        yield _answer(flow, run, op, slope.sent, slope.measured)


def _answer(
    flow: TensorFlow, run: NodeFrame, op: OperationFrame, sent: float, measured: float
) -> RunAnswer:
    return RunAnswer(
        "wrong-function",
        f"{op.op}.backward is not the derivative of its forward: along a direction drawn at random "
        f"it sends {short(sent)}, and the forward's slope is {short(measured)}, measured in "
        "float64.",
        f"Derive forward anew: backward has to give the incoming gradient times its slope at "
        f"{flow.record.names(op.inputs)}. `torch.autograd.gradcheck` tests it alone.",
        op.place,
    )

"""Why the gradient of one tensor is what it is: None, zero, or a number."""

from __future__ import annotations

from engine.pytorch.figures_shown import told
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.questions.gradients import cut_at, cuts
from engine.pytorch.record import ProgramRecord

_RETAIN = "Call `{name}.retain_grad()` before `backward()`."


def about_tensor(record: ProgramRecord, id_: str) -> RunAnswer:
    """The answer about a recorded tensor."""
    flow = TensorFlow(record)
    tensor, name = record.tensors[id_], record.name(id_)
    states = [s for op in flow.operations for s in (*op.inputs, *op.outputs) if s.tensor == id_]
    made = next((m for s in states if (m := flow.maker(s)) is not None), None)
    place = None if made is None else made.place
    runs = [run for run in record.node_runs if run.leaf == id_]
    if runs:
        return RunAnswer(
            "grad",
            f"{name} is a leaf, and {len(runs):,} passes added to its gradient, which is now "
            f"{told(runs[-1].after)}; the last one added {told(runs[-1].incoming[0])}.",
            "Nothing is to be done.",
            runs[-1].place,
        )
    if not tensor.requires_grad:
        at = [op for op in cuts(flow) if any(s.tensor == id_ for s in op.outputs)]
        if at:
            return cut_at(flow, at[0])
        return RunAnswer(
            "not-wanted",
            f"{name} wants no gradient: it was made without requires_grad, and so was all that it "
            "was computed from.",
            f"Call `{name}.requires_grad_()` before it is used.",
            place,
        )
    if not any(not frame.error for frame in record.passes):
        message = f"{name} has no gradient, as no backward pass ran."
        return RunAnswer("no-pass", message, "Call `backward()` on the loss.", place)
    behind = flow.behind_losses
    if not any(state.tensor == id_ for state in behind):
        users = [op for op in flow.operations if any(s.tensor == id_ for s in op.inputs)]
        last = users[-1] if users else made
        return RunAnswer(
            "not-in-loss",
            f"{name} has no gradient: the loss does not depend on it.",
            f"Use {name} in what `backward()` is called on.",
            place if last is None else last.place,
        )
    at = [op for op in cuts(flow) if any(s in behind for s in op.outputs)]
    below = [op for op in at if any(s.tensor == id_ for s in flow.before(op.inputs))]
    if below and tensor.role:
        return cut_at(flow, below[-1])
    return RunAnswer(
        "grad-of-result",
        f"{name} is a result, and autograd keeps the gradients of leaves alone.",
        _RETAIN.format(name=name),
        place,
    )

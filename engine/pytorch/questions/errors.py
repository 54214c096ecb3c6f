"""Errors of autograd: what led to them, in the program's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer, shape_words
from engine.pytorch.questions.gradients import called_python, cut_at, cuts
from engine.pytorch.record import OperationFrame, PassFrame, TensorState, TorchFrame

_SHAPE = re.compile(r"\[torch\.\w+ (?:\[([\d, ]*)\]|\(\))\]")
_OUTPUT = re.compile(r"output (\d+) of (\w+)")
_SAVE_RESULTS = {
    "exp", "sigmoid", "tanh", "sqrt", "rsqrt", "relu", "_softmax", "_log_softmax", "reciprocal",
}  # fmt: skip
"""Operations whose derivative is computed of their result."""
_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


def _failed(flow: TensorFlow, *texts: str) -> Iterator[TorchFrame]:
    """The frames that ended with an error that says one of these."""
    for frame in (*flow.record.passes, *flow.record.frames):
        if any(text in frame.error for text in texts):
            yield frame
            return


def changed_in_place(flow: TensorFlow) -> Iterator[RunAnswer]:
    """What the backward pass needs was changed after it was saved."""
    for frame in _failed(flow, "modified by an inplace operation"):
        found = _SHAPE.search(frame.error)
        shape = tuple(map(int, filter(None, (found[1] or "").split(", ")))) if found else None
        versions = _VERSIONS.search(frame.error)
        least = int(versions[2]) if versions else 0
        op, state = _last_change(flow, shape, least)
        if op is None or state is None:
            continue
        saver = _saver(flow, op, TensorState(state.tensor, least))
        what = (
            ""
            if saver is None or saver.place is None
            else (f" {saver.short.strip('_')} of line {saver.place.line} saved it for that.")
        )
        name = flow.record.name(state)
        yield RunAnswer(
            "in-place",
            f"{op.short} changes {name} in place, from version {least} to {least + 1} or later, "
            "and the "
            f"backward pass needs it as it was.{what}",
            _cure(op, name),
            op.place,
        )


def _saver(flow: TensorFlow, change: OperationFrame, state: TensorState) -> OperationFrame | None:
    """The operation that saved a state: the one that made it, if it needs its result, or a user."""
    made = flow.maker(state)
    if made is not None and made.short.rstrip("_") in _SAVE_RESULTS:
        return made
    users = (op for op in flow.uses.get(state, ()) if op.node and op.index < change.index)
    return next(users, made)


def _cure(op: OperationFrame, name: str) -> str:
    if op.leaf:
        return "Update parameters after `backward()`, not between the forward pass and it."
    word = op.short.rstrip("_")
    return f"Make a new tensor, `{name} = {name}.{word}(…)`, instead of `{op.short}` or `+=`."


def _last_change(
    flow: TensorFlow, shape: tuple[int, ...] | None, least: int
) -> tuple[OperationFrame | None, TensorState | None]:
    for op in flow.operations:
        for state in op.mutates:
            family = flow.family(state.tensor)
            for tensor in (state.tensor, family):
                known = flow.record.tensors[tensor]
                fits = shape is None or known.shape == shape or known.shape[::-1] == shape
                if fits and state.version == least and _is_saved(flow, family, op):
                    return op, TensorState(tensor, state.version)
    return None, None


def _is_saved(flow: TensorFlow, family: str, until: OperationFrame) -> bool:
    """Whether an operation before this one, that has a Node, read or made the tensor."""
    return any(
        op.node and any(flow.family(s.tensor) == family for s in (*op.inputs, *op.outputs))
        for op in flow.operations
        if op.index < until.index
    )


def leaf_in_place(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A leaf is changed in place where autograd is on."""
    for frame in _failed(flow, "leaf Variable that requires grad", "view of a leaf"):
        yield RunAnswer(
            "leaf-in-place",
            "A parameter is changed in place where autograd is on, which it cannot derive.",
            "Update parameters under `with torch.no_grad():`, or by an optimizer.",
            frame.place,
        )


def second_pass(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A pass through a graph that the pass before freed."""
    for frame in _failed(flow, "backward through the graph a second time"):
        if not isinstance(frame, PassFrame):
            frame = next((f for f in flow.record.passes if f.error), frame)
        earlier = [f for f in flow.record.passes if f.index < frame.index]
        first = earlier[-1] if earlier else None
        carried = None if first is None else _carried(flow, first, frame)
        if carried is None or first is None:
            yield RunAnswer(
                "second-backward",
                "This pass goes through a graph whose numbers the pass before has freed.",
                "Compute the loss anew before each `backward()`; or `retain_graph=True` in the "
                "first.",
                frame.place,
            )
            continue
        state, op = carried
        name = flow.record.name(state)
        yield RunAnswer(
            "second-backward",
            f"{name} was computed before the pass of line "
            f"{first.place.line if first.place else '?'}, which freed its graph, and is used here.",
            f"Cut the graph between steps: `{name} = {name}.detach()`, or compute it anew.",
            op.place,
        )


def _carried(
    flow: TensorFlow, first: PassFrame, failed: TorchFrame
) -> tuple[TensorState, OperationFrame] | None:
    """What was computed before a pass, and is used after it."""
    for op in flow.operations:
        if not first.index < op.index < failed.index or op.loses:
            continue
        for state in op.inputs:
            made = flow.maker(state)
            if made is not None and made.index < first.index and made.node:
                return state, op
    return None


def no_graph(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A loss that autograd knows no graph of."""
    for frame in _failed(flow, "does not require grad and does not have a grad_fn"):
        roots = frame.roots if isinstance(frame, PassFrame) else ()
        behind = flow.before(roots)
        at = [op for op in cuts(flow) if any(s in behind for s in op.outputs)]
        if at:
            told = cut_at(flow, at[-1])
            yield RunAnswer(
                told.kind, f"The loss has no graph. {told.message}", told.cure, told.place
            )
            continue
        left = [
            call for call in called_python(flow)
            if call.inputs and any(flow.record.tensors[s.tensor].requires_grad for s in call.inputs)
        ]  # fmt: skip
        if left:
            word = left[-1].name.rpartition(".")[2]
            yield RunAnswer(
                "left-torch",
                f"The loss has no graph: {word} makes a number of "
                f"{flow.record.name(left[-1].inputs[0])} that autograd does not know.",
                f"Compute with the tensor itself: leave out {word}.",
                left[-1].place,
            )
            continue
        leaves = flow.record.names(
            [
                s
                for s in behind
                if flow.maker(s) is None and flow.figures(s) and not _is_int(flow, s)
            ][:4]
        )
        yield RunAnswer(
            "nothing-wanted",
            f"Nothing behind the loss wants a gradient: {leaves or 'its inputs'} were made without "
            "requires_grad, or their parameters are frozen.",
            "Make what is to be learned with `requires_grad=True`, or `nn.Parameter`.",
            frame.place,
        )


def _is_int(flow: TensorFlow, state: TensorState) -> bool:
    return "int" in flow.record.tensors[state.tensor].dtype


def no_scalar(flow: TensorFlow) -> Iterator[RunAnswer]:
    """`backward()` of more than one number."""
    for frame in _failed(flow, "grad can be implicitly created only for scalar"):
        shapes = [flow.record.tensors[s.tensor].shape for s in getattr(frame, "roots", ())]
        shape = shape_words(shapes[0]) if shapes else "more than one number"
        yield RunAnswer(
            "no-scalar",
            f"backward() is called on a tensor of shape {shape}: a gradient is that of one number.",
            "Reduce it first: `loss.mean().backward()`.",
            frame.place,
        )

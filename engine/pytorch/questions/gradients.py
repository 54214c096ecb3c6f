"""Leaves without a gradient, or with one that is zero: where the way back from the loss ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.numbers import short
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import (
    CallFrame,
    NodeFrame,
    OperationFrame,
    RecordedTensor,
    SourcePlace,
    StepFrame,
    TensorState,
)

_LEAVES_TORCH = (
    "torch.Tensor.item", "torch.Tensor.tolist", "torch.Tensor.numpy", "torch.Tensor.__array__",
    "torch.tensor", "torch.as_tensor", "torch.Tensor.__float__", "torch.Tensor.__int__",
)  # fmt: skip
"""Calls after which a number is Python's."""
_STEPPED = {
    "argmax", "argmin", "sign", "round", "floor", "ceil", "trunc", "gt", "lt", "ge", "le", "eq",
    "ne", "argsort", "bucketize", "multinomial", "bernoulli", "floor_divide", "isnan",
}  # fmt: skip
"""Operations that are constant between their steps, so that nothing flows back."""
_PRODUCTS = ("Mm", "Addmm", "Mul", "Bmm")
"""Nodes that send the other factor on."""
_KEEPING = ("retain_grad", "register_hook")
_LISTED = 4


def cut_at(flow: TensorFlow, op: OperationFrame) -> RunAnswer:
    """What an operation does to the graph: detaches, is under no_grad, or has no derivative."""
    name = flow.record.names(op.inputs[:1])
    call = flow.call_of(op)
    if op.short == "detach":
        what = "data" if call is not None and call.name.endswith("data.__get__") else "detach()"
        return RunAnswer(
            "detached",
            f"{name}.{what} leaves the graph here: nothing behind it gets a gradient.",
            f"Use {name} itself: leave out {what}.",
            op.place,
        )
    if op.loses:
        return RunAnswer(
            "no-grad",
            f"This line runs with gradients switched off, by torch.no_grad() or inference_mode(): "
            f"{op.short.strip('_')}({flow.record.names(op.inputs)}) is not part of a graph.",
            "Compute the loss outside of the block.",
            op.place,
        )
    return RunAnswer(
        "no-derivative",
        f"{op.short.strip('_')} has no derivative: it is constant between its steps, so nothing "
        f"flows back to {name}.",
        "Use a smooth function in its place, such as softmax for argmax, or sigmoid for a "
        "comparison.",
        op.place,
    )


def cuts(flow: TensorFlow) -> list[OperationFrame]:
    """The operations whose input wants a gradient, and whose result gets none."""
    found = []
    for op in flow.operations:
        if op.within is not None or op.leaf:
            continue
        wants = any(flow.record.tensors[s.tensor].requires_grad for s in op.inputs)
        if wants and (op.short == "detach" or op.loses or op.short in _STEPPED):
            found.append(op)
    return found


def _cuts_of(flow: TensorFlow, states: Iterable[TensorState]) -> list[OperationFrame]:
    """Those of the cuts that lie between a result and the leaves."""
    behind = flow.before(states)
    return [op for op in cuts(flow) if any(state in behind for state in op.outputs)]


def without_gradient(flow: TensorFlow) -> Iterator[RunAnswer]:
    """Parameters that passes leave without a gradient, and what keeps it from them."""
    record = flow.record
    if not any(not f.error for f in record.passes):
        return
    reached = {run.leaf for run in record.node_runs if run.leaf}
    wanted = {leaf for f in record.passes for leaf in f.wanted}
    held = {p for ids in record.optimizers.values() for p in ids}
    held |= {p for step in record.of(StepFrame) for p in step.parameters}
    missed = [
        t.id for t in record.tensors.values()
        if t.requires_grad and t.id not in reached and t.id not in wanted
        and (t.id in held if held else t.role == "parameter" or _is_left(flow, t))
    ]  # fmt: skip
    if not missed:
        return
    behind = flow.behind_losses
    unused = [t for t in missed if not _uses(flow, t)]
    cut = [t for t in missed if t not in unused]
    if unused:
        yield _unused(flow, unused, reached)
    if cut:
        at = _cuts_of(flow, flow.loss_states)
        relevant = [op for op in at if any(s.tensor in cut for s in flow.before(op.inputs))]
        if relevant:
            told = cut_at(flow, relevant[-1])
            message = f"{told.message} So {_listed(flow, cut)} no gradient."
            yield RunAnswer(told.kind, message, told.cure, told.place)
        elif not any(s.tensor in cut for s in behind):
            yield _elsewhere(flow, cut)


def _is_left(flow: TensorFlow, tensor: RecordedTensor) -> bool:
    """Whether a leaf of the program has no gradient at the end."""
    return tensor.role == "leaf" and flow.record.grads.get(tensor.id, 1) is None


def _uses(flow: TensorFlow, leaf: str) -> list[OperationFrame]:
    return [
        op for op in flow.operations if not op.leaf and any(s.tensor == leaf for s in op.inputs)
    ]


def _listed(flow: TensorFlow, leaves: list[str]) -> str:
    names = ", ".join(map(flow.record.name, leaves[:_LISTED]))
    more = f" and {len(leaves) - _LISTED:,} more" if len(leaves) > _LISTED else ""
    return f"{names}{more} {'get' if len(leaves) > 1 else 'gets'}"


def _unused(flow: TensorFlow, leaves: list[str], reached: set[str]) -> RunAnswer:
    return RunAnswer(
        "unused",
        f"{_listed(flow, leaves)} no gradient: no operation uses "
        f"{'them' if len(leaves) > 1 else 'it'}. "
        f"{len(reached):,} others get one.",
        "Use it in forward(), or make the optimizer of the model that is trained.",
        _mention(flow, leaves),
    )


def _mention(flow: TensorFlow, leaves: list[str]) -> SourcePlace | None:
    steps = [frame.place for frame in flow.record.of(StepFrame)]
    return steps[0] if steps else flow.record.passes[0].place


def _elsewhere(flow: TensorFlow, leaves: list[str]) -> RunAnswer:
    """What is computed of leaves leads to no loss, perhaps by way of Python's numbers."""
    made = {s for op in flow.operations for s in op.outputs}
    behind = {s for leaf in leaves for op in _uses(flow, leaf) for s in op.outputs}
    for frame in flow.record.calls:
        if frame.name in _LEAVES_TORCH and frame.inputs:
            before = flow.before(frame.inputs)
            if any(state.tensor in leaves for state in before) and behind & made:
                word = frame.name.rpartition(".")[2]
                return RunAnswer(
                    "left-torch",
                    f"{word} makes a number of {flow.record.name(frame.inputs[0])} that autograd "
                    "does "
                    f"not know: {_listed(flow, leaves)} no gradient through it.",
                    f"Compute with the tensor itself: leave out {word}.",
                    frame.place,
                )
    op = _uses(flow, leaves[0])[-1]
    return RunAnswer(
        "not-in-loss",
        f"{_listed(flow, leaves)} no gradient: what this line computes is not part of the loss.",
        "Use the result in what `backward()` is called on.",
        op.place,
    )


def asked_of_results(flow: TensorFlow) -> Iterator[RunAnswer]:
    """`grad` read of what is no leaf, where autograd keeps none."""
    record = flow.record
    kept = {f.inputs[0].tensor for f in record.calls if f.name.endswith(_KEEPING) and f.inputs}
    for frame in record.calls:
        if not frame.name.endswith("grad.__get__") or frame.outputs or not frame.inputs:
            continue
        tensor = record.tensors[frame.inputs[0].tensor]
        if tensor.role or not tensor.requires_grad or tensor.id in kept:
            continue
        made = flow.maker(frame.inputs[0])
        name = record.name(tensor.id)
        yield RunAnswer(
            "grad-of-result",
            f"{name}.grad is None: {name} is the result of "
            f"{'an operation' if made is None else made.short.strip('_')}, and autograd keeps the "
            "gradients of leaves alone.",
            f"Call `{name}.retain_grad()` before `backward()`.",
            frame.place,
        )
        return


def zero_gradients(flow: TensorFlow) -> Iterator[RunAnswer]:
    """Leaves whose gradient is exactly zero, and the Node where it became that."""
    record = flow.record
    norms: dict[str, list[float]] = {}
    for run in record.node_runs:
        if run.leaf and run.incoming and run.incoming[0] and run.incoming[0].norm is not None:
            norms.setdefault(run.leaf, []).append(run.incoming[0].norm)
    zero = [leaf for leaf, found in norms.items() if not any(found)]
    if not zero:
        return
    culprits = [run for run in record.node_runs if _kills(flow, run)]
    if not culprits:
        return
    # A product with zeros is mostly the consequence of a function that gave them.
    culprit = next((run for run in culprits if not run.name.startswith(_PRODUCTS)), culprits[0])
    yield RunAnswer(
        "zero-gradient",
        f"{_listed(flow, zero)} the gradient 0: {_why_zero(flow, culprit)}",
        _cure_zero(culprit),
        culprit.place,
    )


def _kills(flow: TensorFlow, run: NodeFrame) -> bool:
    """Whether a Node sends zeros alone, of an incoming gradient that is not zero.

    That a product with data that is 0 does so, such as a first hidden state, is as it should be.
    """
    came = any(f is not None and f.norm for f in run.incoming)
    went = [s.figures for s in run.sent if s.to and s.figures is not None]
    if not came or not any(f.norm == 0 for f in went):
        return False
    op = None if run.operation is None else flow.record.frames[run.operation]
    if not isinstance(op, OperationFrame) or not run.name.startswith(_PRODUCTS):
        return True
    zeros = [s for s in op.inputs if (f := flow.figures(s)) is not None and f.norm == 0]
    return any(flow.record.tensors[s.tensor].requires_grad for s in zeros)


def _why_zero(flow: TensorFlow, run: NodeFrame) -> str:
    came = next(f.norm for f in run.incoming if f is not None and f.norm)
    op = None if run.operation is None else flow.record.frames[run.operation]
    text = f"an incoming gradient of length {short(came or 0)} ends in {run.name}"
    if not isinstance(op, OperationFrame) or not op.inputs:
        return text + "."
    figures = flow.figures(op.inputs[0])
    if figures is None or figures.largest is None or figures.least is None:
        return text + "."
    name = flow.record.name(op.inputs[0])
    span = f"{name} lies in [{short(figures.least)}, {short(figures.largest)}]"
    if run.name.startswith(("Relu", "Threshold")):
        return f"{text}: {span}, below 0 everywhere, so each unit is dead."
    if run.name.startswith("Clamp"):
        return f"{text}: {span}, outside of what clamp lets pass."
    if run.name.startswith(("Sigmoid", "Tanh")):
        return f"{text}: {span}, so it is saturated."
    if run.name.startswith(_PRODUCTS):
        zeros = [flow.record.name(s) for s in op.inputs if (f := flow.figures(s)) and f.norm == 0]
        if zeros:
            return f"{text}: {' and '.join(zeros)} {'are' if len(zeros) > 1 else 'is'} 0."
    return f"{text}; {span}."


def _cure_zero(run: NodeFrame) -> str:
    name = run.name
    if name.startswith(("Relu", "Threshold")):
        return "Smaller weights or rate, a bias that is not far below 0, or leaky_relu."
    if name.startswith(("Round", "Sign", "Floor", "Ceil", "Trunc")):
        return (
            "It is constant between its steps: pass gradients straight through, `x + (x.round() - "
            "x).detach()`."
        )
    if name.startswith("Clamp"):
        return "Do not clamp what has to learn its way back; penalise it in the loss."
    if name.startswith(("Sigmoid", "Tanh")):
        return "Smaller weights or inputs: normalise them."
    if name.startswith(_PRODUCTS):
        return "Weights that are all 0 pass nothing back: initialise at random."
    return "See why the slope is 0 at these numbers."


def list_cuts(flow: TensorFlow) -> Iterator[RunAnswer]:
    """All places where the graph ends, also those that are meant."""
    seen = set()
    for op in cuts(flow):
        key = op.place and (op.place.file, op.place.line)
        if key not in seen:
            seen.add(key)
            yield cut_at(flow, op)


def called_python(flow: TensorFlow) -> list[CallFrame]:
    """The calls after which a number is Python's."""
    return [frame for frame in flow.record.calls if frame.name in _LEAVES_TORCH]

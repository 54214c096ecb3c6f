"""Gradients and the optimizer: not zeroed, zeroed too early, not stepped, not given."""

from __future__ import annotations

from collections.abc import Iterator

from engine.numbers import short
from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import (
    CallFrame,
    NodeFrame,
    OperationFrame,
    PassFrame,
    ProgramRecord,
    StepFrame,
    TorchFrame,
)


def missing_zero_grad(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A leaf whose gradient was added to that of a pass before the last update."""
    record = flow.record
    last: dict[str, NodeFrame] = {}
    for run in record.node_runs:
        if not run.leaf:
            continue
        before = last.get(run.leaf)
        if (
            before is not None
            and before.number != run.number
            and run.before is not None
            and (run.before.norm or 0) > 0
            and _updates(record, run.leaf, before, run)
            and _is_applied(record, run)
        ):
            yield _accumulates(record, run, before)
            return
        last[run.leaf] = run


def _updates(record: ProgramRecord, leaf: str, since: NodeFrame, until: NodeFrame) -> bool:
    """Whether a leaf was updated between two passes, and its gradient left as it was."""
    between = record.frames[since.index : until.index]
    after = since.after.norm if since.after else None
    kept = until.before.norm if until.before else None
    return after is not None and kept == after and any(_is_update(f, leaf) for f in between)


def _is_update(frame: TorchFrame, leaf: str) -> bool:
    if isinstance(frame, StepFrame):
        return leaf in frame.parameters
    return isinstance(frame, OperationFrame) and not frame.during and frame.leaf == leaf


def _is_applied(record: ProgramRecord, run: NodeFrame) -> bool:
    """Whether a leaf is updated by the gradient that a pass left."""
    norm = run.after.norm if run.after else None
    for frame in record.frames[run.index + 1 :]:
        if isinstance(frame, NodeFrame) and frame.leaf == run.leaf:
            return False
        if isinstance(frame, StepFrame) and run.leaf in frame.parameters:
            return frame.gradients[frame.parameters.index(run.leaf)] == norm
        if isinstance(frame, CallFrame) and frame.name.endswith("grad.__set__"):
            if frame.inputs and frame.inputs[0].tensor == run.leaf:
                return False
        elif _is_update(frame, run.leaf):
            return True
    return False


def _accumulates(record: ProgramRecord, run: NodeFrame, before: NodeFrame) -> RunAnswer:
    frame = next(f for f in record.passes if f.number == run.number)
    assert run.before is not None
    new = run.incoming[0].norm if run.incoming and run.incoming[0] else None
    now = run.after.norm if run.after else None
    return RunAnswer(
        "missing-zero-grad",
        f"Pass {run.number} adds to the gradients of pass {before.number}, though the parameters "
        f"were updated in between: {record.name(run.leaf)}.grad had length "
        f"{short(run.before.norm or 0)}, {short(new or 0)} was added, now it has "
        f"{short(now or 0)}.",
        "Zero the gradients in each step: `optimizer.zero_grad()` before `loss.backward()`.",
        frame.place,
    )


def zeroed_before_step(flow: TensorFlow) -> Iterator[RunAnswer]:
    """A step that finds no gradients, though a pass came before it."""
    record = flow.record
    previous = 0
    for step in record.of(StepFrame):
        passes = [f for f in record.passes if previous < f.index < step.index and not f.error]
        given = {
            run.leaf for run in record.node_runs
            if run.leaf in step.parameters and previous < run.index < step.index
            and run.after is not None and run.after.norm
        }  # fmt: skip
        is_empty = all(not norm for norm in step.gradients)
        if passes and given and is_empty and step.gradients:
            yield RunAnswer(
                "zeroed-before-step",
                f"The pass of line {passes[-1].place.line if passes[-1].place else '?'} left "
                "gradients "
                f"in {len(given):,} parameters, and here none is left: they were zeroed before it.",
                "The order is `optimizer.zero_grad()`, `loss.backward()`, `optimizer.step()`.",
                step.place,
            )
            return
        if not passes and is_empty and not previous and not step.has_closure:
            yield from _step_first(record, step)
            return
        previous = step.index


def _step_first(record: ProgramRecord, step: StepFrame) -> Iterator[RunAnswer]:
    later = [f for f in record.passes if f.index > step.index]
    yield RunAnswer(
        "step-before-backward",
        "The optimizer steps before any pass: no parameter has a gradient, so nothing changes.",
        "Call `loss.backward()` before `optimizer.step()`"
        + (
            f"; the first pass is in line {later[0].place.line}."
            if later and later[0].place
            else "."
        ),
        step.place,
    )


def no_step(flow: TensorFlow) -> Iterator[RunAnswer]:
    """Passes, an optimizer, and no step."""
    record = flow.record
    passes = [f for f in record.passes if not f.error]
    optimizer = next(iter(record.optimizers), "")
    if len(passes) < 2 or any(True for _ in record.of(StepFrame)):
        return
    if any(op.leaf and op.index > passes[0].index for op in flow.operations):
        return
    if optimizer:
        yield RunAnswer(
            "no-step",
            f"{len(passes):,} passes were run, and {optimizer}.step() was never called: no "
            "parameter changes.",
            f"Call `{optimizer}.step()` after `loss.backward()`.",
            passes[-1].place,
        )
    elif (op := _rebound(flow, passes[0])) is not None:
        yield RunAnswer(
            "no-step",
            f"{op.short} makes a new tensor of a parameter, which nothing uses afterwards: "
            f"{len(passes):,} passes were run, and no parameter changes.",
            "Change the parameter itself: `with torch.no_grad(): p -= rate * p.grad`.",
            op.place,
        )


def _rebound(flow: TensorFlow, first: PassFrame) -> OperationFrame | None:
    """An update of a parameter whose result is lost, as of `p = p - rate * p.grad`."""
    tensors = flow.record.tensors
    return next(
        (
            op for op in flow.operations
            if op.index > first.index and op.short in ("sub", "add") and len(op.inputs) == 2
            and tensors[op.inputs[0].tensor].role == "parameter"
            and not any(state in flow.uses for state in op.outputs)
        ),
        None,
    )  # fmt: skip


def not_in_an_optimizer(flow: TensorFlow) -> Iterator[RunAnswer]:
    """Parameters that get gradients, and that no optimizer has."""
    record = flow.record
    steps = list(record.of(StepFrame))
    if not steps:
        return
    held = {p for step in steps for p in step.parameters}
    held |= {p for ids in record.optimizers.values() for p in ids}
    given = dict.fromkeys(run.leaf for run in record.node_runs if run.leaf)
    without = [
        leaf for leaf in given
        if leaf not in held
        and record.tensors[leaf].role == "parameter"
        and not _is_written(flow, leaf)
    ]  # fmt: skip
    if not without:
        return
    names = ", ".join(map(record.name, without[:4])) + (" …" if len(without) > 4 else "")
    uses = (
        op for op in flow.operations
        if op.node and any(s.tensor in without for s in op.inputs) and not op.leaf
    )  # fmt: skip
    place = next((op.place for op in uses), None)
    yield RunAnswer(
        "not-in-optimizer",
        f"{names} {'get' if len(without) > 1 else 'gets'} a gradient, and no optimizer has "
        f"{'them' if len(without) > 1 else 'it'}: {len(without):,} of {len(given):,} tensors "
        "never change.",
        "Make the optimizer after all layers are in the model, and hold layers in nn.ModuleList, "
        "not "
        "in a list.",
        place,
    )


def _is_written(flow: TensorFlow, leaf: str) -> bool:
    first = flow.record.passes[0].index
    return any(op.leaf == leaf and op.index > first for op in flow.operations)

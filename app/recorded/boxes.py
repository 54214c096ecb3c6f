"""What is drawn of a record: a box for each call, closed modules, inputs; and the steps.

Calls that only arrange numbers anew belong to the box whose numbers they are. Modules are opened
from the outside in as long as the picture stays small; those of one box are never closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.pytorch.flow import VIEWS, TensorFlow
from engine.pytorch.record import (
    Figures,
    NodeFrame,
    OperationFrame,
    PassFrame,
    ProgramRecord,
    TensorState,
)

COMFORTABLE = 28
"""Boxes up to which modules are opened by themselves."""
MOST = 400


@dataclass
class CallBox:
    """A box. Of a closed module, or of inputs, `is_module` or `is_input`; else of a call."""

    id: str
    title: str
    module: str
    operations: list[OperationFrame] = field(default_factory=list)
    is_module: bool = False
    is_input: bool = False
    calls: int = 1
    result: TensorState | None = None
    leaves: dict[str, None] = field(default_factory=dict)
    runs: list[NodeFrame] = field(default_factory=list)
    gradient: Figures | None = None
    first_forward: int = -1
    """The step from which on its numbers are shown."""
    first_backward: int = -1
    """The step from which on its gradient is shown, −1 for none."""


@dataclass(frozen=True, slots=True)
class CallEdge:
    """Numbers from box to box; `contribution` is the length of the gradient that came back."""

    tail: str
    head: str
    contribution: float | None


@dataclass(frozen=True, slots=True)
class BoxStep:
    """A step of the page: a box in a pass; the frames that it stands for end at `frame`."""

    pass_: str
    box: str
    frame: int


@dataclass
class DrawnRecord:
    """The boxes in the order of the forward pass, their edges, open modules, and the steps."""

    record: ProgramRecord
    flow: TensorFlow
    shown_pass: PassFrame | None
    boxes: dict[str, CallBox]
    edges: list[CallEdge]
    modules: dict[str, str | None]
    """Open modules that have a frame, each with the one around it."""
    steps: list[BoxStep]
    hidden: int
    """Boxes of closed modules."""


def drawn_record(record: ProgramRecord, number: int = 0, opened: Iterable[str] = ()) -> DrawnRecord:
    """What is drawn of pass `number`, of the last one for 0; `opened` modules are open."""
    flow = TensorFlow(record)
    shown = _pass(record, number)
    operations = _operations(flow, shown)
    units = _units(flow, operations)
    owner = _closed(units, record, frozenset(opened))
    boxes = _boxes(flow, units, owner)
    _add_runs(record, boxes, shown)
    edges = _edges(flow, boxes)
    if shown is not None:
        _add_gradients(flow, boxes)
    steps = _steps(boxes)
    return DrawnRecord(
        record, flow, shown, boxes, edges, _frames(boxes, record), steps, len(units) - len(boxes)
    )


def _pass(record: ProgramRecord, number: int) -> PassFrame | None:
    ran = {run.number for run in record.node_runs}
    found = [frame for frame in record.passes if frame.number in ran]
    if number:
        found = [frame for frame in found if frame.number == number]
    return found[-1] if found else None


def _operations(flow: TensorFlow, shown: PassFrame | None) -> list[OperationFrame]:
    """The operations that lead to the pass's result, of those with a Node; else all."""
    own = [op for op in flow.operations if op.within is None and not op.leaf]
    if shown is None:
        return [op for op in own if op.outputs and not op.error][-MOST:]
    behind = flow.before(shown.roots)
    reached = {id(op) for state in behind if (op := flow.maker(state)) is not None}
    return [op for op in own if id(op) in reached and op.node]


def _units(flow: TensorFlow, operations: Sequence[OperationFrame]) -> list[CallBox]:
    """A box for each call; one that only arranges numbers joins the box that they come from."""
    units: dict[object, CallBox] = {}
    of: dict[int, CallBox] = {}
    for op in operations:
        call = flow.call_of(op)
        key: object = ("op", op.index) if call is None else call.index
        unit = units.get(key)
        if unit is None:
            unit = units[key] = CallBox(
                f"c{len(units) + 1}", _title(flow, op), op.module if call is None else call.module
            )
        unit.operations.append(op)
        of[op.index] = unit
    kept = []
    for unit in units.values():
        source = _source(flow, unit, of)
        if source is not None:
            source.operations += unit.operations
            of.update((op.index, source) for op in unit.operations)
        else:
            kept.append(unit)
    return kept


def _title(flow: TensorFlow, op: OperationFrame) -> str:
    return op.op if op.is_function else flow.called(op).strip("_")


def _source(flow: TensorFlow, unit: CallBox, of: dict[int, CallBox]) -> CallBox | None:
    """The box whose numbers a box of views alone arranges."""
    if any(op.short not in VIEWS or not op.inputs for op in unit.operations):
        return None
    first = unit.operations[0]
    made = flow.maker(first.inputs[0])
    source = of.get(made.index) if made is not None else None
    return (
        source
        if source is not unit and source is not None and source.module == unit.module
        else None
    )


# Modules


def _prefixes(path: str) -> list[str]:
    """The modules around a path, outermost first, and itself."""
    parts = path.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))] if path else []


def _closed(
    units: Sequence[CallBox], record: ProgramRecord, opened: frozenset[str]
) -> dict[str, str]:
    """The closed module that stands for each box, by the box's id; none for one that is drawn."""
    inside: dict[str, list[CallBox]] = {}
    for unit in units:
        for path in _prefixes(unit.module):
            if path in record.modules:
                inside.setdefault(path, []).append(unit)
    closed = {path for path, held in inside.items() if len(held) > 1}
    wanted = {path for name in opened for path in _prefixes(name)}
    for path in sorted(
        closed, key=lambda path: (path not in wanted, path.count("."), list(inside).index(path))
    ):
        if (
            path not in wanted
            and len(set(_owners(units, closed - {path}).values()) | _free(units, closed - {path}))
            > COMFORTABLE
        ):
            continue
        if all(outer not in closed for outer in _prefixes(path)[:-1]):
            closed.discard(path)
    return _owners(units, closed)


def _owners(units: Sequence[CallBox], closed: set[str]) -> dict[str, str]:
    found = {}
    for unit in units:
        outer = next((path for path in _prefixes(unit.module) if path in closed), None)
        if outer is not None:
            found[unit.id] = outer
    return found


def _free(units: Sequence[CallBox], closed: set[str]) -> set[str]:
    return {unit.id for unit in units if unit.id not in _owners([unit], closed)}


def _boxes(flow: TensorFlow, units: Sequence[CallBox], owner: dict[str, str]) -> dict[str, CallBox]:
    """The boxes that are drawn, the inputs first."""
    found: dict[str, CallBox] = {}
    for unit in units:
        path = owner.get(unit.id)
        if path is None:
            found[unit.id] = unit
            continue
        box = found.get(path)
        if box is None:
            kind = flow.record.modules[path].kind
            outer = path.rpartition(".")[0]
            box = found[path] = CallBox(path, kind, outer, is_module=True, calls=0)
        box.operations += unit.operations
        box.calls += 1
    for box in found.values():
        box.operations.sort(key=lambda op: op.index)
        _add_leaves(flow, box)
        box.result = _result(flow, box, found)
    return {**_inputs(flow, found), **found}


def _add_leaves(flow: TensorFlow, box: CallBox) -> None:
    for op in box.operations:
        for state in op.inputs:
            tensor = flow.record.tensors[state.tensor]
            if tensor.role in ("parameter", "leaf") and tensor.requires_grad:
                box.leaves[state.tensor] = None


def _result(flow: TensorFlow, box: CallBox, boxes: dict[str, CallBox]) -> TensorState | None:
    """What a box gives: the last result that another uses, else its last one."""
    own = {op.index for op in box.operations}
    made = [s for op in box.operations for s in op.outputs]
    used = [s for s in made if any(op.index not in own for op in flow.uses.get(s, ()))]
    ends = [s for s in made if s in flow.loss_states]
    last = list(box.operations[-1].outputs[:1]) if box.operations else []
    found = used or ends or last
    return found[-1] if found else None


def _inputs(flow: TensorFlow, boxes: dict[str, CallBox]) -> dict[str, CallBox]:
    """Data that go into the boxes, and that no box makes."""
    made = {s for box in boxes.values() for op in box.operations for s in op.outputs}
    families = {(flow.family(s.tensor), s.version) for s in made}
    found: dict[str, CallBox] = {}
    for box in boxes.values():
        for op in box.operations:
            for state in op.inputs:
                if (flow.family(state.tensor), state.version) in families or state in made:
                    continue
                figures = flow.figures(state)
                if state.tensor in box.leaves or figures is None or figures.size < 2:
                    continue
                name = flow.record.name(state)
                found.setdefault(
                    state.tensor,
                    CallBox(f"i{state.tensor}", name, "", is_input=True, result=state),
                )
    return {box.id: box for box in found.values()}


def _frames(boxes: dict[str, CallBox], record: ProgramRecord) -> dict[str, str | None]:
    """The open modules with more than one box inside, each with the nearest such one around it."""
    count: dict[str, int] = {}
    for box in boxes.values():
        for path in _prefixes(box.module):
            count[path] = count.get(path, 0) + 1
    framed = [path for path, n in count.items() if n > 1 and path in record.modules]
    return {
        path: next((p for p in reversed(_prefixes(path)[:-1]) if p in framed), None)
        for path in sorted(framed, key=lambda path: path.count("."))
    }


# The backward pass


def _add_runs(record: ProgramRecord, boxes: dict[str, CallBox], shown: PassFrame | None) -> None:
    if shown is None:
        return
    by_operation = {op.index: box for box in boxes.values() for op in box.operations}
    leaves = {leaf: box for box in boxes.values() for leaf in box.leaves}
    for run in record.node_runs:
        if run.number != shown.number:
            continue
        box = leaves.get(run.leaf) if run.leaf else by_operation.get(run.operation or -1)
        if box is not None:
            box.runs.append(run)


def _add_gradients(flow: TensorFlow, boxes: dict[str, CallBox]) -> None:
    """The gradient of what each box gives."""
    for box in boxes.values():
        if box.result is None:
            continue
        maker = flow.maker(box.result)
        for run in box.runs:
            if maker is not None and run.operation == maker.index and run.incoming:
                slot = next((i for i, s in enumerate(maker.outputs) if s == box.result), 0)
                box.gradient = run.incoming[slot if slot < len(run.incoming) else 0]


def _edges(flow: TensorFlow, boxes: dict[str, CallBox]) -> list[CallEdge]:
    """An edge where a box reads what another made, with what its Nodes sent back along it."""
    made: dict[int, str] = {}
    nodes: dict[str, str] = {}
    inputs = {box.result: box.id for box in boxes.values() if box.is_input}
    for box in boxes.values():
        for op in box.operations:
            made[op.index] = box.id
            nodes[op.node] = box.id
    sent: dict[tuple[str, str], float] = {}
    for box in boxes.values():
        for run in box.runs:
            for to, _, figures in run.sent:
                target = nodes.get(to)
                if target not in (None, box.id) and figures is not None and figures.norm:
                    key = (str(target), box.id)
                    sent[key] = (sent.get(key, 0.0) ** 2 + figures.norm**2) ** 0.5
    found: dict[tuple[str, str], None] = {}
    for box in boxes.values():
        for op in box.operations:
            for state in op.inputs:
                maker = flow.maker(state)
                tail = inputs.get(state) or (made.get(maker.index) if maker is not None else None)
                if tail is not None and tail != box.id:
                    found[tail, box.id] = None
    return [CallEdge(tail, head, sent.get((tail, head))) for tail, head in found]


def _steps(boxes: dict[str, CallBox]) -> list[BoxStep]:
    """Forward by the last operation of each box, backward by its last Node."""
    forward = sorted((box.operations[-1].index, box.id) for box in boxes.values() if box.operations)
    backward = sorted((box.runs[-1].index, box.id) for box in boxes.values() if box.runs)
    steps = [BoxStep("forward", box, frame) for frame, box in forward]
    steps += [BoxStep("backward", box, frame) for frame, box in backward]
    for k, step in enumerate(steps):
        box = boxes[step.box]
        if step.pass_ == "forward":
            box.first_forward = k
        else:
            box.first_backward = k
    for box in boxes.values():
        if box.is_input:
            box.first_forward = 0
    return steps

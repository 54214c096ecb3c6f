"""The graph of a tensor that was computed without a recording: its Nodes, as they lie in memory.

The numbers of leaves are there, and the result's; those in between are not, and no pass is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from engine.live.refusal import CannotShow
from engine.pytorch.figures import dtype_of, figures_of, shape_of
from engine.pytorch.naming import names_of
from engine.pytorch.record import (
    Argument,
    OperationFrame,
    ProgramRecord,
    RecordedTensor,
    TensorState,
)

KEEP = 1024
MOST = 2000
NO_GRAPH = (
    "This tensor has no graph: nothing that it was computed from wants a gradient, or it was "
    "computed under no_grad, or detached. To see how it was computed, compute it inside of "
    "`with seegrad.record() as run:`, and run.explain() says where the graph ended."
)


def record_of(tensor: Any, variables: Mapping[str, Any]) -> ProgramRecord:
    """A record of the Nodes behind a tensor, without a pass. Raises CannotShow."""
    if tensor.grad_fn is None:
        raise CannotShow(_leaf(tensor) if tensor.requires_grad else NO_GRAPH)
    record = ProgramRecord()
    order = _nodes(tensor.grad_fn)
    states: dict[Any, TensorState] = {}
    for node in order:
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            states[node] = _add(record, leaf, "parameter")
            continue
        state = states[node] = TensorState(f"t{len(record.tensors) + 1}", 0)
        meta = node._input_metadata[0] if node._input_metadata else None
        shape = tuple(meta.shape) if meta is not None else ()
        record.tensors[state.tensor] = RecordedTensor(state.tensor, shape, "", requires_grad=True)
        name = node.name().rpartition("::")[2]
        given = tuple(states[after] for after, _ in node.next_functions if after is not None)
        record.frames.append(
            OperationFrame(
                len(record.frames),
                None,
                "",
                f"aten.{name.partition('Backward')[0].lower()}.default",
                (Argument("self", given),),
                (state,),
                node=f"n{len(record.frames)}",
            )
        )
    with torch.no_grad():
        last = states[tensor.grad_fn]
        record.figures[last] = figures_of(tensor, KEEP)
        record.tensors[last.tensor].dtype = dtype_of(tensor)
        leaves = {states[n]: n.variable for n in order if getattr(n, "variable", None) is not None}
        for state, leaf in leaves.items():
            record.figures[state] = figures_of(leaf, KEEP)
            record.grads[state.tensor] = None if leaf.grad is None else figures_of(leaf.grad, KEEP)
    named = {id(x): name for x, name in names_of(variables)}
    for state, leaf in [*leaves.items(), (last, tensor)]:
        record.tensors[state.tensor].name = named.get(id(leaf), "")
    return record


def _leaf(tensor: Any) -> str:
    return (
        f"This tensor of shape {tuple(tensor.shape)} is a leaf: show a result that was computed "
        "with it."
    )


def _add(record: ProgramRecord, leaf: Any, role: str) -> TensorState:
    state = TensorState(f"t{len(record.tensors) + 1}", 0)
    record.tensors[state.tensor] = RecordedTensor(
        state.tensor, shape_of(leaf), dtype_of(leaf), role=role, requires_grad=True
    )
    return state


def _nodes(root: Any) -> list[Any]:
    """The Nodes behind one, those that it depends on before it. Raises CannotShow."""
    seen: set[Any] = set()
    order: list[Any] = []
    todo = [(root, False)]
    while todo:
        node, is_left = todo.pop()
        if is_left:
            order.append(node)
            continue
        if node in seen:
            continue
        seen.add(node)
        if len(seen) > MOST:
            raise CannotShow(
                f"This graph has more than {MOST:,} Nodes: record the program instead."
            )
        todo.append((node, True))
        todo += [(after, False) for after, _ in node.next_functions if after is not None]
    return order

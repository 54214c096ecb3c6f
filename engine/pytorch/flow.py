"""How numbers flow in a record: which operation made each state, and what a result depends on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from engine.pytorch.record import (
    CallFrame,
    Figures,
    OperationFrame,
    PassFrame,
    ProgramRecord,
    TensorState,
)

VIEWS = {
    "view", "_unsafe_view", "reshape", "_reshape_alias", "t", "transpose", "permute", "expand",
    "squeeze", "unsqueeze", "select", "slice", "split", "unbind", "alias", "as_strided", "detach",
    "clone", "contiguous", "_to_copy",
}  # fmt: skip
"""Operations that give the same numbers, or some of them."""


class TensorFlow:
    """The record's operations as a graph of states."""

    def __init__(self, record: ProgramRecord) -> None:
        self.record = record
        self.operations = [op for op in record.operations if not op.during]

    @cached_property
    def _writes(self) -> dict[TensorState, OperationFrame]:
        """The operation that gave a family of views its version."""
        found: dict[TensorState, OperationFrame] = {}
        for op in self.operations:
            for state in op.mutates:
                found[TensorState(self.family(state.tensor), state.version + 1)] = op
        return found

    @cached_property
    def _made(self) -> dict[TensorState, OperationFrame]:
        found: dict[TensorState, OperationFrame] = {}
        for op in self.record.operations:
            for state in op.outputs:
                if op.within is None or state not in found:
                    found.setdefault(state, op)
        return found

    @cached_property
    def uses(self) -> dict[TensorState, list[OperationFrame]]:
        """The operations that read each state."""
        found: dict[TensorState, list[OperationFrame]] = defaultdict(list)
        for op in self.record.operations:
            for state in dict.fromkeys(op.inputs):
                found[state].append(op)
        return found

    def family(self, tensor: str) -> str:
        """The tensor whose memory it is a view of, itself for one of its own."""
        return self.record.tensors[tensor].base or tensor

    def maker(self, state: TensorState) -> OperationFrame | None:
        """The operation that made a state, or that changed it through another view."""
        return self._made.get(state) or self._writes.get(
            TensorState(self.family(state.tensor), state.version)
        )

    def figures(self, state: TensorState) -> Figures | None:
        return self.record.figures.get(state)

    def before(self, states: Iterable[TensorState]) -> dict[TensorState, None]:
        """All states that these depend on, themselves too, nearest first; leaves on nothing."""
        seen: dict[TensorState, None] = {}
        todo = list(states)
        while todo:
            following = []
            for state in todo:
                if state in seen:
                    continue
                seen[state] = None
                op = self.maker(state)
                if op is not None and not self._is_updated(state):
                    following += op.inputs
            todo = following
        return seen

    def _is_updated(self, state: TensorState) -> bool:
        """Whether a state is a leaf, whatever updated it before."""
        tensor = self.record.tensors[state.tensor]
        return tensor.role in ("parameter", "leaf") and tensor.requires_grad

    def origin(self, state: TensorState) -> OperationFrame | None:
        """The operation that made the numbers, behind views and copies of them."""
        for _ in range(len(self.operations) + 1):
            op = self.maker(state)
            if op is None or op.short not in VIEWS or not op.inputs:
                return op
            state = op.inputs[0]
        return None

    def call_of(self, op: OperationFrame) -> CallFrame | None:
        """The outermost call of the program that an operation belongs to."""
        at, found = op.call, None
        while at is not None:
            frame = self.record.frames[at]
            assert isinstance(frame, CallFrame)
            found, at = frame, frame.inside
        return found

    def called(self, op: OperationFrame) -> str:
        """What an operation is called in the program."""
        call = self.call_of(op)
        return call.name.rpartition(".")[2] if call is not None else op.short

    @cached_property
    def loss_states(self) -> list[TensorState]:
        return [state for frame in self.record.passes for state in frame.roots]

    @cached_property
    def behind_losses(self) -> dict[TensorState, None]:
        """All that the results of the passes depend on."""
        return self.before(self.loss_states)

    def operations_behind_losses(self) -> Iterator[OperationFrame]:
        """The operations that passes go through, in their order."""
        behind = self.behind_losses
        return (op for op in self.operations if any(state in behind for state in op.outputs))

    def pass_before(self, index: int) -> PassFrame | None:
        """The last pass that began before a frame."""
        found = [frame for frame in self.record.passes if frame.index < index]
        return found[-1] if found else None

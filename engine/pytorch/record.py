"""The record of a PyTorch program as plain data: tensors, operations, passes, runs of Nodes.

A tensor is known by an id, and each of its versions is a state of its own: an in-place operation
makes a new state of the same tensor. Frames are numbered in the order in which they ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any, NamedTuple


class TensorState(NamedTuple):
    """A version of a tensor."""

    tensor: str
    version: int


@dataclass(slots=True)
class Figures:
    """What is known of the numbers of a tensor.

    `kept` are all its numbers in row-major order, of a large tensor the `corner`: the first rows
    and columns of its last two axes. `mean` and `norm` are nan where a number is.
    """

    shape: tuple[int, ...]
    dtype: str
    least: float | None = None
    largest: float | None = None
    mean: float | None = None
    norm: float | None = None
    nans: int = 0
    infs: int = 0
    kept: Any = None
    corner: Any = None
    device: str = "cpu"

    @property
    def size(self) -> int:
        """How many numbers it has."""
        size = 1
        for n in self.shape:
            size *= n
        return size

    @property
    def values(self) -> list[float] | None:
        """All its numbers in row-major order, None of a large tensor."""
        return self.kept if self.kept is None or isinstance(self.kept, list) else _flat(self.kept)

    @property
    def is_finite(self) -> bool:
        return not (self.nans or self.infs)


def _flat(tensor: Any) -> list[Any]:
    found: list[Any] = tensor.reshape(-1).tolist()
    return found


@dataclass(slots=True)
class SourcePlace:
    """Where the program does something: a line of a file, and the columns of the expression."""

    file: str
    line: int
    function: str
    text: str = ""
    column: int | None = None
    end: int | None = None
    code: CodeType | None = None
    at: int = -1

    @property
    def expression(self) -> str:
        """The expression on its line, the whole line where its columns are not known."""
        if self.column is None or self.end is None:
            return self.text.strip()
        return self.text.encode()[self.column : self.end].decode(errors="replace").strip()


@dataclass(slots=True)
class RecordedTensor:
    """A tensor: its name in the program, and what it is when it is first met."""

    id: str
    shape: tuple[int, ...]
    dtype: str
    name: str = ""
    role: str = ""
    """parameter, buffer, leaf (made by the program, wants a gradient), data, or empty: computed."""
    requires_grad: bool = False
    hooked: bool = False
    """Whether the program registered a hook on it while it was recorded."""
    base: str = ""
    """The tensor that it is a view of."""


class Argument(NamedTuple):
    """An argument of an operation: states of tensors, or another value as text."""

    name: str
    states: tuple[TensorState, ...]
    text: str = ""


@dataclass(slots=True)
class TorchFrame:
    """One thing that happened; `place` is the program's line, `module` the path of the module."""

    index: int
    place: SourcePlace | None
    module: str
    error: str = field(default="", kw_only=True)


@dataclass(slots=True)
class CallFrame(TorchFrame):
    """A call that the program wrote, such as `torch.nn.functional.linear`."""

    name: str
    inputs: tuple[TensorState, ...]
    outputs: tuple[TensorState, ...] = ()
    inside: int | None = None
    first: int = 0
    """The index of the first frame of what it did."""


@dataclass(slots=True)
class OperationFrame(TorchFrame):
    """An operation that ran: `aten.mm.default`, or a Function of the program.

    `node` is the Node of autograd that it made, `during` that in whose run it happened. `within` is
    the Function of the program whose forward it is part of. `loses` says that autograd was
    off though an input wants a gradient.
    """

    op: str
    arguments: tuple[Argument, ...]
    outputs: tuple[TensorState, ...] = ()
    call: int | None = None
    node: str = ""
    during: str = ""
    within: int | None = None
    mutates: tuple[TensorState, ...] = ()
    leaf: str = ""
    """The leaf whose numbers it changed, also through `data`."""
    is_view: bool = False
    is_random: bool = False
    is_function: bool = False
    loses: bool = False
    run: Any = None
    """How to run it again; not in a record that was read from JSON."""

    @property
    def inputs(self) -> list[TensorState]:
        return [state for argument in self.arguments for state in argument.states]

    @property
    def short(self) -> str:
        """Its name without the library's: `mm`, `add_`."""
        return self.op.split(".")[1] if self.op.startswith("aten.") else self.op.rpartition("::")[2]


@dataclass(slots=True)
class PassFrame(TorchFrame):
    """A backward pass: begins before the Nodes with its number."""

    number: int
    roots: tuple[TensorState, ...]
    keeps_graph: bool = False
    creates_graph: bool = False
    nodes: int = 0
    ended: int = -1
    results: tuple[Figures | None, ...] = ()
    """What `torch.autograd.grad` returned."""
    wanted: tuple[str, ...] = ()
    """The tensors that `torch.autograd.grad` was asked for."""


class Sent(NamedTuple):
    """The contribution along an edge to input `slot` of a Node; `to` is empty for none."""

    to: str
    slot: int
    figures: Figures | None


@dataclass(slots=True)
class NodeFrame(TorchFrame):
    """One run of a Node: what came in for each result, and what it sent to each argument.

    For the Node of a leaf, `before` and `after` are the leaf's gradient. `edited` are the results
    whose incoming gradient is not the sum of what was sent there: a hook changed it.
    """

    node: str
    name: str
    number: int
    """The pass."""
    operation: int | None
    incoming: tuple[Figures | None, ...]
    sent: tuple[Sent, ...]
    leaf: str = ""
    before: Figures | None = None
    after: Figures | None = None
    edited: tuple[int, ...] = ()
    saved: tuple[str, ...] = ()
    """Names of what the forward pass saved for it."""


@dataclass(slots=True)
class StepFrame(TorchFrame):
    """An optimizer's step: its class, its parameters, and the lengths of their gradients then."""

    optimizer: str
    parameters: tuple[str, ...]
    gradients: tuple[float | None, ...]
    has_closure: bool = False


@dataclass(slots=True)
class ModuleRecord:
    """A module that was called, with the ids of its own parameters by their names."""

    path: str
    kind: str
    parameters: Mapping[str, str]
    training: bool


@dataclass
class ProgramRecord:
    """All that was recorded."""

    frames: list[TorchFrame] = field(default_factory=list)
    tensors: dict[str, RecordedTensor] = field(default_factory=dict)
    figures: dict[TensorState, Figures] = field(default_factory=dict)
    producers: dict[tuple[str, int], TensorState] = field(default_factory=dict)
    """The state that a Node's result is, where no operation says so."""
    modules: dict[str, ModuleRecord] = field(default_factory=dict)
    left_out: int = 0
    """Frames beyond the limit, which are not here."""
    strangers: int = 0
    """Nodes that ran backward, but whose operation was not recorded."""
    error: str = ""
    grads: dict[str, Figures | None] = field(default_factory=dict)
    """The gradients of leaves when the recording ended."""
    optimizers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Optimizers that the program holds, with their parameters."""

    def of(self, kind: type[Any]) -> Iterator[Any]:
        """The frames of a kind."""
        return (frame for frame in self.frames if isinstance(frame, kind))

    @cached_property
    def operations(self) -> list[OperationFrame]:
        return list(self.of(OperationFrame))

    @cached_property
    def node_runs(self) -> list[NodeFrame]:
        return list(self.of(NodeFrame))

    @cached_property
    def calls(self) -> list[CallFrame]:
        return list(self.of(CallFrame))

    @cached_property
    def passes(self) -> list[PassFrame]:
        return list(self.of(PassFrame))

    def name(self, state: TensorState | str) -> str:
        """What the program calls a tensor, else a short name by what made it."""
        tensor = state if isinstance(state, str) else state.tensor
        return self.tensors[tensor].name or tensor

    def names(self, states: Iterable[TensorState]) -> str:
        return ", ".join(map(self.name, states))

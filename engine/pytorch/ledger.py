"""The ledger of a recording: what modes, hooks and passes write down, and how things are named."""

from __future__ import annotations

import sys
import weakref
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch

from engine.pytorch.figures import dtype_of, figures_of, is_plain, shape_of
from engine.pytorch.nested import SCALARS, tensors_in
from engine.pytorch.record import (
    Argument,
    CallFrame,
    Figures,
    OperationFrame,
    ProgramRecord,
    RecordedTensor,
    SourcePlace,
    TensorState,
    TorchFrame,
)
from engine.pytorch.schemas import OperationSchema

KEEP = 1024
"""Numbers up to which a tensor's are kept."""
LIMIT = 50_000
"""Frames that are recorded."""
LONGEST = 60
"""Letters of an argument that is no tensor."""
DETACHING = ("detach", "detach_", "data.__get__")
"""Ends of the names of calls that leave the graph."""
_OWN = (str(Path(torch.__file__).parent), str(Path(__file__).parents[1]))
next_number = torch._C._autograd._get_sequence_nr


class TorchLedger:
    """The record as it grows: frames, tensors by their states, Nodes, places of the program."""

    def __init__(self, keep: int = KEEP, limit: int = LIMIT) -> None:
        self.keep, self.limit = keep, limit
        self.record = ProgramRecord()
        self.call: int | None = None
        self.function: int | None = None
        self.is_quiet = False
        self.is_updating = False
        """Whether an optimizer is at work."""
        self.module = ""
        """The path of the module that is at work."""
        self._ids: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._born: dict[str, int] = {}
        self.nodes: dict[str, int] = {}
        """The operations that made Nodes."""
        self._leaves: dict[int, str] = {}
        """Leaves by their addresses."""
        self._written: dict[str, int] = {}
        self._written_views: dict[TensorState, int] = {}
        """The operations that changed a tensor through a view of it."""
        self._gradients: dict[int, tuple[weakref.ref[Any], int, Figures]] = {}
        self._codes: dict[CodeType, bool] = {}
        self.number = 0
        self._spare: int | None = None

    def measuring(self) -> _Measuring:
        """Nothing in here is recorded, or known to autograd."""
        return _Measuring(self)

    # Frames

    def is_full(self) -> bool:
        """Whether the limit is reached; what would be a frame is counted."""
        if len(self.record.frames) < self.limit:
            return False
        self.record.left_out += 1
        return True

    def add(self, frame: TorchFrame) -> None:
        frame.index = len(self.record.frames)
        self.record.frames.append(frame)

    def begin_call(self, name: str, inputs: list[Any]) -> CallFrame:
        states = tuple(map(self.state_of, inputs))
        frame = CallFrame(-1, self.place(), self.module, name, states, inside=self.call)
        self.add(frame)
        frame.first = frame.index + 1
        return frame

    def is_detaching(self) -> bool:
        """Whether the call that is at work is one that detaches."""
        call = None if self.call is None else self.record.frames[self.call]
        return isinstance(call, CallFrame) and call.name.endswith(DETACHING)

    def begin_operation(
        self, schema: OperationSchema, args: Any, kwargs: Any, is_on: bool
    ) -> OperationFrame:
        """The frame of an operation; those of a backward pass are measured if it can be derived."""
        frame = self._operation_frame(schema, args, kwargs, is_on)
        if not frame.during or is_on:
            self.measure(tensors_in(args, kwargs))
        return frame

    def _operation_frame(
        self, schema: OperationSchema, args: Any, kwargs: Any, is_on: bool
    ) -> OperationFrame:
        """The frame of an operation that begins."""
        named = schema.named(args, kwargs)
        inputs = tensors_in(args, kwargs)
        wants = any(t.requires_grad for t in inputs)
        return OperationFrame(
            -1,
            self.place(),
            self.module,
            schema.name,
            tuple(self.argument_of(name, value) for name, value in named),
            call=self.call,
            node=self.new_node(wants and is_on, bool(schema.writes)),
            during=self.running_node(),
            within=self.function,
            is_view=schema.is_view,
            is_random=schema.is_random,
            loses=wants and not is_on and self.function is None and not self.is_updating,
            run=(schema.func, self.states_in(args), self.states_in(kwargs)),
        )

    def argument_of(self, name: str, value: Any) -> Argument:
        """An argument as it is written down."""
        if isinstance(value, torch.Tensor):
            return Argument(name, (self.state_of(value),))
        if isinstance(value, SCALARS):
            return Argument(name, (), repr(value))
        inner = tensors_in(value)
        if inner:
            return Argument(name, tuple(map(self.state_of, inner)))
        return Argument(name, (), f"{value!r:.{LONGEST}}")

    def end_operation(
        self,
        frame: OperationFrame,
        schema: OperationSchema,
        named: list[tuple[str, Any]],
        result: Any,
        is_on: bool,
    ) -> None:
        """Write down what an operation gave, and what it changed."""
        changed = tensors_in([value for name, value in named if name in schema.writes])
        frame.mutates = tuple(map(self.state_of, changed))
        outputs = tensors_in(result) or changed
        raised: dict[int, TensorState] = {}
        if schema.is_view:
            raised = self._views(named[0][1], outputs)
        # A version is raised after this: what was changed has the next one.
        for tensor, state in zip(changed, frame.mutates, strict=True):
            raised[id(tensor)] = TensorState(state.tensor, state.version + 1)
        for tensor in changed:
            self._write(frame, tensor)
        frame.outputs = tuple(raised.get(id(t)) or self.state_of(t) for t in outputs)
        if not frame.during or is_on:
            for tensor, state in zip(outputs, frame.outputs, strict=True):
                self.record.figures.setdefault(state, figures_of(tensor, self.keep))
        self.add(frame)
        if frame.node:
            self.nodes.setdefault(frame.node, frame.index)
        for state in frame.mutates and raised.values():
            base = self.record.tensors[state.tensor].base
            if base:
                self._written_views[TensorState(base, state.version)] = frame.index

    def _views(self, base: Any, outputs: list[Any]) -> dict[int, TensorState]:
        """Views of a tensor have its version, which they are given after this."""
        of = self.tensor_of(base)
        call = None if self.call is None else self.record.frames[self.call]
        is_data = isinstance(call, CallFrame) and call.name.endswith("data.__get__")
        version = 0 if is_data else _version(base)
        states = {}
        for output in outputs:
            view = self.tensor_of(output)
            view.base = of.base or of.id
            self._born[view.id] = version
            states[id(output)] = TensorState(view.id, version)
        return states

    def _write(self, frame: OperationFrame, tensor: Any) -> None:
        """A leaf whose numbers change through `data` has no version that says so: it gets one."""
        pointer = tensor.data_ptr() if is_plain(tensor) else 0
        leaf = self._leaves.get(pointer, "") if pointer else ""
        frame.leaf = leaf or frame.leaf
        if leaf and leaf != self.known(tensor) and not tensor._is_view():
            self._written[leaf] = self._written.get(leaf, 0) + 1

    # Tensors

    def tensor_of(self, tensor: Any) -> RecordedTensor:
        """The record of a tensor, made when it is first met."""
        key = id(tensor)
        found = self._ids.get(key)
        if found is not None and found[0]() is tensor:
            return self.record.tensors[found[1]]
        name = f"t{len(self.record.tensors) + 1}"
        self._ids[key] = weakref.ref(tensor), name
        role = _role(tensor)
        made = RecordedTensor(
            name, shape_of(tensor), dtype_of(tensor), role=role, requires_grad=tensor.requires_grad
        )
        self.record.tensors[name] = made
        self._born[name] = _version(tensor)
        if role in ("parameter", "leaf"):
            self._found_leaf(tensor, made)
        return made

    def _found_leaf(self, tensor: Any, made: RecordedTensor) -> None:
        """A leaf, which may have been made a while ago."""
        made.role = made.role or "leaf"
        if is_plain(tensor) and tensor.numel():
            self._leaves[tensor.data_ptr()] = made.id

    def known(self, tensor: Any) -> str:
        """The id of a tensor that was met, else an empty string."""
        found = self._ids.get(id(tensor))
        return found[1] if found is not None and found[0]() is tensor else ""

    def forget(self) -> None:
        """Let go of what the program holds."""
        self._ids.clear()
        self._gradients.clear()

    def alive(self) -> list[tuple[Any, str]]:
        """The tensors that the program still holds, with their ids."""
        found = [(reference(), name) for reference, name in self._ids.values()]
        return [(tensor, name) for tensor, name in found if tensor is not None]

    def states_in(self, value: Any) -> Any:
        """Arguments with states in place of tensors, so that nothing is held."""
        if isinstance(value, torch.Tensor):
            return self.state_of(value)
        if isinstance(value, list | tuple):
            return [self.states_in(x) for x in value]
        if isinstance(value, dict):
            return {key: self.states_in(x) for key, x in value.items()}
        return value

    def state_of(self, tensor: Any) -> TensorState:
        made = self.tensor_of(tensor)
        state = TensorState(made.id, _version(tensor) + self._written.get(made.id, 0))
        if tensor.requires_grad:
            made.requires_grad = True
            if not made.role and tensor.is_leaf:
                self._found_leaf(tensor, made)
            self._produced(tensor, made.id, state)
        return state

    def _produced(self, tensor: Any, name: str, state: TensorState) -> None:
        """Remember which Node made a tensor.

        A view whose base was changed gets a new Node when it is asked for it: that is left to the
        program, as it would change the order of Nodes.
        """
        if tensor._is_view() and state.version != self._born[name]:
            return
        node = tensor.grad_fn
        if node is not None:
            self.record.producers.setdefault((self.node_id(node), tensor.output_nr), state)

    def measure(self, tensors: list[Any]) -> None:
        for tensor in tensors:
            state = self.state_of(tensor)
            if state not in self.record.figures:
                self.record.figures[state] = figures_of(tensor, self.keep)

    def gradient(self, tensor: Any) -> Figures | None:
        """The figures of a gradient, which several Nodes in a row often pass on."""
        if tensor is None:
            return None
        key, version = id(tensor), _version(tensor)
        found = self._gradients.get(key)
        if found is not None and found[0]() is tensor and found[1] == version:
            return found[2]
        made = figures_of(tensor, self.keep)
        self._gradients[key] = weakref.ref(tensor), version, made
        return made

    # Nodes

    def new_node(self, is_made: bool, is_writing: bool) -> str:
        """The Node that autograd made for an operation that begins, if it made one.

        Before it changes a tensor whose former numbers its derivative needs, it copies that: the
        copy's Node comes second, and the operation, which comes next, has the first.
        """
        before, now = self.number, next_number()
        spare, self._spare = self._spare, None
        self.number = now
        if not is_made:
            return ""
        if now == before:
            return f"n{spare}" if is_writing and spare is not None else ""
        if now > before + 1:
            self._spare = now - 2
        return f"n{now - 1}"

    def node_id(self, node: Any) -> str:
        """A name for a Node that needs no hold on it: its number, or its leaf's."""
        variable = getattr(node, "variable", None)
        if variable is not None:
            return f"of {self.tensor_of(variable).id}"
        return f"n{node._sequence_nr()}"

    def running_node(self) -> str:
        node = torch._C._current_autograd_node()
        return "" if node is None else self.node_id(node)

    def operation_of(self, node: str) -> int | None:
        """The operation that made a Node."""
        if node not in self.nodes:
            state = self.record.producers.get((node, 0))
            at = None if state is None else self._written_views.get(state)
            if at is None:
                return None
            self.nodes[node] = at
        return self.nodes[node]

    # Places

    def place(self) -> SourcePlace | None:
        """The program's line that is at work."""
        frame: FrameType | None = sys._getframe(1)
        codes = self._codes
        while frame is not None:
            code = frame.f_code
            is_own = codes.get(code)
            if is_own is None:
                is_own = codes[code] = code.co_filename.startswith(_OWN) or (
                    code.co_filename.endswith("contextlib.py")
                )
            if not is_own:
                return SourcePlace(
                    code.co_filename, frame.f_lineno, code.co_name, code=code, at=frame.f_lasti
                )
            frame = frame.f_back
        return None


class _Measuring:
    """Modes, overrides and autograd are off, and as they were afterwards."""

    __slots__ = ("dispatch", "functions", "grad", "quiet", "recorder")

    def __init__(self, recorder: TorchLedger) -> None:
        self.recorder = recorder

    def __enter__(self) -> None:
        self.quiet, self.recorder.is_quiet = self.recorder.is_quiet, True
        self.functions = torch._C.DisableTorchFunction()
        self.functions.__enter__()
        self.dispatch = torch._C._DisableTorchDispatch()
        self.grad = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)

    def __exit__(self, *_: object) -> None:
        torch._C._set_grad_enabled(self.grad)
        del self.dispatch
        self.functions.__exit__(None, None, None)
        self.recorder.is_quiet = self.quiet


def _version(tensor: Any) -> int:
    return 0 if tensor.is_inference() else int(tensor._version)


def _role(tensor: Any) -> str:
    if isinstance(tensor, torch.nn.Parameter):
        return "parameter"
    if isinstance(tensor, torch.nn.Buffer):
        return "buffer"
    if not is_plain(tensor):
        return ""
    return "leaf" if tensor.is_leaf and tensor.requires_grad else ""

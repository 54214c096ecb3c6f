"""Backward passes: each Node that ran, what came in, what it sent along each edge, what leaves got.

All passes go through one function of PyTorch's, whoever starts them. Each Node that a pass can
reach is hooked for its length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from engine.pytorch.ledger import TorchLedger
from engine.pytorch.record import Figures, NodeFrame, PassFrame, Sent

_RAW = "_raw_saved_"
_CLOSE = 1e-4
"""Of the size of gradients: above this, what came in is not the sum of what was sent."""


class PassRecorder:
    """Stands in for the function that runs passes."""

    def __init__(self, recorder: TorchLedger) -> None:
        self.recorder = recorder
        self.engine = torch.autograd.graph._engine_run_backward
        self.count = 0
        self.names_saved: dict[type, tuple[str, ...]] = {}

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Be the one that runs passes."""
        places = (torch.autograd, torch.autograd.graph)
        for place in places:
            place._engine_run_backward = self.run
        try:
            yield
        finally:
            for place in places:
                place._engine_run_backward = self.engine

    def run(self, outputs: Any, *args: Any, **options: Any) -> Any:
        """Run a pass, as autograd's own function does, and write it down."""
        recorder = self.recorder
        if recorder.is_quiet or recorder.is_full():
            return self.engine(outputs, *args, **options)
        with recorder.measuring():
            frame = self._begin(outputs, args)
            roots = [node for node in map(_root, outputs) if node is not None]
            handles = self._hook(roots, frame)
        try:
            result = self.engine(outputs, *args, **options)
        except Exception as error:
            frame.error = f"{type(error).__name__}: {error}"
            raise
        finally:
            for handle in handles:
                handle.remove()
            frame.ended = len(recorder.record.frames)
        with recorder.measuring():
            frame.results = tuple(map(recorder.gradient, result or ()))
        return result

    def _begin(self, outputs: Any, args: Sequence[Any]) -> PassFrame:
        recorder = self.recorder
        self.count += 1
        tensors = [t for t in outputs if isinstance(t, torch.Tensor)]
        _, keeps, creates, wanted = (*args, None, False, False, ())[:4]
        frame = PassFrame(
            -1,
            recorder.place(),
            recorder.module,
            self.count,
            tuple(map(recorder.state_of, tensors)),
            bool(keeps),
            bool(creates),
            wanted=tuple(
                recorder.tensor_of(t).id for t in wanted or () if isinstance(t, torch.Tensor)
            ),
        )
        recorder.add(frame)
        return frame

    def _hook(self, roots: list[Any], frame: PassFrame) -> list[Any]:
        """Hook every Node that the pass can reach; remember which tensors hold its results."""
        seen: set[Any] = set()
        todo, handles = list(roots), []
        pending: dict[tuple[str, int], list[Figures]] = {}
        while todo:
            node = todo.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            run = _NodeRun(self, node, frame.number, pending)
            handles.append(node.register_prehook(run.begin))
            handles.append(node.register_hook(run.end))
            todo += [after for after, _ in node.next_functions]
        frame.nodes = len(seen)
        for root in roots:
            pending.setdefault((self.recorder.node_id(root), -1), [])
        return handles

    def saved(self, node: Any) -> tuple[str, ...]:
        """The names of what the forward pass saved for a Node; none is unpacked."""
        kind = type(node)
        if kind not in self.names_saved:
            self.names_saved[kind] = tuple(
                name.removeprefix(_RAW) for name in dir(kind) if name.startswith(_RAW)
            )
        return self.names_saved[kind]


def _root(output: Any) -> Any:
    """The Node of a tensor, or of an edge, that a pass starts from."""
    if not isinstance(output, torch.Tensor):
        return getattr(output, "node", None)
    if output.grad_fn is not None or not output.requires_grad:
        return output.grad_fn
    return torch.autograd.graph.get_gradient_edge(output).node


class _NodeRun:
    """The hooks of one Node in one pass."""

    __slots__ = ("before", "edges", "id", "leaf", "name", "number", "passes", "pending", "saved")

    def __init__(
        self,
        passes: PassRecorder,
        node: Any,
        number: int,
        pending: dict[tuple[str, int], list[Figures]],
    ) -> None:
        recorder = passes.recorder
        self.passes, self.pending, self.number = passes, pending, number
        self.name = node.name().rpartition("::")[2]
        self.leaf = getattr(node, "variable", None) if "AccumulateGrad" in self.name else None
        self.id = recorder.node_id(node)
        self.edges = [
            (recorder.node_id(after), slot) if after is not None else ("", slot)
            for after, slot in node.next_functions
        ]
        self.saved = passes.saved(node)
        self.before: Figures | None = None

    def begin(self, _: Any) -> None:
        """The Node is about to run: a leaf still has the gradient of before."""
        recorder = self.passes.recorder
        if self.leaf is not None and not recorder.is_quiet:
            with recorder.measuring():
                self.before = recorder.gradient(self.leaf.grad)

    def end(self, sent: Any, incoming: Any) -> None:
        """The Node has run."""
        recorder = self.passes.recorder
        if recorder.is_quiet or recorder.is_full():
            return
        with recorder.measuring():
            came = tuple(map(recorder.gradient, incoming))
            went = tuple(
                Sent(to, slot, recorder.gradient(g))
                for (to, slot), g in zip(self.edges, sent, strict=False)
            )
            self._add(came, went)

    def _add(self, came: tuple[Figures | None, ...], went: tuple[Sent, ...]) -> None:
        recorder = self.passes.recorder
        edited = tuple(
            slot for slot, figures in enumerate(came) if figures and self._is_edited(slot, figures)
        )
        for to, slot, figures in went:
            if to and figures is not None:
                self.pending.setdefault((to, slot), []).append(figures)
        operation = recorder.operation_of(self.id)
        frame = NodeFrame(
            -1,
            recorder.record.frames[operation].place if operation is not None else None,
            recorder.record.frames[operation].module if operation is not None else "",
            self.id,
            self.name,
            self.number,
            operation,
            came,
            went,
            edited=edited,
            saved=self.saved,
        )
        if self.leaf is not None:
            frame.leaf = recorder.tensor_of(self.leaf).id
            frame.before, frame.after = self.before, recorder.gradient(self.leaf.grad)
        elif operation is None:
            recorder.record.strangers += 1
        recorder.add(frame)

    def _is_edited(self, slot: int, figures: Figures) -> bool:
        """Whether what came in differs from the sum of what was sent."""
        parts = self.pending.pop((self.id, slot), None)
        if not parts or (self.id, -1) in self.pending:
            return False  # the pass starts here
        if any(part.mean is None or part.shape != figures.shape for part in (*parts, figures)):
            return False
        size = sum((part.norm or 0.0) for part in parts) / max(figures.size, 1) ** 0.5
        means = sum((part.mean or 0.0) for part in parts)
        if not (abs(means) + size) < float("inf"):
            return False
        if abs(means - (figures.mean or 0.0)) > _CLOSE * size:
            return True
        return len(parts) == 1 and _differ(parts[0].norm or 0.0, figures.norm or 0.0)


def _differ(a: float, b: float) -> bool:
    return abs(a - b) > _CLOSE * max(a, b)

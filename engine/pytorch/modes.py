"""The two modes through which every call and every operation of PyTorch goes while it is recorded.

A function mode sees what the program writes, a dispatch mode what runs below autograd. Each is off
while it is at work, so that nothing that is measured is recorded.
"""

from __future__ import annotations

import re
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from engine.pytorch.ledger import TorchLedger
from engine.pytorch.nested import tensors_in
from engine.pytorch.record import CallFrame
from engine.pytorch.schemas import OperationSchema

_PROPERTIES = ("data", "grad")
"""Properties whose use says something: others are read all the time."""
_DETACH = "aten.detach.default"
"""What autograd does to tensors that it saves, too."""
_SILENT = re.compile(
    r"\.(dim|ndim|size|numel|stride|is_\w+|_set_grad_enabled|_record_function\w*)(\.\w+)?$"
)
"""Calls that read what is known of a tensor, or set a switch."""


class CallMode(TorchFunctionMode):  # type: ignore[misc]  # PyTorch has no types here
    """Writes down each call that the program makes of a function of PyTorch."""

    def __init__(self, recorder: TorchLedger) -> None:
        super().__init__()
        self.recorder = recorder
        self.names: dict[Any, str] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        recorder, kwargs = self.recorder, kwargs or {}
        name = self.names.get(func)
        if name is None:
            name = self.names[func] = _name(func)
        if recorder.is_quiet or not name or recorder.is_full():
            return func(*args, **kwargs)
        with recorder.measuring():
            frame = recorder.begin_call(name, tensors_in(args, kwargs))
        above, recorder.call = recorder.call, frame.index
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            frame.error = f"{type(error).__name__}: {error}"
            raise
        finally:
            recorder.call = above
        with recorder.measuring():
            _finish(recorder, frame, args, result)
        return result


def _finish(recorder: TorchLedger, frame: CallFrame, args: Any, result: Any) -> None:
    frame.outputs = tuple(map(recorder.state_of, tensors_in(result)))
    if frame.name == "torch.Tensor.register_hook" and args:
        recorder.tensor_of(args[0]).hooked = True


def _name(func: Any) -> str:
    """The name of a function, empty for what is not worth a frame."""
    name = getattr(func, "__name__", "")
    if name in ("__get__", "__set__"):
        of = getattr(getattr(func, "__self__", None), "__name__", "")
        return f"torch.Tensor.{of}.{name}" if of in _PROPERTIES else ""
    full = str(resolve_name(func) or name)
    return "" if _SILENT.search(full) or ".profiler." in full else full


class OperationMode(TorchDispatchMode):  # type: ignore[misc]  # PyTorch has no types here
    """Writes down each operation that runs."""

    def __init__(self, recorder: TorchLedger) -> None:
        super().__init__()
        self.recorder = recorder
        self.schemas: dict[Any, OperationSchema] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        recorder, kwargs = self.recorder, kwargs or {}
        if recorder.is_quiet or recorder.is_full():
            return func(*args, **kwargs)
        schema = self.schemas.get(func)
        if schema is None:
            schema = self.schemas[func] = OperationSchema(func)
        if schema.name.startswith("profiler"):
            return func(*args, **kwargs)
        is_on = torch.is_grad_enabled()
        if schema.name == _DETACH and not recorder.is_detaching():
            return func(*args, **kwargs)
        with recorder.measuring():
            frame = recorder.begin_operation(schema, args, kwargs, is_on)
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            frame.error = f"{type(error).__name__}: {error}"
            recorder.add(frame)
            raise
        with recorder.measuring():
            recorder.end_operation(frame, schema, schema.named(args, kwargs), result, is_on)
        return result

"""Functions of the program's own, `torch.autograd.Function`: their forward is one operation."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.autograd.function import _SingleLevelFunction

from engine.pytorch.ledger import TorchLedger
from engine.pytorch.nested import tensors_in
from engine.pytorch.record import OperationFrame


@contextmanager
def functions_recorded(recorder: TorchLedger) -> Iterator[None]:
    """Every `apply` is written down.

    A program may hold `Function.apply` since before, so what is replaced is what that calls.
    """

    def apply(kind: type[Any], *args: Any) -> Any:
        original = super(_SingleLevelFunction, kind).apply
        if recorder.is_quiet or recorder.is_full():
            return original(*args)
        with recorder.measuring():
            frame = _begin(recorder, kind, args)
        above, recorder.function = recorder.function, frame.index
        try:
            result = original(*args)
        except Exception as error:
            frame.error = f"{type(error).__name__}: {error}"
            raise
        finally:
            recorder.function = above
        with recorder.measuring():
            _end(recorder, frame, tensors_in(result))
        return result

    _SingleLevelFunction.apply = classmethod(apply)
    try:
        yield
    finally:
        del _SingleLevelFunction.apply


def _begin(recorder: TorchLedger, kind: type[Any], args: Any) -> OperationFrame:
    inputs = tensors_in(args)
    recorder.measure(inputs)
    frame = OperationFrame(
        -1,
        recorder.place(),
        recorder.module,
        kind.__qualname__.rpartition(">.")[2],
        tuple(
            recorder.argument_of(name, value)
            for name, value in zip(_names(kind, len(args)), args, strict=False)
        ),
        call=recorder.call,
        during=recorder.running_node(),
        within=recorder.function,
        is_function=True,
        run=(kind.apply, recorder.states_in(args), {}),
    )
    recorder.add(frame)
    return frame


def _end(recorder: TorchLedger, frame: OperationFrame, outputs: list[Any]) -> None:
    recorder.measure(outputs)
    frame.outputs = tuple(map(recorder.state_of, outputs))
    for output in outputs:
        if output.grad_fn is not None:
            frame.node = recorder.node_id(output.grad_fn)
            recorder.nodes.setdefault(frame.node, frame.index)
            return


def _names(kind: type[Any], count: int) -> list[str]:
    """The names of the arguments of a Function's forward, without its context."""
    try:
        names = list(inspect.signature(kind.forward).parameters)
    except (TypeError, ValueError):
        names = []
    if kind.setup_context is torch.autograd.function._SingleLevelFunction.setup_context:
        names = names[1:]
    return [*names, *(f"argument {i + 1}" for i in range(len(names), count))]

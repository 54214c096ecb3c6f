"""`with TorchRecorder() as recorder`: every operation of PyTorch in between, forward and backward.

Gradients, random state and buffers are those of the unrecorded run, bit for bit; afterwards no
mode, hook or replaced function is left.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Self

import torch
from torch.optim import optimizer as optimizers

from engine.pytorch.functions import functions_recorded
from engine.pytorch.ledger import KEEP, LIMIT, TorchLedger, next_number
from engine.pytorch.modes import CallMode, OperationMode
from engine.pytorch.module_stack import ModuleStack
from engine.pytorch.naming import finish
from engine.pytorch.passes import PassRecorder
from engine.pytorch.record import StepFrame


class TorchRecorder(TorchLedger):
    """Records what PyTorch does in this thread while it is entered."""

    def __init__(self, keep: int = KEEP, limit: int = LIMIT) -> None:
        super().__init__(keep, limit)
        self.modules = ModuleStack(self)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        stack = self._stack
        self.number = next_number()
        stack.enter_context(PassRecorder(self).installed())
        stack.enter_context(functions_recorded(self))
        stack.enter_context(self.modules.hooked())
        for handle in (
            optimizers.register_optimizer_step_pre_hook(self._step),
            optimizers.register_optimizer_step_post_hook(self._stepped),
        ):
            stack.callback(handle.remove)
        if "torch._dynamo" in sys.modules:  # compiled models run as they are written
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        stack.enter_context(OperationMode(self))
        stack.enter_context(CallMode(self))
        return self

    def close(self, variables: Mapping[str, Any], error: BaseException | None = None) -> None:
        """Take everything back, and name what the program's variables hold."""
        self._stack.close()
        self.is_quiet = True
        if error is not None:
            self.record.error = f"{type(error).__name__}: {error}"
        with torch.no_grad():
            finish(self, self.modules.roots, variables)
        self.forget()

    def _step(self, optimizer: Any, args: Any, options: Any) -> None:
        if self.is_quiet:
            return
        self.is_updating = True
        with self.measuring():
            held = [p for group in optimizer.param_groups for p in group["params"]]
            ids = tuple(self.tensor_of(p).id for p in held)
            found = [self.gradient(p.grad) for p in held]
            norms = tuple(None if it is None else it.norm for it in found)
            name = type(optimizer).__name__
            self.add(
                StepFrame(-1, self.place(), self.module, name, ids, norms, bool(args or options))
            )

    def _stepped(self, *_: Any) -> None:
        self.is_updating = False

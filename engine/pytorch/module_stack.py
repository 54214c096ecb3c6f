"""The modules that are at work, by their paths in the module that was called first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch.nn.modules import module as hooks

from engine.pytorch.ledger import TorchLedger
from engine.pytorch.record import ModuleRecord


class ModuleStack:
    """Follows calls of modules by hooks on all of them."""

    def __init__(self, recorder: TorchLedger) -> None:
        self.recorder = recorder
        self.paths: list[str] = [""]
        self.roots: dict[str, Any] = {}
        """The modules that were called first, by their provisional names."""
        self._inside: dict[int, str] = {}

    @property
    def path(self) -> str:
        return self.paths[-1]

    @contextmanager
    def hooked(self) -> Iterator[None]:
        """Follow the calls of all modules."""
        handles = (
            hooks.register_module_forward_pre_hook(self._enter),
            hooks.register_module_forward_hook(self._leave, always_call=True),
        )
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()
            self._inside.clear()

    def _enter(self, module: Any, _: Any) -> None:
        if id(module) not in self._inside:
            self._name(module)
        path = self._inside[id(module)]
        self.paths.append(path)
        self.recorder.module = path
        record = self.recorder.record
        if path not in record.modules:
            with self.recorder.measuring():
                own = {
                    name: self.recorder.tensor_of(parameter).id
                    for name, parameter in module.named_parameters(recurse=False)
                }
            kind = type(module).__name__
            record.modules[path] = ModuleRecord(path, kind, own, module.training)

    def _name(self, module: Any) -> None:
        """Name a module that no module contains that was called before, and what it contains."""
        if self.path:
            root = f"{self.path}.{type(module).__name__}"
        else:
            root = f"module{len(self.roots) + 1}"
            self.roots[root] = module
        for name, inner in module.named_modules():
            path = f"{root}.{name}" if name else root
            self._inside.setdefault(id(inner), path)

    def _leave(self, *_: Any) -> None:
        if len(self.paths) > 1:
            self.paths.pop()
            self.recorder.module = self.path

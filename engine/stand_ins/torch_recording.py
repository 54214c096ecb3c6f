"""`with torch.no_grad():` and the like: stretches in which results record gradients, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from engine.stand_ins.contract import Machine


class GradientRecording:
    """`with torch.no_grad():` and `@torch.no_grad()`."""

    __slots__ = ("before", "enabled", "function", "machine")

    def __init__(self, machine: Machine, enabled: bool, function: Any = None) -> None:
        self.machine, self.enabled, self.function = machine, enabled, function
        self.before: list[bool] = []

    def __enter__(self) -> Self:
        self.before.append(self.machine.recording)
        self.machine.recording = self.enabled
        return self

    def __exit__(self, *error: object) -> None:
        self.machine.recording = self.before.pop()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The decorated function, or the function decorated."""
        if self.function is None:
            return self.decorated(args[0])
        return self.decorated(self.function)(*args, **kwargs)

    def decorated(self, function: Any) -> Callable[..., Any]:
        call = self.machine.callable(function)

        def recorded(*args: Any, **kwargs: Any) -> Any:
            with self:
                return call(*args, **kwargs)

        recorded.__name__ = recorded.__qualname__ = getattr(function, "__name__", "function")
        return recorded

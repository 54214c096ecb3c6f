"""`register_hook`: functions of the program that a pass hands the gradient of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .graph import Numbers
from .tensor_array import TensorArray


@dataclass(slots=True, eq=False)
class Hook:
    """A function that sees the gradient of a tensor, and may answer with another one."""

    tensor: TensorArray
    node: Any
    call: Callable[..., Any]

    def answer(self, g: Numbers) -> Numbers:
        x = self.tensor
        found = self.call(x.new(g[:]))
        return g if found is None else x.dtype.convert(x.session.array(found).numbers())

    def remove(self) -> None:
        if self in self.node.hooks:
            self.node.hooks.remove(self)


def register_hook(x: TensorArray, hook: Any) -> Hook:
    """Raises RuntimeError for a tensor that records no gradient."""
    if not x.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    made = Hook(x, x.node, x.session.machine.callable(hook))
    x.node.hooks.append(made)
    return made

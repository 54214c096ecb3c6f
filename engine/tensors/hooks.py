"""`register_hook`: functions of the program that a pass hands the gradient of a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.array_ops.grid import from_items
from engine.value import Value

from .scalar import Tensor
from .session import Session
from .tensor_array import TensorArray


@dataclass(slots=True, eq=False)
class Hook:
    """A function that waits for gradients of a tensor."""

    session: Session
    tensor: Any
    call: Callable[..., Any]
    before: list[float]
    """The gradients before a pass, to which a leaf adds."""

    def cells(self) -> list[Tensor]:
        return self.session.array(self.tensor).values()

    def remove(self) -> None:
        if self in self.session.hooks:
            self.session.hooks.remove(self)


def register_hook(session: Session, x: Any, hook: Any) -> Hook:
    """Raises RuntimeError for a tensor that records no gradient."""
    if not (x.requires_grad):
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if x.block is not None:
        session.machine.refuse(
            "A hook on a tensor of a graph this large is not called here.", "Take fewer samples."
        )
    made = Hook(session, x, session.machine.callable(hook), [])
    session.hooks.append(made)
    return made


def prepare(session: Session) -> None:
    """Note the gradients before a pass; interior tensors start it at 0."""
    for hook in session.hooks:
        cells = hook.cells()
        hook.before = [cell.grad if cell.op is None else 0.0 for cell in cells]


def hand_out(session: Session, order: Sequence[Value]) -> None:
    """Call the hooks of the tensors that a pass has reached, from the output backwards."""
    if not session.hooks:
        return
    places = {id(value): i for i, value in enumerate(order)}
    reached = []
    for hook in session.hooks:
        found = [places[id(cell)] for cell in hook.cells() if id(cell) in places]
        if found:
            reached.append((-max(found), hook))
    for _, hook in sorted(reached, key=lambda pair: pair[0]):
        _hand(session, hook)


def _hand(session: Session, hook: Hook) -> None:
    array, cells = session.array(hook.tensor), hook.cells()
    numbers = [cell.grad - b for cell, b in zip(cells, hook.before, strict=True)]
    given = TensorArray(session, from_items(array.dtype.convert(numbers), array.shape), array.dtype)
    answer = hook.call(given)
    if answer is None:
        return
    if any(cell.op is not None for cell in cells):
        session.machine.refuse(
            "A hook that changes the gradient of an interior tensor is not computed here.",
            "Let it return nothing.",
        )
    new = session.array(answer).numbers()
    for cell, before, number in zip(cells, hook.before, new, strict=True):
        cell.grad = cell.rounded(before + float(number))

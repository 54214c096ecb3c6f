"""What operations need of tensors for their gradients, and whether it is still what it was.

PyTorch counts the changes in place of every tensor, and refuses a pass that would use numbers that
have been changed since they were saved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine.ops import OPS, Op

from .tensor_array import TensorArray

_OTHERWISE = {"/": (("b",), ("a", "b")), "silu": (("x",),), "leaky_relu": (("x",),)}
"""What PyTorch saves where our partials are written with something else."""


class Saved(NamedTuple):
    """A tensor as it was when an operation saved it."""

    title: str
    version: list[int]
    at: int

    def check(self) -> None:
        """Raises RuntimeError if the tensor has been changed since."""
        if self.version[0] != self.at:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an "
                f"inplace operation: {self.title} is at version {self.version[0]}; expected "
                f"version {self.at} instead. Hint: enable anomaly detection to find the operation "
                "that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True)."
            )


_NEEDED = {
    name: tuple(tuple(re.findall(r"\b(?:[abxy])\b", text)) for text in op.partials)
    for name, op in OPS.items()
} | _OTHERWISE
"""For each argument of an operation what its partial is computed from; "y" is the result."""


def save_for(op: Op, out: TensorArray, arrays: Sequence[TensorArray], live: Sequence[bool]) -> None:
    """Note what `out`, computed by `op`, needs of its arguments and of itself."""
    given = dict(zip(op.params, arrays, strict=True))
    names = {name for wanted, is_live in zip(_NEEDED[op.name], live, strict=True) if is_live
             for name in wanted}  # fmt: skip
    held = [given.get(name, out) for name in (*op.params, "y") if name in names]
    save(out, [x for x in held if not x.is_number])


def save(out: TensorArray, held: Iterable[TensorArray]) -> None:
    """Note that the gradients of `out` need the numbers of these tensors."""
    out.node.saved = [saved_now(x) for x in held]


class NoDerivative(NamedTuple):
    """What a function saves that PyTorch does not differentiate."""

    words: str
    version: Any = None
    at: int = 0

    def check(self) -> None:
        raise RuntimeError(self.words)


def move(out: TensorArray, to: TensorArray, before: int) -> None:
    """Let the result `out` be that of a change of `to` in place.

    PyTorch saves a copy of what `to` was before, and the result as `to` is now.
    """
    if out.node is None or not out.node.saved:
        return
    now = [saved_now(to) if s.version is out.storage.version else s for s in out.node.saved]
    copied = next((i for i, s in enumerate(now) if s.version is to.storage.version
                   and s.at == before), len(now))  # fmt: skip
    out.node.saved = now[:copied] + now[copied + 1 :]


def saved_now(x: TensorArray) -> Saved:
    """A tensor as it is now."""
    title = f"[torch.{x.dtype.title}Tensor {list(x.shape)}]"
    if x.made_by:
        title += f", which is output 0 of {x.made_by},"
    return Saved(title, x.storage.version, x.storage.version[0])

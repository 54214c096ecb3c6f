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

_BY_NAME = {
    name: saved
    for saved, names in {
        "": "cross_entropy kl_div l1_loss tanhshrink",
        "x": "ClampBackward0 ClampBackward1 ClampMinBackward0 ClampMaxBackward0 HardtanhBackward0 "
             "GatherBackward0 NanToNumBackward0",
        "y": "SoftmaxBackward0 LogSoftmaxBackward0 ReciprocalBackward0 RsqrtBackward0 "
             "Expm1Backward0",
        "xy": "LogsumexpBackward0 ProdBackward0 ProdBackward1 StdBackward0 "
              "LinalgVectorNormBackward0 MaxBackward1 MinBackward1 AmaxBackward0 AminBackward0 "
              "CumprodBackward0 CdistBackward0 DistBackward0 MedianBackward0",
    }.items()
    for name in names.split()
}  # fmt: skip
"""For names of grad_fn, and operations, whether PyTorch saves the arguments x and the result y."""


class Saved(NamedTuple):
    """A tensor as it was when an operation saved it.

    `maker` is the tensor, or of the operation's own result the name of the operation.
    """

    title: str
    maker: TensorArray | str
    version: list[int]
    at: int

    def check(self) -> None:
        """Raises RuntimeError if the tensor has been changed since."""
        if self.version[0] == self.at:
            return
        name = self.maker if isinstance(self.maker, str) else self.maker.made_by
        maker = f", which is output 0 of {name_of_node(name)}," if name else ""
        raise RuntimeError(
            "one of the variables needed for gradient computation has been modified by an "
            f"inplace operation: {self.title}{maker} is at version {self.version[0]}; expected "
            f"version {self.at} instead. Hint: enable anomaly detection to find the operation "
            "that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )


def name_of_node(grad_fn: str) -> str:
    """The name of a grad_fn as PyTorch's messages give it."""
    if grad_fn.startswith("Copy"):
        return f"torch::autograd::{grad_fn}"
    return re.sub(r"Backward0?(\d*)$", r"\1", grad_fn)


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
    if op.name == "/" and arrays[0].is_number:  # PyTorch multiplies with an unnamed reciprocal
        held = []
    save(out, [x for x in held if not x.is_number])


def save_named(op: str, out: TensorArray, arrays: Iterable[TensorArray]) -> None:
    """Note what PyTorch saves for the function that `out` is made by, if it is in the table."""
    wanted = _BY_NAME.get(out.made_by, _BY_NAME.get(op))
    if wanted is not None:
        held = [x for x in arrays if "x" in wanted and not x.is_number]
        _hold(out, [*held, out] if "y" in wanted else held)


def save(out: TensorArray, held: Iterable[TensorArray]) -> None:
    """Note that the gradients of `out` need the numbers of these tensors, unless a table says."""
    if out.made_by not in _BY_NAME and out.node.op.name not in _BY_NAME:
        _hold(out, held)


def _hold(out: TensorArray, held: Iterable[TensorArray]) -> None:
    out.node.saved = [saved_now(x, out.made_by if x is out else "") for x in held]


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
    now = [saved_now(to, out.made_by) if s.version is out.storage.version else s
           for s in out.node.saved]  # fmt: skip
    copied = next((i for i, s in enumerate(now) if s.version is to.storage.version
                   and s.at == before), len(now))  # fmt: skip
    out.node.saved = now[:copied] + now[copied + 1 :]


def saved_now(x: TensorArray, made_by: str = "") -> Saved:
    """A tensor as it is now, the result of the operation `made_by` that saves it if not empty."""
    title = f"[torch.{x.dtype.title}Tensor {list(x.shape)}]"
    return Saved(title, made_by or x, x.storage.version, x.storage.version[0])

"""Accumulation across backward passes: micrograd's rule and PyTorch's.

The type of the output of `backward()` determines the rule. The rules differ only for a Value that
enters a pass with a nonzero gradient; its frame carries a remark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.numbers import full

from .model import Leftover, Node


class AccumulationRule(NamedTuple):
    """A rule: the type that it applies to, and its description in the reference."""

    kind: str
    says: str


RULES: dict[str, AccumulationRule] = {
    "micrograd": AccumulationRule(
        "Value",
        "As in micrograd: the gradient of the output is set to 1, and all others accumulate, "
        "interior ones included. A second call makes a.grad 108 and b.grad 24.",
    ),
    "pytorch": AccumulationRule(
        "torch.tensor",
        "As in PyTorch: gradients of leaves accumulate, interior ones start each pass from 0. A "
        "second call makes a.grad 72; it is an error if the first call has freed the saved numbers "
        "that the partials need, which retain_graph=True prevents.",
    ),
    "plain": AccumulationRule(
        "plain number",
        "A number that is not wrapped, such as a = 2.0, has the gradient of the last pass only, as "
        "the program cannot reset it between passes.",
    ),
}
"""The rules for a second c.backward() after a = 2, b = a*3, c = b*b, c.backward()."""

_LEAF_OUTPUT = {
    "micrograd": (
        "As in micrograd, backward() sets the gradient of the output to 1; "
        "PyTorch would add 1 to that of a leaf tensor."
    ),
    "pytorch": (
        "As in PyTorch, backward() adds 1 to the gradient of a leaf; micrograd would set it to 1."
    ),
}
_INTERIOR = {
    "micrograd": (
        "As in micrograd, interior gradients accumulate; in PyTorch they would start from 0."
    ),
    "pytorch": (
        "As in PyTorch, interior gradients start from 0; in micrograd they would accumulate."
    ),
}


def remarks(leftovers: Iterable[Leftover], rule: str, nodes: Mapping[str, Node]) -> tuple[str, ...]:
    """A remark for each of `leftovers`: the effect of the rule and of the other one."""
    return tuple(
        f"{nodes[found.node].name} had gradient {full(found.held)} before this pass. "
        + (_LEAF_OUTPUT if found.is_output else _INTERIOR)[rule]
        for found in leftovers
    )

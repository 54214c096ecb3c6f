"""What becomes of the gradients that earlier passes left: micrograd's rule and PyTorch's.

The kind of the output that `backward()` is called on decides which rule holds. They differ only for
a Value that enters a pass with a gradient, and there the frame says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from engine.numbers import full

if TYPE_CHECKING:
    from .model import Node


class Rule(NamedTuple):
    """A rule: the kind of number that it holds for, and what it does, for the reference."""

    kind: str
    says: str


RULES: dict[str, Rule] = {
    "micrograd": Rule(
        "Value",
        "As in micrograd: the gradient of the output is set to 1, and every other one is added to, "
        "interior ones included. A second call makes a.grad 108 and b.grad 24.",
    ),
    "pytorch": Rule(
        "torch.tensor",
        "As in PyTorch: gradients of leaves are added to, interior ones start each pass from 0. A "
        "second call makes a.grad 72; it is refused where the first one has freed the numbers that "
        "the partials need, unless that one was given retain_graph=True.",
    ),
    "plain": Rule(
        "plain number",
        "A number that the program did not wrap, such as a = 2.0, holds the gradient of the last "
        "pass alone: nothing in the program could set it to 0 between two passes.",
    ),
}
"""The rules for a second c.backward() after a = 2, b = a*3, c = b*b, c.backward()."""

_LEAF_OUTPUT = {
    "micrograd": (
        "The Value that backward() is called on is set to 1, as in micrograd; "
        "a leaf tensor of PyTorch would add 1 to it."
    ),
    "pytorch": (
        "A leaf tensor adds 1 to it, as in PyTorch; a Value of micrograd would be set to 1."
    ),
}
_INTERIOR = {
    "micrograd": (
        "A Value adds to it, as in micrograd; an interior tensor of PyTorch would start from 0."
    ),
    "pytorch": (
        "An interior tensor starts from 0, as in PyTorch; a Value of micrograd would add to it."
    ),
}


class Leftover(NamedTuple):
    """A Value that entered the pass with the gradient `held`, which another rule treats otherwise.

    It stands in the frame in which the Value first receives something.
    """

    node: str
    held: float
    is_output: bool


def remarks(leftovers: Iterable[Leftover], rule: str, nodes: Mapping[str, Node]) -> tuple[str, ...]:
    """A remark for each of `leftovers`: what the rule does, and what the other one would do."""
    return tuple(
        f"{nodes[found.node].name} held {full(found.held)} before this pass. "
        + (_LEAF_OUTPUT if found.is_output else _INTERIOR)[rule]
        for found in leftovers
    )

"""Operations on whole arrays, as a record keeps them: nodes in the order computed.

Numbers are arrays of the shape (). An array that is changed in place is a new node from then on.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .model import Scope


class ArrayNode(NamedTuple):
    """The result of an operation on arrays, or a leaf, whose `op` is None.

    `args` are the places of earlier nodes, `params` plain data such as `axis`. `data` is in
    row-major order. `is_constant` marks a plain number that stands in an expression. `node` and
    `scope` are the place of the operation.
    """

    op: str | None
    args: tuple[int, ...]
    params: Mapping[str, Any]
    shape: tuple[int, ...]
    dtype: str
    data: tuple[float, ...]
    is_constant: bool
    node: ast.AST
    scope: Scope | None
    is_fixed: bool = False
    """Whether PyTorch records no gradient for it."""


class ArrayName(NamedTuple):
    """A name that an array was given when there were `at` nodes: `W1`, `self.dW`, `grads['W1']`.

    `of` is the place of its node, `node` what is assigned.
    """

    name: str
    of: int
    at: int
    node: ast.AST
    owner: int = 0
    """What holds it: 0 for a variable, else a number of an object or a dict."""
    holder: str = ""
    """The variable of the module that holds this object."""

    @property
    def shown(self) -> str:
        """The name with the variable of its object: `net.W1` of `self.W1`."""
        if self.holder and self.name.startswith("self."):
            return self.holder + self.name.removeprefix("self")
        return self.name


class ArrayPass(NamedTuple):
    """A backward pass, when there were `at` nodes: `of` is the place of the loss.

    `node` is the place of the call, `scene` the scene that it made.
    """

    of: int
    at: int
    node: ast.AST
    scene: int


@dataclass(frozen=True, slots=True)
class ArrayRecord:
    """The operations on arrays of a run, in order, and the names of their results."""

    nodes: Sequence[ArrayNode] = ()
    names: Sequence[ArrayName] = ()
    is_whole: bool = True
    """Whether the run computed no more than is kept."""
    passes: Sequence[ArrayPass] = ()

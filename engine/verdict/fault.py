"""A cause of wrong gradients, as one run shows it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from engine.value import Value

from .evidence import Edge
from .ledger import Entry


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """A cause of wrong gradients in one run; `at` orders faults as the program made them.

    `node` is the place to blame, `edge` where the gradient went wrong, `call` the function.
    """

    kind: str
    node: ast.AST
    at: float
    value: Value | None = None
    written: float | None = None
    due: float | None = None
    entry: Entry | None = None
    edge: Edge | None = None
    note: str = ""

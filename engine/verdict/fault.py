"""A cause of wrong gradients, as one run shows it."""

from __future__ import annotations

import ast
from dataclasses import KW_ONLY, dataclass

from engine.record.model import RunNumber

from .evidence import Dependency
from .ledger import LedgerWrite


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """A cause of wrong gradients in one run; `at` orders faults as the program made them.

    `node` is the place to blame, `edge` where the gradient went wrong, `entry` the write.
    """

    node: ast.AST
    _: KW_ONLY
    at: float
    value: RunNumber | None
    written: float
    due: float
    entry: LedgerWrite | None = None
    edge: Dependency | None = None
    note: str = ""
    kind: str = ""

    @classmethod
    def at_entry(
        cls,
        entry: LedgerWrite,
        node: ast.AST,
        due: float,
        edge: Dependency | None = None,
        kind: str = "",
        note: str = "",
    ) -> Fault:
        """A write that left its number where `due` is the right one."""
        return cls(
            node,
            at=entry.step.at,
            value=entry.used,
            written=entry.step.after,
            due=due,
            entry=entry,
            edge=edge,
            note=note,
            kind=kind,
        )

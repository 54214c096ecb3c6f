"""What the detectors of mistakes look at: a pass, and in it an edge or an amount."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from .evidence import Dependency, Evidence
from .fault import Fault
from .ledger import LedgerWrite, PassLedger
from .places import FaultLocator


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """A pass that code makes."""

    evidence: Evidence
    ledger: PassLedger
    places: FaultLocator


@dataclass(frozen=True, slots=True, eq=False)
class SilentEdge(Pass):
    """An edge along which nothing came, although `due` was."""

    edge: Dependency
    due: float

    @property
    def writes(self) -> list[LedgerWrite]:
        """What the operation of the edge brought elsewhere."""
        return [e for e in self.ledger.entries if e.user is self.edge.user]

    def fault(
        self,
        node: ast.AST,
        entry: LedgerWrite | None = None,
        at: float | None = None,
        edge: Dependency | None = None,
    ) -> Fault:
        """What is due is missing, by default from when the operation could have run."""
        reached = self.ledger.reached.get(self.edge.used, 0.0)
        return Fault(
            node,
            at=self.places.ready(self.edge.user) if at is None else at,
            value=self.edge.used,
            written=reached,
            due=reached + self.due,
            entry=entry,
            edge=edge or self.edge,
        )


@dataclass(frozen=True, slots=True, eq=False)
class WrongTotal(Pass):
    """An edge along which `made` came where `due` was, in `runs` of its operation.

    `partial` is the last write of the first run that brought a part alone; None if each run brought
    what was due by the gradient that it had.
    """

    edge: Dependency
    made: float
    due: float
    runs: Sequence[Sequence[LedgerWrite]]
    partial: LedgerWrite | None


@dataclass(frozen=True, slots=True, eq=False)
class Amount(Pass):
    """What one write brought along an edge, and the `partial` that was due as its factor."""

    edge: Dependency
    entry: LedgerWrite
    partial: float

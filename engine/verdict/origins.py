"""Where results were made, and which lines write the gradients of several operations."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from engine.record.model import RecordedCall, RunNumber

from .evidence import Dependency, Evidence
from .ledger import PassLedger, close
from .syntax import INITS, Syntax
from .terms import term_of


class Origins(Syntax):
    """Finds the statements that made the objects of a run."""

    def __init__(self, evidence: Evidence, ledger: PassLedger) -> None:
        super().__init__(evidence.run.source)
        self.evidence, self.ledger = evidence, ledger

    def maker(self, value: RunNumber) -> RecordedCall | None:
        """The call of the method that made an object."""
        return next((call for call in self.calls_at(value) if call.name not in INITS), None)

    def of_birth(self, value: RunNumber) -> ast.AST:
        """The statement that made an object, in the method that computed it."""
        o, calls = self.evidence.objects[value], self.calls_at(value)
        inits = [call for call in calls if call.name in INITS]
        rest = [call for call in calls if call.name not in INITS]
        inside = self.function_of(value.node) if value.op else None
        if any(call.node is inside for call in inits):
            return self.statement(value.node)  # `super().__init__(a.data + b.data, ...)`
        if rest and (inits or not o.has_init):
            return rest[0].at
        return self.statement(value.node)

    def calls_at(self, value: RunNumber) -> Sequence[RecordedCall]:
        """The calls under way when an object was made, the innermost first."""
        at = self.evidence.births.get(id(self.evidence.objects[value]))
        return self.evidence.witness.writes.get(at, ()) if at is not None else ()

    @cached_property
    def gradients(self) -> set[int]:
        """The identities of the numbers that were written or passed on as gradients."""
        found: set[int] = set()
        for entry in self.ledger.entries:
            found.update((id(entry.step.source), id(term_of(entry))))
        return found

    @cached_property
    def written(self) -> set[int]:
        """The identities of the numbers that were written as gradients."""
        return {id(e.step.source) for e in self.ledger.entries if e.step.source is not None}

    def is_shared(self, statement: ast.AST) -> bool:
        return len(self._makers.get(statement, ())) > 1

    @cached_property
    def _makers(self) -> dict[ast.AST, set[ast.AST]]:
        """For each statement that writes or multiplies gradients, the places of its results."""
        found: dict[ast.AST, set[ast.AST]] = {}
        for entry in self.ledger.entries:
            if entry.user is None or entry.step.pulled:
                continue
            places = {self.statement(entry.step.node)}
            term = term_of(entry)
            if isinstance(term, RunNumber) and term.op is not None and id(term) not in self.written:
                places.add(self.statement(term.node))
            for place in places:
                found.setdefault(place, set()).add(self.of_birth(entry.user))
        return found

    @cached_property
    def without_factors(self) -> set[ast.AST]:
        """The statements that pass all gradients on as they are, due to several operations."""
        found: dict[ast.AST, set[str] | None] = {}
        for entry in self.ledger.entries:
            if entry.kind != "contribution" or entry.user is None or entry.used is None:
                continue
            place = self.statement(entry.step.node)
            is_product = (
                isinstance(term := term_of(entry), RunNumber) and id(term) not in self.written
            )
            due = entry.upstream, entry.portion
            if is_product or not any(close(entry.amount, x) for x in due):
                found[place] = None
                continue
            names = found.setdefault(place, set())
            partial = self.evidence.partials.get(Dependency(entry.user, entry.used))
            if names is not None and entry.user.op is not None and partial not in (None, 1.0):
                names.add(entry.user.op.name)
        return {place for place, names in found.items() if names and len(names) > 1}

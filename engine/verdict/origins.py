"""Where results were made, and which lines write the gradients of several operations."""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence
from functools import cached_property
from itertools import pairwise

from engine.record.model import BegunCall, RecordedCall, RunNumber

from .evidence import Dependency, Evidence
from .ledger import LedgerWrite, PassLedger, close
from .syntax import INITS, Syntax
from .terms import term_of

Maker = tuple[ast.AST, ast.AST | None]
"""The statement that made an object, and the function that computed its number."""


class Origins(Syntax):
    """Finds the statements that made the objects of a run."""

    def __init__(self, evidence: Evidence, ledger: PassLedger) -> None:
        super().__init__(evidence.run.source)
        self.evidence, self.ledger = evidence, ledger
        self._params: dict[ast.AST, set[str]] = {}
        """The names of the parameters of functions, and of those inside of them."""

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
            maker = rest[0]
            if not self.is_operator(maker.node):  # a function that operators share
                maker = next((call for call in rest if call.node is inside), maker)
            return maker.at
        return self.statement(value.node)

    def calls_at(self, value: RunNumber) -> Sequence[RecordedCall]:
        """The calls under way when an object was made, the innermost first."""
        at = self.evidence.births.get(id(self.evidence.objects[value]))
        return self.evidence.witness.writes.get(at, ()) if at is not None else ()

    def of_amount(self, entry: LedgerWrite) -> ast.AST:
        """The write, or the call that gave the amount to a function that only adds it."""
        statement = self.statement(entry.step.node)
        for call, outer in pairwise(entry.step.calls):
            params = self._params.get(call.node)
            if params is None:
                params = {part.arg for part in ast.walk(call.node) if isinstance(part, ast.arg)}
                self._params[call.node] = params
            if entry.lost or not _is_one_of(getattr(statement, "value", None), params):
                break
            statement = self.statement(outer.at)
        return statement

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
    def _makers(self) -> dict[ast.AST, set[Maker]]:
        """For each statement that writes or multiplies gradients, what made its results."""
        found: dict[ast.AST, set[Maker]] = {}
        for entry in self.ledger.entries:
            if entry.user is None or entry.step.pulled:
                continue
            places = {self.of_amount(entry)}
            term = term_of(entry)
            is_made = isinstance(term, RunNumber) and term.op is not None and term.owner is None
            if is_made and id(term) not in self.written:
                places.add(self.statement(term.node))
            for place in places:
                found.setdefault(place, set()).add(self._made_by(entry.user))
        return found

    def _made_by(self, value: RunNumber) -> Maker:
        """Where an object was made, and the function or lambda that computed its number.

        One line may make the objects of all operations.
        """
        return self.of_birth(value), self._function_or_lambda(value.node)

    @cached_property
    def _rules(self) -> dict[int, BegunCall]:
        """By its write, the last call before it that serves operations of one maker alone.

        Empty unless operations of several makers have a function each, as in classes with
        `backward`: what sorts the graph begins before the first write, and serves none.
        """
        around: dict[int, list[BegunCall]] = {}
        serves: dict[ast.AST, set[Maker]] = {}
        first, last, user = 0, 0, None
        for entry in self.ledger.entries:
            if entry.kind != "contribution" or entry.user is None or entry.step.pulled:
                continue
            if entry.user is not user:
                first, user = last, entry.user
            last = entry.step.begun
            inside = {call.node for call in entry.step.calls}
            begun = [
                call
                for call in self.evidence.witness.begun[first:last]
                if call.at >= self.evidence.start and call.node not in inside
                if self.computes(call.node)
            ]
            around[id(entry)] = begun[::-1]
            for call in begun:
                serves.setdefault(call.node, set()).add(self._made_by(entry.user))
        found = {
            key: call
            for key, begun in around.items()
            for call in [next((c for c in begun if len(serves[c.node]) == 1), None)]
            if call is not None
        }
        return found if len({call.node for call in found.values()}) > 1 else {}

    @cached_property
    def without_factors(self) -> set[ast.AST]:
        """The statements that pass all gradients on as they are, due to several operations."""
        found: dict[ast.AST, set[str] | None] = {}
        for entry in self.ledger.entries:
            if entry.kind != "contribution" or entry.user is None or entry.used is None:
                continue
            place = self.of_amount(entry)
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


def _is_one_of(value: ast.expr | None, names: Container[str]) -> bool:
    """Whether an expression is a name of these, or adds one to what an attribute holds."""
    match value:
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=ast.Attribute(), op=ast.Add(), right=ast.Name(id=name)):
            return name in names
        case ast.IfExp(body=body, orelse=orelse):
            return _is_one_of(body, names) and _is_one_of(orelse, names)
    return False

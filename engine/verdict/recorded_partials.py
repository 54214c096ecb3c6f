"""Where partials are recorded beside a result, and what a line for all operations reads of them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from engine.record.model import RunNumber
from engine.value import number

from .evidence import Dependency
from .ledger import LedgerWrite, close
from .origins import Origins
from .terms import term_of


class FactorRead(Enum):
    """What a line for all operations read, for an operation whose contribution it made wrong."""

    NONE = "unknown"
    RIGHT = "the true partial"
    WRONG = "another one"


class RecordedPartials(Origins):
    """Finds the statements that recorded the partials of the operations of a run."""

    def factor_in(self, place: ast.AST, entry: LedgerWrite) -> FactorRead:
        """What a line for all operations read for one whose contribution it made wrong.

        If it read the true partial, or all that was due, the line itself is wrong.
        """
        user, used = entry.user, entry.used
        if user is None or used is None:
            return FactorRead.NONE
        edge = Dependency(user, used)
        partials = self.evidence.slots.get(edge) or [self.evidence.partials[edge] or math.nan]
        writes = [e for e in self.ledger.entries if e.used is user and e.step.at < entry.step.at]
        came = [entry.upstream, *[e.amount for e in reversed(writes)]]
        dues = [partial * x for partial in partials for x in came]
        if any(close(entry.amount, due) for due in dues):
            return FactorRead.NONE
        read = list(self._read_in(place, term_of(entry)))
        is_negated = any(isinstance(part, ast.USub) for part in ast.walk(place))
        if len(read) == 1 and not is_negated:
            return FactorRead.NONE  # it is passed on as it is
        incoming = next((x for x in came if x in read), None)
        if len(read) > 1 and incoming is not None:
            read.remove(incoming)
            dues = []
        if is_negated:
            read += [-x for x in read]  # a constant is negated before anybody sees it
        if any(close(x, known) for x in read for known in (*partials, *dues)):
            return FactorRead.RIGHT
        is_here = self.function_of(place) is self.function_of(entry.step.node)
        return FactorRead.WRONG if read and is_here else FactorRead.NONE

    def _read_in(self, place: ast.AST, term: Any) -> Iterator[float]:
        """The numbers that a statement read for what it computed."""
        todo = [term]
        while todo:
            x = todo.pop()
            is_here = isinstance(x, RunNumber) and x.op is not None and x.owner is None
            is_gradient = x is not term and id(x) in self.gradients
            if is_here and not is_gradient and self.statement(x.node) is place:
                todo += x.args
            elif isinstance(x, RunNumber | int | float):
                yield number(x)

    def recording(self, entry: LedgerWrite) -> ast.AST:
        """Where the partial of an edge was noted: beside the object, or where this was made.

        `TAPE.append((out, self, slope))` stands in a line of its own.
        """
        assert entry.user is not None
        birth = self.of_birth(entry.user)
        maker = self.maker(entry.user)
        block = getattr(self.parents.get(birth), "body", [])
        if birth not in block or entry.used is None:
            return birth
        if maker is None:
            names = self._parameters_of(entry.user, entry.used)
        else:
            o = self.evidence.objects[entry.used]
            names = {name for name, held in maker.variables.items() if held is o}
        found = [
            node
            for node in block[block.index(birth) + 1 :]
            if isinstance(node, ast.Expr | ast.Assign | ast.Return)
            and names & {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        ]
        return self._of_several(found, entry) if found else birth

    def _parameters_of(self, user: RunNumber, used: RunNumber) -> set[str]:
        """The parameter that served as an operand, where no call of the method is known."""
        function = self.function_of(user.node)
        args = list(self.evidence.args[user])
        params = (
            [arg.arg for arg in function.args.args] if isinstance(function, ast.FunctionDef) else []
        )
        at = user.args.index(used) if used in user.args else args.index(used) if used in args else 0
        return set(params[at : at + 1])

    def recorded_at(self, user: RunNumber) -> ast.AST:
        """The statement that records the operands of a result, after the one that makes it."""
        birth = self.of_birth(user)
        block = getattr(self.parents.get(birth), "body", [])
        function = self.function_of(birth)
        if birth not in block or not isinstance(function, ast.FunctionDef) or _lists(birth):
            return birth
        after = block[block.index(birth) + 1 :]
        return next((node for node in after if _lists(node)), birth)

    def _of_several(self, found: Sequence[ast.AST], entry: LedgerWrite) -> ast.AST:
        """`a + a` is recorded in two lines: by the order of their contributions."""
        same = [
            e
            for e in self.ledger.entries
            if e.user is entry.user and e.used is entry.used and e.run == entry.run
        ]
        at = same.index(entry) if entry in same else 0
        return found[-1 - at] if at < len(found) and len(same) > 1 else found[0]


def _lists(statement: ast.AST) -> bool:
    """Whether a statement, and no function in it, holds a list or tuple."""
    return not isinstance(statement, ast.FunctionDef) and any(
        isinstance(node, ast.List | ast.Tuple) and node.elts for node in ast.walk(statement)
    )

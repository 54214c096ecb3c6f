"""The lines that faults are blamed on."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from engine.record.model import BegunCall, RecordedCall, RunNumber

from .evidence import Dependency
from .ledger import LedgerWrite, close
from .recorded_partials import FactorRead, RecordedPartials
from .syntax import is_property
from .terms import parts_of_term, term_of


class FaultLocator(RecordedPartials):
    """Finds the place of each kind of fault in the text of one run's program."""

    def start(self) -> ast.AST:
        """The statement of the module with which the pass begins."""
        scene = self.evidence.run.scene
        if scene is not None and scene.kind == "backward":
            return self.statement(scene.node)
        lines = self.evidence.witness.lines
        for step in self.evidence.steps:
            if not step.is_first:
                return lines.get(math.ceil(step.at)) or self.statement(step.node)
        return self.tree.body[-1]

    # Writes

    def of_write(self, entry: LedgerWrite) -> ast.AST:
        """The write, or where it serves all operations: the place where its factor was made."""
        statement = self.of_amount(entry)
        term = term_of(entry)
        is_passed_on = id(term) in self.written  # as it is, so that it was made with no factor
        is_made = isinstance(term, RunNumber) and term.op is not None and term.owner is None
        made_at = self.statement(term.node) if is_made else statement
        factor = self.factor_in(made_at, entry) if self.is_shared(statement) else FactorRead.NONE
        if factor is FactorRead.RIGHT:
            return made_at
        is_apart = is_made and made_at is not statement and not self.is_shared(made_at)
        if is_apart and not is_passed_on and factor is not FactorRead.WRONG:
            return made_at
        if (returned := self.returned(entry)) is not None:
            return returned
        if not self.is_shared(statement) or entry.lost:
            return statement
        for part in () if is_passed_on else parts_of_term(term, self.gradients):
            place = self.statement(part.node)
            is_apart = place is not statement and place is not made_at
            if is_apart and not self.is_shared(place) and self._in_call(place):
                return place
        if entry.user is None:
            return statement
        if (rule := self.rule_of(entry)) is not None:
            return rule
        if statement in self.without_factors:
            return statement
        asked = self._asked(entry.user, entry)
        if asked is not None and asked.left is not None:
            return self.statement(asked.left)
        return self.recording(entry)

    def rule_of(self, entry: LedgerWrite) -> ast.AST | None:
        """The last statement of the function that gave what a line for all operations writes."""
        rule = self._rules.get(id(entry))
        return None if rule is None else rule.left

    def gives_gradient(self, entry: LedgerWrite) -> bool:
        """Whether the function that gave an amount was given the gradient of the result."""
        rule = self._rules.get(id(entry))
        if rule is None:
            return False
        read: list[ast.AST] = [rule.node]
        for call in entry.step.calls:
            read += [node for node in ast.walk(call.node) if _is_call_of(node, rule.node)]
        return any(
            isinstance(part, ast.Attribute) and part.attr in self.gradient_names
            for node in read
            for part in ast.walk(node)
        )

    def returned(self, entry: LedgerWrite) -> ast.Return | None:
        """The return of what a line for all operations writes as it is: `return g, 1.0`.

        It was the last call before the line, and gave a constant or the gradient that it was given.
        """
        statement, term = self.statement(entry.step.node), term_of(entry)
        is_computed = getattr(term, "op", None) is not None
        if entry.lost or not _is_handed(statement) or (
            is_computed and self.statement(term.node) is not statement
        ):  # fmt: skip
            return None
        around = {call.node for call in entry.step.calls}
        before = self.evidence.witness.begun[: entry.step.begun]
        last = next((begun for begun in reversed(before) if begun.node not in around), None)
        if last is None or not isinstance(last.left, ast.Return):
            return None
        value = last.left.value
        given = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
        names = {part.arg for part in ast.walk(last.node) if isinstance(part, ast.arg)}
        return last.left if any(_gives(node, names, entry) for node in given) else None

    def operands(self, edge: Dependency) -> int:
        """As how many operands of the method that made the result an arg served; 2 if unknown."""
        maker, o = self.maker(edge.user), self.evidence.objects[edge.used]
        if maker is None:
            return 2
        return sum(held is o for held in maker.variables.values()) or 2

    # Calls and functions

    def of_call(self, entry: LedgerWrite) -> ast.AST:
        """The statement that passed the gradient on: the call of the function that wrote.

        In a loop that writes itself, the line that reads the gradient.
        """
        calls, call = entry.step.calls, entry.call
        if call is None:
            return self.statement(entry.step.node)
        at = next((i for i, other in enumerate(calls) if other.serial == call.serial), 0)
        if self._is_driver(call):
            return self._reading(call, entry.user) if at == 0 else call.at
        if at + 1 < len(calls):
            return calls[at + 1].at
        by_hand = self.evidence.witness.lines.get(math.ceil(entry.step.at))
        return by_hand or self.start()

    def _reading(self, call: RecordedCall, user: RunNumber | None) -> ast.AST:
        """The line of a loop that reads the gradient of an operation's result."""
        o = self.evidence.objects.get(user) if user is not None else None
        names = {name for name, held in call.variables.items() if held is o}
        for node in ast.walk(call.node):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if (
                    name in names and attr in self.gradient_names
                ):
                    return self.statement(node)
        return call.at

    def _is_driver(self, call: RecordedCall) -> bool:
        """Whether one call writes for several operations."""
        return call.serial in self._drivers

    @cached_property
    def _drivers(self) -> dict[int, ast.AST]:
        users: dict[int, set[RunNumber | None]] = {}
        nodes: dict[int, ast.AST] = {}
        for e in self.ledger.entries:
            if e.call is not None and e.user is not None:
                users.setdefault(e.call.serial, set()).add(e.user)
                nodes[e.call.serial] = e.call.node
        return {serial: nodes[serial] for serial, found in users.items() if len(found) > 1}

    def is_shared_pass(self) -> bool:
        """Whether no operation has a function of its own: one writes for all."""
        writers = {
            e.call.node for e in self.ledger.entries if e.call is not None and e.user is not None
        }
        if len(writers) != 1 or self.has_functions():
            return False
        return all(map(self._serves_all, writers))

    def driver(self) -> ast.AST:
        """The function that runs the pass."""
        for entry in self.ledger.entries:
            if entry.step.calls:
                return entry.step.calls[-1].node
        return self.start()

    def of_function(self, user: RunNumber, entry: LedgerWrite | None) -> ast.AST:
        """The definition of the function that ran for an operation, or of its partials."""
        if entry is not None and entry.call is not None:
            if not self._is_driver(entry.call):
                return entry.call.node
            innermost = entry.step.calls[0]
            if innermost.serial != entry.call.serial and not self._serves_all(innermost.node):
                return innermost.node
            term = term_of(entry)
            for number in (term, *parts_of_term(term, self.gradients)):
                inside = self._function_or_lambda(getattr(number, "node", None))
                if inside in (None, entry.call.node) or self._serves_all(inside):
                    continue
                return inside
        for begun in self.runs(user):
            return begun.node
        asked = self._asked(user, None)
        return asked.node if asked is not None else self.of_birth(user)

    def _serves_all(self, function: ast.AST | None) -> bool:
        """Whether a function writes for results made in several places."""
        makers = {
            self.of_birth(e.user)
            for e in self.ledger.entries
            if e.user is not None and any(call.node is function for call in e.step.calls[:1])
        }
        return len(makers) > 1

    def runs(self, user: RunNumber) -> Iterator[BegunCall]:
        """The calls during the pass that served an operation alone, the last begun first."""
        o = self.evidence.objects[user]
        stored = {id(node) for node in self._stored(user) if not self._is_default(node)}
        drivers = set(map(id, self._drivers.values()))
        names = {
            e.call.name
            for e in self.ledger.entries
            if e.call is not None and e.user is not None and id(e.call.node) not in drivers
        }
        ends = self.evidence.run.scene.end if self.evidence.run.scene else 0
        for begun in reversed(self.evidence.witness.begun):
            if not self.evidence.start <= begun.at <= ends or id(begun.node) in drivers:
                continue
            is_its_own = id(begun.node) in stored and self._is_run_of(begun, o)
            is_named = getattr(begun.node, "name", "") in names
            if is_its_own or (is_named and self._is_method_of(begun, o)):
                yield begun

    def _is_run_of(self, begun: BegunCall, o: Any) -> bool:
        """Whether a call of a function that `o` holds is that of its own.

        Where its variables hold no result, all objects with such a function had theirs run, if as
        many calls began.
        """
        held = [self.evidence.value_of(x) for x in begun.variables.values()]
        holders = self._holders.get(begun.node, {})
        results = [value for value in held if value is not None and value in holders]
        if _holds(begun, o):
            own = self.evidence.value_of(o)
            return not any(own in self.evidence.args.get(value, ()) for value in results)
        if results:
            return False
        return self._counts[begun.node] >= len(holders)

    @cached_property
    def _holders(self) -> dict[ast.AST, dict[RunNumber, None]]:
        """The results whose objects hold each function."""
        found: dict[ast.AST, dict[RunNumber, None]] = {}
        for value in self.evidence.args:
            for node in self._stored(value):
                found.setdefault(node, {})[value] = None
        return found

    @cached_property
    def _counts(self) -> Counter[ast.AST]:
        """How often each function was called in the pass or after it."""
        start = self.evidence.start
        return Counter(begun.node for begun in self.evidence.witness.begun if begun.at >= start)

    def _is_method_of(self, begun: BegunCall, o: Any) -> bool:
        """Whether a call is that of a method of `o`."""
        if not isinstance(self.parents.get(begun.node), ast.ClassDef):
            return False
        args = begun.node.args.args  # type: ignore[attr-defined]
        return bool(args) and begun.variables.get(args[0].arg) is o

    def _asked(self, user: RunNumber, before: LedgerWrite | None) -> BegunCall | None:
        """The last call before a write that was about an operation, but does not run the pass."""
        o = self.evidence.objects[user]
        around = {call.node for call in before.step.calls} if before is not None else set()
        seeded = next((e.step.begun for e in self.ledger.entries if e.amount), 0)
        until = before.step.begun if before is not None else None
        drivers = {id(node) for node in self._drivers.values()}
        for begun in reversed(self.evidence.witness.begun[seeded:until]):
            is_apart = begun.node not in around and id(begun.node) not in drivers
            if (
                is_apart
                and self.computes(begun.node)
                and _holds(begun, o)
                and self._may_serve(begun, user)
            ):
                found: BegunCall = begun
                return found
        return None

    def _may_serve(self, begun: BegunCall, user: RunNumber) -> bool:
        """Whether a function is no closure, or was defined by the method that made the result.

        One that holds what was computed from the result serves that operation.
        """
        held = [self.evidence.value_of(x) for x in begun.variables.values()]
        if is_property(begun.node) or any(
            user in self.evidence.args.get(value, ()) for value in held if value is not None
        ):
            return False
        around, maker = self.function_of(self.parents.get(begun.node)), self.maker(user)
        return around is None or maker is None or around is maker.node

    def ran(self, user: RunNumber) -> bool:
        """Whether a function that an object holds ran for it in the pass."""
        return any(True for _ in self.runs(user))

    def _stored(self, user: RunNumber) -> Sequence[ast.AST]:
        """The definitions of the functions that the object of an operation holds."""
        functions: Sequence[ast.AST] = self.evidence.objects[user].functions
        return functions

    def has_function(self, user: RunNumber) -> bool:
        """Whether an object holds a function of its own operation, no default."""
        return any(not self._is_default(node) for node in self._stored(user))

    def has_functions(self) -> bool:
        """Whether operations of this program hold functions at all."""
        return any(self.has_function(user) for user in self.evidence.args)

    def _is_default(self, node: ast.AST) -> bool:
        """Whether a function is made where every object is: lambda: None in `__init__`."""
        inside = self.parents.get(node)
        while inside is not None and not isinstance(
            inside, ast.FunctionDef | ast.Lambda | ast.ClassDef
        ):
            inside = self.parents.get(inside)
        if isinstance(inside, ast.ClassDef):
            return isinstance(node, ast.Lambda)
        return isinstance(inside, ast.FunctionDef) and inside.name == "__init__"

    def called_at_once(self, user: RunNumber) -> ast.AST | None:
        """The assignment of what a function returned in place of the function."""
        inside = self.function_of(self.of_birth(user))
        if inside is None:
            return None
        defined = {
            node.name: node
            for node in ast.walk(inside)
            if isinstance(node, ast.FunctionDef) and node is not inside
        }
        stored = self._stored(user)
        for node in ast.walk(inside):
            match node:
                case ast.Call(func=ast.Name(id=name)) if (
                    name in defined
                    and defined[name] not in stored
                    and self.function_of(node) is inside
                    and _mentions(inside, name) == 1
                ):
                    return self.statement(node)
        return None

    # Objects

    def is_made_inside(self, value: RunNumber) -> bool:
        """Whether a function of the program made the object, not a line of the module."""
        return self.function_of(self.of_birth(value)) is not None

    def ready(self, user: RunNumber) -> float:
        """When the gradient of an operation's result was complete."""
        times = [e.step.at for e in self.ledger.entries if e.used is user]
        return (times[-1] if times else self.evidence.start) + 0.5


def _is_handed(statement: ast.AST) -> bool:
    """Whether a write adds what another function returned, as far as its text says."""
    value = getattr(statement, "value", None)
    parts = [value.left, value.right] if isinstance(value, ast.BinOp) else [value]
    return any(isinstance(part, ast.Name | ast.Subscript | ast.Call) for part in parts)


def _gives(node: ast.AST | None, parameters: set[str], entry: LedgerWrite) -> bool:
    """Whether a returned part is the number written: a constant, or the gradient passed on."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as x)):
            return close(-x, entry.amount)
        case ast.Constant(value=int() | float() as x):
            return close(x, entry.amount)
        case ast.Name(id=name):
            return name in parameters and close(entry.upstream, entry.amount)
    return False


def _is_call_of(node: ast.AST, function: ast.AST) -> bool:
    """Whether a function of that name is called."""
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return bool(name) and name == getattr(function, "name", "")


def _mentions(function: ast.AST, name: str) -> int:
    return sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))


def _holds(begun: BegunCall, o: Any) -> bool:
    """Whether a variable of a call held an object when it began."""
    return any(x is o for x in begun.variables.values())

"""Loops, functions and classes."""

from __future__ import annotations

import ast

from .assignments import Assignments
from .effects import NOTHING, CallEffect
from .marks import MarkStatement, marked
from .nodes import LOAD, STORE, assigned, at, first_of, yields
from .walk import CALL, PREFIX


class Blocks(Assignments):
    """Rewrites loops, functions and classes."""

    def for_(self, node: ast.For) -> ast.stmt:
        if self.effect in NOTHING:
            return self.inside(node)
        items = self.visit(node.iter)
        turns = at(ast.Call(self.helper("turns", node), [items], []), node.iter)
        return self.changed(
            node, target=self.visit(node.target), iter=turns, body=self.body(node.body),
            orelse=self.body(node.orelse),
        )  # fmt: skip

    def while_(self, node: ast.While) -> list[ast.stmt]:
        number = len(self.sites)
        held = f"{PREFIX}loop_{number}"
        begin = assigned(held, self.call("loop", node, []), node)
        turn = self.call("turn", node.test, [at(ast.Name(held, LOAD), node.test)])
        body = [at(ast.Expr(turn), node.test), *self.body(node.body)]
        loop = self.changed(
            node, test=self.visit(node.test), body=body, orelse=self.body(node.orelse)
        )
        ended = self.call("end_loop", node, [at(ast.Name(held, LOAD), node)])
        guarded = ast.Try([loop], [], [], [at(ast.Expr(ended), node)])
        return [begin, at(guarded, node)]

    def functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        decorators = self.all(node.decorator_list)
        args = self.visit(node.args)
        is_generator = self.watch.yields and isinstance(node, ast.FunctionDef) and yields(node)
        effect = self.watch.effects.get(node, CallEffect.ANY)
        enters = isinstance(node, ast.FunctionDef) and not is_generator and self.shows(effect)
        tells, self.tells = self.tells, enters and self.watch.judged
        around, self.effect = self.effect, effect
        self.depth += 1
        body = self.body(marked(node.body) if self.tells else node.body)
        self.depth -= 1
        self.tells, self.effect = tells, around
        if isinstance(node, ast.FunctionDef) and enters:
            body = self._entered(node, body, effect)
        return self.changed(node, decorator_list=decorators, args=args, body=body)

    def _entered(
        self, node: ast.FunctionDef, body: list[ast.stmt], effect: CallEffect
    ) -> list[ast.stmt]:
        is_documented = ast.get_docstring(node, clean=False) is not None
        doc, rest = body[: int(is_documented)], body[int(is_documented) :]
        place = node.body[0]
        first = first_of(node.args, place)
        begin = assigned(CALL, self.call("enter", place, [first], node.name, node, effect), place)
        nothing: list[ast.stmt] = [at(ast.Pass(), place)]
        return [*doc, begin, at(ast.Try(rest or nothing, [], [], self._left(place)), place)]

    def _left(self, place: ast.AST) -> list[ast.stmt]:
        """The end of a call, by a helper only where a witness wants to know of it."""
        if self.watch.judged:
            leave = self.call("leave", place, [at(ast.Name(CALL, LOAD), place)])
            return [at(ast.Expr(leave), place)]
        if not self._leave:  # the same for all: nobody asks for the place of an end
            self._leave += self._restored(place, "scope", 2), self._restored(place, "entered", 6)
        return self._leave

    def _restored(self, place: ast.AST, name: str, number: int) -> ast.stmt:
        """`run.name = call[number]`"""
        run, call = (at(ast.Name(x, LOAD), place) for x in (f"{PREFIX}run", CALL))
        part = at(ast.Subscript(call, at(ast.Constant(number), place), LOAD), place)
        target = at(ast.Attribute(run, name, STORE), place)
        return at(ast.Assign([target], part), place)

    def match(self, node: ast.Match) -> ast.Match:
        """Patterns stay: their attributes and constants are no expressions."""
        cases = [
            self.changed(
                case, body=self.body(case.body), guard=case.guard and self.visit(case.guard)
            )
            for case in node.cases
        ]
        return self.changed(node, subject=self.visit(node.subject), cases=cases)

    def mark(self, node: MarkStatement) -> ast.stmt:
        call = at(ast.Name(CALL, LOAD), node.of)
        return at(ast.Expr(self.call("mark", node.of, [call])), node.of)

    def return_(self, node: ast.Return) -> ast.stmt:
        if not self.tells:
            return self.inside(node)
        call = at(ast.Name(CALL, LOAD), node)
        value = at(ast.Constant(None), node) if node.value is None else self.visit(node.value)
        return self.changed(node, value=self.call("result", node, [call, value]))

    def classdef(self, node: ast.ClassDef) -> ast.stmt:
        adopt = self.helper("adopt", node)
        owner, self.owner = self.owner, node.name
        inner = self.inside(node)
        self.owner = owner
        return self.changed(inner, decorator_list=[adopt, *inner.decorator_list])

"""Operations, attributes and calls."""

from __future__ import annotations

import ast
from typing import Any

from engine.record.follow import HIDDEN

from .effects import NOTHING, CallEffect
from .nodes import LOAD, at, first_of, has_star, item, name_of
from .walk import TreeWalk

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.FloorDiv: "//",
    ast.Mod: "%", ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|",
    ast.BitAnd: "&", ast.BitXor: "^",
}  # fmt: skip
CONVERSIONS = frozenset({"type", "float", "int", "locals", "vars", "dir"})
"""Built-in names whose calls are told apart from the names themselves, which remain classes."""
NO_ARGUMENTS = frozenset({"locals", "vars", "dir"})
"""Those among them that are looked at where they have no argument: they list variables."""

OF_THE_FRAME = frozenset({"globals", "eval", "exec", "super", "breakpoint"})
"""Built-in functions that look at the frame that calls them, which must be the program's own."""


class Expressions(TreeWalk):
    """Rewrites expressions."""

    def binop(self, node: ast.BinOp) -> ast.expr:
        operands = [self.visit(node.left), self.visit(node.right)]
        return self.call("binary", node, operands, SIGNS[type(node.op)])

    def unaryop(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not | ast.Invert):
            return self.inside(node)
        if isinstance(node.operand, ast.Constant):
            return node
        kind = "negation" if isinstance(node.op, ast.USub) else "plus"
        return self.call(kind, node, [self.visit(node.operand)])

    def compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Is | ast.IsNot):
            return self._identity(node)
        is_ordered = len(node.ops) == 1 and type(node.ops[0]) in _ORDERS
        if not self.watch.reads or not is_ordered:
            return self.inside(node)
        operands = [self.visit(node.left), self.visit(node.comparators[0])]
        return self.call("comparison", node, operands, _ORDERS[type(node.ops[0])])

    def _identity(self, node: ast.Compare) -> ast.expr:
        """`a is b`, where a number may be the larger of two."""
        sides = [node.left, *node.comparators]
        if any(isinstance(side, ast.Constant) for side in sides):
            return self.inside(node)
        operands = [self.visit(side) for side in sides]
        return self.call("identity", node, operands, isinstance(node.ops[0], ast.Is))

    def attribute(self, node: ast.Attribute) -> ast.expr:
        value = self.visit(node.value)
        is_recorded = node.attr in self.watch.stores or self.watch.reads
        if isinstance(node.ctx, ast.Store) and is_recorded:
            return item(self.helper("store", node, self.mangled(node.attr)), value, node)
        if isinstance(node.ctx, ast.Load) and (self.watch.reads or node.attr in HIDDEN):
            kind = "read" if self.watch.reads else "own_read"
            return self.call(kind, node, [value], self.mangled(node.attr))
        return node if value is node.value else self.changed(node, value=value)

    def subscript(self, node: ast.Subscript) -> ast.expr:
        if self.watch.arrays and isinstance(node.ctx, ast.Load):
            return self.call("index", node, [self.visit(node.value), self.visit(node.slice)])
        is_whole = isinstance(node.slice, ast.Slice) and not self.watch.arrays
        if not isinstance(node.ctx, ast.Store) or is_whole:
            return self.inside(node)
        key = ast.Tuple([self.visit(node.value), self.visit(node.slice)], LOAD)
        return item(self.helper("item", node, name_of(node.value)), at(key, node), node)

    def lambda_(self, node: ast.Lambda) -> ast.expr:
        args = self.visit(node.args)
        effect = self.watch.effects.get(node, CallEffect.ANY)
        around, self.effect = self.effect, effect
        self.depth += 1
        body = self.visit(node.body)
        self.depth -= 1
        self.effect = around
        if not self.shows(effect):
            return self.changed(node, args=args, body=body)
        first = first_of(node.args, node.body)
        entered = self.call("enter", node.body, [first], "<lambda>", node, effect)
        return self.changed(
            node, args=args, body=self.call("leave_with", node.body, [entered, body])
        )

    def shows(self, effect: CallEffect) -> bool:
        """Whether calls of a function are entered: a witness tells what its closures leave out."""
        return effect not in NOTHING or (self.watch.judged and effect is CallEffect.NONE)

    def called(self, node: ast.Call) -> ast.expr:
        func = node.func
        name = func.id if isinstance(func, ast.Name) else ""
        is_short = len(node.args) <= (name not in NO_ARGUMENTS) and not node.keywords
        if name in CONVERSIONS and is_short and not has_star(node):
            return self.call("convert", node, [func, *self.all(node.args)])
        if name in OF_THE_FRAME:
            return self.inside(node)
        if name in self.watch.draws and node.args:
            return self._wrapped("draw", node)
        if self._may_pass(node):
            return self._wrapped("passing", node, isinstance(func, ast.Attribute))
        if self.watch.reads:
            return self._wrapped("call", node)
        return self.inside(node)

    def _may_pass(self, node: ast.Call) -> bool:
        """Whether a call may run a backward pass of the program's own."""
        func = node.func
        if isinstance(func, ast.Attribute):
            is_super = isinstance(func.value, ast.Call) and name_of(func.value.func) == "super"
            known = func.attr in self.watch.passes or bool(node.keywords) or has_star(node)
            return not is_super and (known or not self.depth)
        has_output = len(node.args) == 1 or (self.watch.is_keyed and bool(node.args))
        is_one = has_output and not node.keywords and not has_star(node)
        return not self.depth and is_one and isinstance(func, ast.Name)

    def _wrapped(self, kind: str, node: ast.Call, *rest: Any) -> ast.expr:
        """A call whose function and arguments go to a helper."""
        args = [self.visit(node.func), *self.all(node.args)]
        return self.call(kind, node, args, *rest, keywords=self.all(node.keywords))


_ORDERS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip

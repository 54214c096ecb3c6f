"""Assignments: names for numbers, and attributes and items that are recorded."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.record.attribute_names import CHILDREN, EITHER, GRADIENTS

from .expressions import SIGNS, Expressions
from .nodes import LOAD, STORE, again, at, loaded, name_of

_GRADIENTS = GRADIENTS - EITHER
_UNNAMED = frozenset({ast.Lambda, ast.JoinedStr, ast.Set, ast.Dict, ast.SetComp, ast.DictComp})
"""Expressions whose values are no numbers, and hold none that is named after the variable."""


class Assignments(Expressions):
    """Rewrites assignments."""

    def named(self, value: ast.expr, name: str, source: ast.expr) -> ast.expr:
        """`value`, which stands in the program as `source`, under a name."""
        if isinstance(source, ast.Constant) and not isinstance(source.value, int | float):
            return value
        if type(source) in _UNNAMED or (self.depth and self._is_of_class(source)):
            return value
        return at(ast.Call(self.helper("name", source, name, self.depth), [value], []), source)

    def namedexpr(self, node: ast.NamedExpr) -> ast.expr:
        return self.changed(
            node, value=self.named(self.visit(node.value), node.target.id, node.value)
        )

    def _is_of_class(self, node: ast.expr) -> bool:
        """Whether the value is an object of the program: `x if isinstance(x, C) else C(x)`."""
        if isinstance(node, ast.Call):
            return name_of(node.func) in self.watch.classes
        return (
            isinstance(node, ast.IfExp)
            and self._is_of_class(node.orelse)
            and (self._is_of_class(node.body) or self._is_told(node.test, node.body))
        )

    def _is_told(self, test: ast.expr, name: ast.expr) -> bool:
        """Whether a test is that of a name being of a class of the program."""
        if not isinstance(test, ast.Call) or not isinstance(name, ast.Name):
            return False
        names = [name_of(part) for part in (test.func, *test.args)]
        return names[:2] == ["isinstance", name.id] and names[-1] in self.watch.classes

    def stored(self, node: ast.expr, target: ast.expr) -> ast.expr:
        """What is assigned to a target; the parts of a gradient are followed no further."""
        is_gradient = isinstance(target, ast.Attribute) and target.attr in _GRADIENTS
        if is_gradient and not self.watch.reads:
            return self.part(node)
        found: ast.expr = self.visit(node)
        return found

    def part(self, node: ast.expr) -> ast.expr:
        """What a gradient is computed from."""
        if not isinstance(node, ast.BinOp):
            found: ast.expr = self.visit(node)
            return found
        operands = [self.part(node.left), self.part(node.right)]
        return self.call("part", node, operands, SIGNS[type(node.op)])

    def assign(self, node: ast.Assign) -> ast.stmt:
        target, items = node.targets[0], list(getattr(node.value, "elts", ()))
        value = self.stored(node.value, target)
        if len(node.targets) == 1 and (given := self._given(target, value)):
            return self.changed(node, value=given)
        first = next((t.id for t in node.targets if isinstance(t, ast.Name)), "")
        if first:
            value = self.named(value, first, node.value)
        elif len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple | ast.List):
            value = self._unpacked(node.targets[0], node.value, items, value)
        return self.changed(node, targets=self.all(node.targets), value=value)

    def _given(self, target: ast.expr, value: ast.expr) -> ast.expr | None:
        """`value` as it is stored in attributes that are recorded; None if a helper must store it.

        So Python itself stores it. Of several targets this is known before any is stored, so none
        may depend on another, as children do on the number of their object.
        """
        if isinstance(target, ast.Attribute) and self._is_direct(target):
            return self._given_to(target, value)
        if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
            return None
        names = [part.attr for part in target.elts if isinstance(part, ast.Attribute)]
        watched = [name for name in names if name in self.watch.stores]
        depend = len(watched) > 1 and not CHILDREN.isdisjoint(watched)
        if depend or len(watched) > len(set(watched)) or len(names) != len(value.elts):
            return None
        if any(isinstance(x, ast.Starred) for x in value.elts):
            return None
        if not all(map(self._is_direct, target.elts)):
            return None
        pairs = zip(target.elts, value.elts, strict=True)
        return self.changed(value, elts=[self._given_to(part, x) for part, x in pairs])

    def _given_to(self, target: Any, value: ast.expr) -> ast.expr:
        if target.attr not in self.watch.stores:
            return value
        name = self.mangled(target.attr)
        return at(ast.Call(self.helper("given", target, name), [value, again(target)], []), target)

    def _unpacked(
        self,
        target: ast.Tuple | ast.List,
        source: ast.expr,
        items: Sequence[ast.expr],
        value: ast.expr,
    ) -> ast.expr:
        """`value` of several targets, its `items` in the program under their names."""
        names = [part.id if isinstance(part, ast.Name) else "" for part in target.elts]
        if not any(names) or any(isinstance(part, ast.Starred) for part in target.elts):
            return value
        if isinstance(value, ast.Tuple | ast.List) and isinstance(source, ast.Tuple | ast.List):
            stars = any(isinstance(part, ast.Starred) for part in items)
            if len(items) == len(names) and not stars:
                pairs = zip(names, items, value.elts, strict=True)
                named = [self.named(v, name, item) if name else v for name, item, v in pairs]
                return self.changed(value, elts=named)
        return at(
            ast.Call(self.helper("names", source, tuple(names), self.depth), [value], []), source
        )

    def annassign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return node
        value = self.visit(node.value)
        if isinstance(node.target, ast.Name):
            value = self.named(value, node.target.id, node.value)
            return self.changed(node, value=value)
        assigned = ast.Assign([self.visit(node.target)], value)
        return at(assigned, node)

    def augassign(self, node: ast.AugAssign) -> ast.stmt:
        sign, target = SIGNS[type(node.op)], node.target
        is_simple = not any(isinstance(part, ast.Call) for part in ast.walk(node.value))
        value = self.stored(node.value, target)
        if isinstance(target, ast.Name):
            before = at(ast.Name(target.id, LOAD), target)
            result = self.call("in_place", node, [before, value], sign)
            named = at(
                ast.Call(self.helper("name", node, target.id, self.depth), [result], []), node
            )
            return at(ast.Assign([target], named), node)
        if isinstance(target, ast.Attribute) and self._is_direct(target):
            values = [loaded(target), value, again(target)]
            rest = self.mangled(target.attr), sign, is_simple
            stored = at(ast.Attribute(target.value, target.attr, STORE), node)
            return at(ast.Assign([stored], self.call("changed", node, values, *rest)), node)
        held: list[Any] = [self.visit(target.value)]
        if isinstance(target, ast.Subscript):
            held.append(self.visit(target.slice))
            kind, name = "item", name_of(target.value)
        else:
            kind, name = "store", self.mangled(target.attr)
        known = self.call(f"load_{kind}", target, held, name)
        return at(ast.Expr(self.call(f"change_{kind}", node, [known, value], name, sign)), node)

    def _is_direct(self, target: ast.expr) -> bool:
        """Whether a target is an attribute of a variable that Python itself reads and writes."""
        is_plain = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
        return is_plain and not self.watch.reads

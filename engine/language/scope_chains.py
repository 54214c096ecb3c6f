"""The calls and loops around a number, as the machine chains them and as drawings fold by them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.nn import Module
from engine.record.model import Scope
from engine.value import Value

from .origins import Origin


class ScopeChains:
    """The Scopes of one run, made when Values are drawn."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Scope]] = {}
        """Each Scope by the identity of its chain, which is kept with it."""

    def place(self, order: Sequence[Value]) -> None:
        """Give the Values of a drawing the Scopes of the calls and loops that they came from."""
        for value in order:
            origin: Origin = value.origin
            around = origin.scope
            if around is not None and not isinstance(around, Scope):
                value.origin = origin._replace(scope=self.of(around))

    def of(self, around: Any) -> Scope | None:
        """The Scope of the machine's chain of calls and loops, the same for the same chain."""
        if around is None:
            return None
        known = self._known.get(id(around))
        if known is None:
            kind, node, parent = around
            scope, is_call = self.of(parent), kind == "function"
            of = node[2] if is_call else None
            if of is None or scope is None or scope.of is not of:  # not forward in __call__
                title = _TITLES.get(kind, _network)(node, parent)
                scope = Scope(kind, title, scope, of, node[1] if is_call else None)
            known = self._known[id(around)] = around, scope
        return known[1]


_LOOPS: dict[type, str] = {ast.For: "for"}
_TITLES: dict[str, Any] = {
    "function": lambda at, around: f"{at[0]}(…), line {getattr(at[1], 'lineno', 1)}",
    "loop": lambda node, around: f"{_LOOPS.get(type(node), 'while')}, line {node.lineno}",
    "iteration": lambda turn, around: f"turn {turn}, line {around[1].lineno}",
}
"""The title of each kind of scope but those of networks."""


def _network(module: Module, around: Any) -> str:
    return type(module).__name__ + (f" {module.name}" if module.name else "")

"""The calls and loops around a number, as a run chains them and as drawings fold by them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.value import Value

from .entered import Entered
from .live_numbers import Origin
from .model import Scope
from .places import Places


class ScopeChains:
    """The Scopes of one run, made when Values are drawn.

    A link of a chain is (kind, what, around): of a loop its node, of a turn its number, of a
    network the network, of a call its function, and more: see `entered.Entered`.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: dict[int, tuple[Any, Scope | None]] = {}
        """Each Scope by the identity of its chain, which is kept with it."""

    def place(self, order: Sequence[Value]) -> None:
        """Give the Values of a drawing the Scopes of the calls and loops that they came from."""
        for value in order:
            origin: Origin = value.origin
            around = origin.scope
            if around is not None and not isinstance(around, Scope):
                value.origin = origin._replace(scope=self.of(around))

    def of(self, around: Any) -> Scope | None:
        """The Scope of a chain of calls and loops, the same for the same chain."""
        links = []
        while around is not None and id(around) not in self._known:
            links.append(around)
            around = around[2]
        scope = None if around is None else self._known[id(around)][1]
        for link in reversed(links):  # a chain may be longer than Python nests calls
            scope = self._made(link, scope)
            self._known[id(link)] = link, scope
        return scope

    def _made(self, link: Any, scope: Scope | None) -> Scope | None:
        kind, what, rest = link[:3]
        if kind == "function":
            return self._of_call(Entered(*link), scope)
        if kind == "loop":
            title = f"{_LOOPS.get(type(what), 'while')}, line {what.lineno}"
        elif kind == "iteration":
            title = f"turn {what}, line {rest[1].lineno}"
        else:
            title = type(what).__name__ + (f" {what.name}" if what.name else "")
        return Scope(kind, title, scope)

    def _of_call(self, call: Entered, scope: Scope | None) -> Scope | None:
        of = call.first if call.function.is_pass else None
        if of is not None and scope is not None and scope.of is of:
            return scope  # forward in __call__
        node = self._places.node_of(call.caller, call.at)
        title = f"{call.function.name}(…), line {getattr(node, 'lineno', 1)}"
        return Scope("function", title, scope, of, node)


_LOOPS: dict[type, str] = {ast.For: "for"}

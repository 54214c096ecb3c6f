"""The plain numbers of a run that computes gradients by hand, and their names: `dw += (p - y)*x`.

They are kept as operations on arrays of the shape (), so that one code judges both. What computed a
followed number it knows itself: only the names are noted while the program runs.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from engine.real import as_float

from .array_model import ArrayName, ArrayNode, ArrayPass
from .follow import FOLLOWED
from .watching import Reached

NAMES = 2_000
NODES = 2_000
"""Bounds of what is kept."""


class _Named(NamedTuple):
    """A name that a number was given when the run had computed `made` numbers."""

    name: str
    number: Any
    node: ast.AST
    owner: int
    made: int


class NumberTape:
    """The named numbers of one run, and what they were computed from."""

    passes: Sequence[ArrayPass] = ()
    holders = (dict, list)
    """What gives names to the numbers in it."""

    def __init__(self, machine: Any, enough: int = 0) -> None:
        self.machine, self.enough = machine, enough
        self.named: list[_Named] = []
        self.owners: list[Any] = []
        self.is_full = False

    def takes(self, x: Any) -> bool:
        """Whether a name of `x` is noted."""
        return type(x) in FOLLOWED

    def has_name(self, x: Any) -> bool:
        """A number may have several: `w` and `model["w"]`."""
        return False

    def alias(self, new: Any, old: Any) -> None:
        """Nothing: a followed number is known by what computed it."""

    def name(self, x: Any, name: str, node: ast.AST, owner: Any = None) -> None:
        """Note that a number has a name now, as a variable or in a list or dict.

        Raises Reached when there are enough.
        """
        if self.enough and len(self.named) >= self.enough:
            raise Reached
        if len(self.named) >= NAMES:
            self.is_full = True
        elif self.takes(x):
            made = self.machine.tape.made
            self.named.append(_Named(name, x, node, self._owner(owner), made))

    def _owner(self, owner: Any) -> int:
        if owner is None:
            return 0
        known = next((i for i, x in enumerate(self.owners, 1) if x is owner), 0)
        if not known:
            self.owners.append(owner)
        return known or len(self.owners)

    def variable(self, owner: int) -> str:
        """The variable of the module that holds a list or dict: names have it already."""
        return ""

    @cached_property
    def _order(self) -> list[Any]:
        """The named numbers and all that they were computed from, in the order computed."""
        seen: dict[int, Any] = {}
        todo = [it.number for it in self.named]
        while todo:
            x = todo.pop()
            if id(x) not in seen:
                seen[id(x)] = x
                todo += [arg for arg in x.args if type(arg) in FOLLOWED]
        found = sorted(seen.values(), key=attrgetter("serial"))
        self.is_full = self.is_full or len(found) > NODES
        return found[:NODES]

    @cached_property
    def _built(self) -> tuple[list[ArrayNode], dict[int, int], list[int]]:
        """The nodes, the place of each number by its identity, and the places in the order."""
        nodes: list[ArrayNode] = []
        places: dict[int, int] = {}
        for x in self._order:
            args = []
            for arg in x.args:
                if id(arg) not in places:
                    nodes.append(self._node(arg, None, (), x, is_constant=True))
                args.append(places.get(id(arg), len(nodes) - 1))
            op = None if x.op is None else x.op.name
            nodes.append(self._node(x, op, tuple(args), x))
            places[id(x)] = len(nodes) - 1
        return nodes, places, [places[id(x)] for x in self._order]

    def _node(
        self, x: Any, op: str | None, args: tuple[int, ...], at: Any, *, is_constant: bool = False
    ) -> ArrayNode:
        number = as_float(x.data if hasattr(x, "data") else x)
        scope = self.machine.tape.scopes.of(at.scope)
        return ArrayNode(op, args, {}, (), "float64", (number,), is_constant, at.node, scope)

    @property
    def nodes(self) -> list[ArrayNode]:
        return self._built[0]

    @property
    def names(self) -> list[ArrayName]:
        """The names of the numbers that are kept."""
        _, places, at = self._built
        serials = [x.serial for x in self._order]
        found = []
        for it in self.named:
            if id(it.number) in places:
                last = bisect_left(serials, it.made)
                count = at[last - 1] + 1 if last else 0
                place = places[id(it.number)]
                found.append(ArrayName(it.name, place, count, it.node, it.owner))
        return found

    def number(self, place: int) -> Any:
        """The followed number of a node."""
        _, places, _ = self._built
        return next((x for x in self._order if places[id(x)] == place), None)

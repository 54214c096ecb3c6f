"""The walk over a program's tree: what is looked for, how helpers are named, what stays."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from operator import is_
from typing import Any, ClassVar, NamedTuple

from .effects import CallEffect
from .nodes import LOAD, Node, at

PREFIX = "_seegrad_"
"""How the names of the helpers begin."""
CALL = f"{PREFIX}call"
"""The local variable of a function that holds its entered call."""


class HelperSite(NamedTuple):
    """A helper of the rewritten tree: what it does, for which node of the program's own tree."""

    kind: str
    node: Any
    rest: tuple[Any, ...] = ()


class Watch(NamedTuple):
    """What a rewriting looks for beside operations: names of attributes, functions and methods.

    `stores` are attributes whose assignments are recorded, `passes` methods that may run a backward
    pass, `draws` functions that draw. With `reads` every attribute is read by a helper, as the
    stand-ins for libraries need it, and every function is called by one. What functions return is
    told for a run that is `judged`. Without `yields` no function is a
    generator. Calls of `classes` make nothing but their objects. With `arrays` items are read by a
    helper, too. Functions without an entry in `effects` may do anything. Where gradients are
    `is_keyed`, beside the objects, a pass may take more than the output.
    """

    stores: frozenset[str]
    passes: frozenset[str]
    draws: frozenset[str]
    reads: bool = False
    judged: bool = False
    yields: bool = True
    classes: frozenset[str] = frozenset()
    arrays: bool = False
    effects: Mapping[ast.AST, CallEffect] = {}
    is_keyed: bool = False


class TreeWalk:
    """One rewriting. A node in which nothing changes is taken over as it is."""

    methods: ClassVar[Mapping[type[ast.AST], Callable[[Any, Any], Any]]] = {}
    """What rewrites nodes of some type."""

    def __init__(self, watch: Watch, prefix: str) -> None:
        self.watch, self.prefix = watch, prefix
        self.sites: list[HelperSite] = []
        self.depth = 0
        """Functions around the node."""
        self.tells = False
        """Whether the function around the node tells what it returns."""
        self.effect = CallEffect.ANY
        """What the function around the node may do."""
        self._leave: list[ast.stmt] = []
        self._before: list[tuple[ast.AST, str, Any]] = []
        """What the tree held in place of what was changed."""
        self.owner = ""
        """The class around the node, by which Python mangles private names."""

    # New nodes

    def helper(self, kind: str, node: ast.AST, *rest: Any) -> ast.Name:
        """The name of a new helper for `node`."""
        self.sites.append(HelperSite(kind, node, rest))
        return at(ast.Name(f"{self.prefix}{len(self.sites) - 1}", LOAD), node)

    def call(
        self, kind: str, node: ast.AST, args: list[Any], *rest: Any, keywords: Any = ()
    ) -> ast.Call:
        """A call of a new helper in place of `node`."""
        return at(ast.Call(self.helper(kind, node, *rest), args, list(keywords)), node)

    def mangled(self, name: str) -> str:
        """The attribute that a name stands for in the class around it."""
        is_private = name.startswith("__") and not name.endswith("__")
        owner = self.owner.lstrip("_")
        return f"_{owner}{name}" if is_private and owner else name

    def changed(self, node: Node, **parts: Any) -> Node:
        """`node` with other parts, until `restore` is called: copies take longer than all else."""
        for name, part in parts.items():
            self._before.append((node, name, getattr(node, name)))
            setattr(node, name, part)
        return node

    def restore(self) -> None:
        """Give the tree its parts back."""
        for node, name, part in reversed(self._before):
            setattr(node, name, part)
        self._before.clear()

    # Walking

    def visit(self, node: Any) -> Any:
        method = self.methods.get(type(node))
        return method(self, node) if method else self.inside(node)

    def inside(self, node: Node) -> Node:
        """`node` with its parts rewritten."""
        changed = {}
        for name in _PARTS[type(node)]:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                new: Any = self.visit(part)
                if new is not part:
                    changed[name] = new
            elif part and isinstance(part, list):
                new = self.items(part)
                if new is not part:
                    changed[name] = new
        return self.changed(node, **changed) if changed else node

    def items(self, part: list[Any]) -> list[Any]:
        """A list of parts rewritten; the list itself if nothing changes."""
        if isinstance(part[0], ast.stmt):
            new: list[Any] = self.body(part)
        else:
            new = [self.visit(x) if isinstance(x, ast.AST) else x for x in part]
        return part if len(new) == len(part) and all(map(is_, new, part)) else new

    def all(self, nodes: Iterable[Any]) -> list[Any]:
        return [self.visit(node) for node in nodes]

    def body(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found


class _Parts(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each type of node that may hold other nodes to rewrite."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        found = self[kind] = tuple([name for name in kind._fields if name not in _NO_PARTS])
        return found


_NO_PARTS = frozenset({"ctx", "op", "ops", "id", "arg", "attr", "name", "asname", "type_comment"})
_PARTS = _Parts()

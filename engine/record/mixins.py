"""Classes of a program that stand beside a native base: `class E(Mixin, ValueError)`.

The slots of `Thing` and the layout of a native object do not fit into one. Such a class is found
before the run, by its name in the definitions, and made without the slots.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Mapping

_NATIVE = frozenset({
    "int", "float", "str", "list", "dict", "tuple", "set",
    "Value", "Module", "Neuron", "Layer", "MLP",
}) | {
    name for name, x in vars(builtins).items() if isinstance(x, type) and issubclass(x, Exception)
}  # fmt: skip
"""The names of the bases of Python's and of ours that take a mixin."""


def mixins_of(definitions: Iterable[ast.ClassDef]) -> frozenset[str]:
    """The names of classes beside a native base, and of those that these derive from."""
    bases: defaultdict[str, set[str]] = defaultdict(set)
    for node in definitions:
        bases[node.name] |= {base.id for base in node.bases if isinstance(base, ast.Name)}
    if not bases:
        return frozenset()
    derived: defaultdict[str, set[str]] = defaultdict(set)
    for name, of in bases.items():
        for base in of:
            derived[base].add(name)
    native = _reached(_NATIVE - bases.keys(), derived)
    beside = {base for name in native & bases.keys() for base in bases[name]} - native
    return frozenset(_reached(beside, bases) & bases.keys())


def _reached(starts: Iterable[str], steps: Mapping[str, set[str]]) -> set[str]:
    """All names that the steps lead to, the starts included."""
    found, todo = set(starts), list(starts)
    while todo:
        new = steps.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found

"""The arguments of a call: how functions of programs read them, each item counted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from .objects import (
    Arguments,
    Keywords,
)
from .tape import Refused

if TYPE_CHECKING:
    from .expressions import Expressions


Builtin: TypeAlias = "Callable[[Expressions, Arguments, Keywords, ast.Call], Any]"


def spend_items(run: Expressions, value: Any, node: ast.Call) -> list[Any]:
    """The items of a list, range or tuple as a list, each counted."""
    out = []
    for item in run.items(value, node):
        run.tape.spend(node)
        out.append(item)
        run.check_length(len(out), node)
    return out


def only(args: Arguments, node: ast.Call, name: str) -> Any:
    if len(args) != 1:
        raise Refused(node, f"{name} takes 1 argument, not {len(args)}.", "Give it one.")
    return args[0]

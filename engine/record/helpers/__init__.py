"""The helpers that a rewritten program calls: one entry for each kind of site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrays import index, watching
from .calls import call, draw, enter, leave, leave_with, mark, passing, result
from .conversions import convert
from .loops import end_loop, loop, turn, turns
from .names import adopt, name, names, show
from .operations import binary, comparison, identity, in_place, negation, part, plus
from .targets import (
    Item,
    Store,
    change_item,
    change_store,
    changed,
    given,
    load_item,
    load_store,
    own_read,
    read,
)
from .unrecorded import BESIDE_STAND_INS, OF_OBJECTS, UNRECORDED

__all__ = ["BESIDE_STAND_INS", "FACTORIES", "OF_OBJECTS", "OF_WITNESS", "UNRECORDED", "watching"]
OF_WITNESS = frozenset({"binary", "part", "changed", "enter", "result", "mark"})
"""Kinds of sites whose helpers do less where no witness watches."""
FACTORIES: dict[str, Callable[..., Any]] = {
    "binary": binary, "part": part, "in_place": in_place, "negation": negation, "plus": plus,
    "comparison": comparison, "identity": identity, "name": name, "names": names, "store": Store,
    "given": given,
    "item": Item, "index": index,
    "load_store": load_store, "load_item": load_item, "change_store": change_store,
    "changed": changed,
    "change_item": change_item, "read": read, "own_read": own_read, "enter": enter, "leave": leave,
    "leave_with": leave_with, "mark": mark, "result": result, "call": call, "passing": passing,
    "draw": draw,
    "convert": convert, "turns": turns, "loop": loop, "turn": turn, "end_loop": end_loop,
    "show": show, "adopt": adopt,
}  # fmt: skip
"""What makes the helper of each kind of site: `f(m, node, …)`."""

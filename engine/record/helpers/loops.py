"""Loops of a program: each turn is a scope that a drawing can fold."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from .operations import Helper


def turns(m: Any, node: ast.For) -> Helper:
    """The items of a `for` loop, each turn a scope that a drawing can fold."""

    tape = m.tape

    def each(items: Iterable[Any]) -> Iterator[Any]:
        items, around = iter(items), m.scope
        held = ("loop", node, around)
        turn = 0
        try:
            for item in items:
                turn += 1
                m.scope = ("iteration", turn, held)
                if tape.made > m.most:
                    m.stop_recording(node)
                    yield item
                    break
                yield item
        finally:
            m.scope = around
        if m.is_stopped:
            yield from items

    return each


class _Loop:
    """A `while` loop under way."""

    __slots__ = ("around", "held", "turn")
    around: Any
    held: Any
    turn: int


def loop(m: Any, node: ast.While) -> Helper:
    """The beginning of a `while` loop."""

    def begin() -> _Loop:
        found = _Loop()
        found.around, found.turn = m.scope, 0
        found.held = ("loop", node, found.around)
        return found

    return begin


def turn(m: Any, node: ast.AST) -> Helper:
    """A turn of a `while` loop."""

    def begin(held: _Loop) -> None:
        if m.tape.made > m.most:
            m.stop_recording(node)
        held.turn += 1
        m.scope = ("iteration", held.turn, held.held)

    return begin


def end_loop(m: Any, node: ast.AST) -> Helper:
    """The end of a `while` loop."""

    def end(held: _Loop) -> None:
        m.scope = held.around

    return end

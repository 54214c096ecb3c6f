"""Cutting a loop nest into tiles whose sums stay in registers.

WebAssembly's SIMD compiles to 16 vector registers on x86-64. A tile of a × b sums takes a × b of
them, and in each turn a + b more for what is loaded, for a × b multiply-adds: the larger, the
fewer loads. Which is best depends on how well it divides the loops, so all are tried against a
simple cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

REGISTERS = 15
_MAC, _LOAD, _TURN = 1.0, 0.5, 1.5  # about the cycles of a multiply-add, a load, a loop's turn


@dataclass(frozen=True, slots=True)
class Piece:
    """`count` tiles of `width` from `start` on."""

    start: int
    count: int
    width: int


def pieces(length: int, width: int) -> list[Piece]:
    """`length` cut into tiles of `width` and one rest."""
    full, rest = divmod(length, width)
    found = [Piece(0, full, width)] if full else []
    return found + ([Piece(length - rest, 1, rest)] if rest else [])


@cache
def tile(rows: int, columns: int) -> tuple[int, int]:
    """The tile of rows × columns that makes a pass over `rows` × `columns` cheapest."""
    choices = [
        (a, b)
        for a in range(1, min(rows, 12) + 1)
        for b in range(1, min(columns, 12) + 1)
        if a * b + a + b <= REGISTERS
    ]
    return min(choices, key=lambda choice: (_cost(rows, columns, *choice), choice))


def _cost(rows: int, columns: int, a: int, b: int) -> float:
    return sum(
        p.count * q.count * (_MAC * p.width * q.width + _LOAD * (p.width + q.width) + _TURN)
        for p in pieces(rows, a)
        for q in pieces(columns, b)
    )

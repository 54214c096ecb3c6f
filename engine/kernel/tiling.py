"""Register tiling of a loop nest.

WebAssembly's SIMD compiles to 16 vector registers on x86-64. A tile of a × b accumulators occupies
a × b of them and loads a + b operands per iteration for a × b multiply-adds, so larger tiles load
less. As the remainders matter too, all sizes are compared under a simple cost model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

REGISTERS = 15
_MAC, _LOAD, _TURN = 1.0, 0.5, 1.5  # approximate cycles: multiply-add, load, loop overhead


@dataclass(frozen=True, slots=True)
class Piece:
    """`count` tiles of `width` from `start` on."""

    start: int
    count: int
    width: int


def pieces(length: int, width: int) -> list[Piece]:
    """Split `length` into tiles of `width` and a remainder."""
    full, rest = divmod(length, width)
    found = [Piece(0, full, width)] if full else []
    return found + ([Piece(length - rest, 1, rest)] if rest else [])


@cache
def tile(rows: int, columns: int) -> tuple[int, int]:
    """The tile (rows, columns) of least cost for a pass over `rows` × `columns`."""
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

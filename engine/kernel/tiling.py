"""Register tiling of a loop nest.

WebAssembly's SIMD compiles to 16 vector registers on x86-64. A tile of a × b accumulators occupies
a × b of them and loads a + b operands per iteration for a × b multiply-adds, so larger tiles load
less. As the remainders matter too, all sizes are compared under a simple cost model.

The wall: without fused multiply-add a multiply-add of two lanes is two instructions, and x86-64
processors of today finish three such in a cycle. The model's bound by arithmetic, 2/3 cycle for
each, is reached: 3 × 3, 4 × 2, 2 × 4 and 2 × 3 were measured at 0.68. Cheaper passes would need
fewer multiply-adds or wider lanes, which WebAssembly does not have.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.caches import cached

REGISTERS = 15
_PORTS, _ISSUED = 3, 6  # additions and multiplications, and instructions, of one cycle
_STEPPING = 7  # instructions of a loop besides loads and arithmetic
_BEGIN = 10.0  # cycles of a tile before and after its loop


@dataclass(frozen=True, slots=True)
class Tiles:
    """`count` tiles of `width` from `start` on."""

    start: int
    count: int
    width: int


def pieces(length: int, width: int) -> list[Tiles]:
    """Split `length` into tiles of `width` and a remainder."""
    full, rest = divmod(length, width)
    found = [Tiles(0, full, width)] if full else []
    return found + ([Tiles(length - rest, 1, rest)] if rest else [])


@cached("tiles of products")
def tile(rows: int, columns: int, turns: int) -> tuple[int, int]:
    """The tile (rows, columns) of least cost for a pass over `rows` × `columns`.

    `turns` is the length of its inner loop.
    """
    choices = [
        (a, b)
        for a in range(1, min(rows, 12) + 1)
        for b in range(1, min(columns, 12) + 1)
        if a * b + a + b <= REGISTERS
    ]
    return min(choices, key=lambda choice: (_cost(rows, columns, turns, *choice), choice))


def _cost(rows: int, columns: int, turns: int, a: int, b: int) -> float:
    return sum(
        p.count * q.count * (_BEGIN + turns * _turn(p.width, q.width))
        for p in pieces(rows, a)
        for q in pieces(columns, b)
    )


def _turn(a: int, b: int) -> float:
    """Cycles of one iteration: bound by the adders and multipliers, or by what is issued."""
    return max(2 * a * b / _PORTS, (2 * a * b + a + b + _STEPPING) / _ISSUED)

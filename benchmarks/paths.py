"""The exact number of paths from every Value to the output, and the card of one Value.

The graph of 4,000 Values doubles its paths with every sum: the counts have over a thousand binary
digits. Counting takes one reverse sweep over the graph, as the gradients do.
"""

from __future__ import annotations

from time import perf_counter

from benchmarks.report import Goal, spread, table
from engine.trace.build import trace
from engine.trace.ledger import ledger
from engine.trace.paths import PathCounts, path_sum

ROUNDS = 15
VALUES = 4_000
DOUBLED = "x = Value(1.0)\ny = x\nfor i in range({}):\n    y = (y + y) * 0.5\ny.backward()"
COUNT = Goal(50)
CARD = Goal(30)


def run() -> str:
    """Measure the counts and the ledger with its paths; returns the table."""
    shown = trace(DOUBLED.format((VALUES - 1) // 3))  # a sum, a product and its constant per turn
    leaf = shown.nodes[0]
    counts, cards = [], []
    for _ in range(ROUNDS):
        began = perf_counter()
        found = PathCounts(shown)
        count = found.counts[leaf.id]
        halfway = perf_counter()
        ledger(shown, leaf)
        path_sum(shown, leaf, found)
        ended = perf_counter()
        counts.append(1000 * (halfway - began))
        cards.append(1000 * (ended - began))
    title = f"Paths: {len(shown.nodes):,} Values, {count.bit_length():,} binary digits"
    rows = [
        ("paths of every Value, ms", spread(counts), *COUNT.words(sorted(counts)[ROUNDS // 2])),
        ("with ledger and products, ms", spread(cards), *CARD.words(sorted(cards)[ROUNDS // 2])),
    ]
    return table(title, ("part", "median [least, most]", "goal (median)", ""), rows)


if __name__ == "__main__":
    print(run())

"""`engine.Value` against a micrograd-style scalar (`benchmarks.closures`): time and memory.

A graph has 10,000 operations, `+` and `*` only: a *chain* (alternating `x = x * a`, `x = x + b`) or
a *balanced tree* over 10,001 leaves. Building is the forward pass; `backward` includes the sort.

Every figure comes from a fresh process, and the two candidates alternate, so that neither inherits
the other's garbage, heap or caches. Each process builds and differentiates the graph once to warm
up and then REPEATS times; the previous graph is collected outside the timed section, as closures
create reference cycles. Garbage collection during the timed section is included. A process reports
its minimum, the least disturbed repetition; the table shows medians over processes and of the
ratios of adjacent pairs. Memory is measured by tracemalloc in separate processes, per Value of the
graph, leaves included.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks import closures
from benchmarks.report import NO_GOAL, Goal, spread, table
from engine.value import Value

ROOT = Path(__file__).resolve().parent.parent
OPERATIONS = 10_000
LONG = 1_000_000
ROUNDS = 9
REPEATS = 5
RATIO = Goal(0.5)
BYTES = Goal(200, " B")

KINDS: dict[str, type[Any]] = {"engine": Value, "closures": closures.Value}


def chain(kind: type[Any], operations: int) -> Any:
    """A chain: each Value combines its predecessor and a leaf."""
    a, b, x = kind(0.999), kind(0.001), kind(1.0)
    for _ in range(operations // 2):
        x = x * a
        x = x + b
    return x


def tree(kind: type[Any], operations: int) -> Any:
    """A balanced binary tree with alternating levels of sums and products."""
    level = [kind(1.0 + i / operations) for i in range(operations + 1)]
    adding = False
    while len(level) > 1:
        adding = not adding
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [a + b if adding else a * b for a, b in pairs]
        level = above + level[2 * len(above) :]
    return level[0]


SHAPES: dict[str, Callable[[type[Any], int], Any]] = {"chain": chain, "tree": tree}


def values(shape: str, operations: int = OPERATIONS) -> int:
    """The number of Values of the graph, leaves included."""
    return operations + (3 if shape == "chain" else operations + 1)


# In a fresh process


def time_one(kind: str, shape: str) -> dict[str, float]:
    """Seconds to build and to differentiate."""
    make, value = SHAPES[shape], KINDS[kind]
    built, backward, both = [], [], []
    for _ in range(REPEATS + 1):
        gc.collect()
        began = perf_counter()
        output = make(value, OPERATIONS)
        halfway = perf_counter()
        output.backward()
        ended = perf_counter()
        built.append(halfway - began)
        backward.append(ended - halfway)
        both.append(ended - began)
        del output
    return {"build": min(built[1:]), "backward": min(backward[1:]), "sum": min(both[1:])}


def weigh(kind: str, shape: str) -> dict[str, float]:
    """Bytes per Value: the graph, the graph with gradients, the peak during `backward`."""
    SHAPES[shape](KINDS[kind], 10).backward()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    output = SHAPES[shape](KINDS[kind], OPERATIONS)
    gc.collect()
    graph = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    output.backward()
    peak = tracemalloc.get_traced_memory()[1]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    count = values(shape)
    return {
        "graph": (graph - before) / count,
        "with gradients": (after - before) / count,
        "peak": (peak - before) / count,
    }


def long_chain() -> dict[str, float]:
    """Seconds for LONG additions and their backward pass, with the default recursion limit."""
    a, x = Value(1e-6), Value(0.0)
    began = perf_counter()
    for _ in range(LONG):
        x = x + a
    halfway = perf_counter()
    x.backward()
    ended = perf_counter()
    assert a.grad == LONG
    return {"build": halfway - began, "backward": ended - halfway}


def _measure(what: str, kind: str, shape: str) -> dict[str, float]:
    if what == "long":
        return long_chain()
    sys.setrecursionlimit(10 * OPERATIONS)  # for the baseline
    return time_one(kind, shape) if what == "time" else weigh(kind, shape)


# Together


def _apart(what: str, kind: str = "", shape: str = "") -> dict[str, float]:
    """The measurements of a fresh process."""
    command = [sys.executable, "-m", "benchmarks.scalar", what, kind, shape]
    answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def _times(shape: str) -> Iterator[Sequence[str]]:
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_apart("time", "engine", shape))
        theirs.append(_apart("time", "closures", shape))
    for part in ("build", "backward", "sum"):
        a, b = ([run[part] for run in runs] for runs in (ours, theirs))
        ratios = [x / y for x, y in zip(a, b, strict=True)]
        nanoseconds = [
            spread([x * 1e9 / values(shape) for x in times], digits=0) for times in (a, b)
        ]
        yield f"{shape}, {part}", *nanoseconds, spread(ratios), *RATIO.words(median(ratios))


def _bytes(shape: str) -> Iterator[Sequence[str]]:
    ours, theirs = _apart("memory", "engine", shape), _apart("memory", "closures", shape)
    for part, x in ours.items():
        goal = BYTES.words(x) if part == "with gradients" else NO_GOAL
        yield f"{shape}, {part}", f"{x:.0f}", f"{theirs[part]:.0f}", *goal


def run() -> str:
    """Run all measurements; returns the tables."""
    long = [_apart("long") for _ in range(3)]
    return "\n".join(
        (
            table(
                f"Scalar engine: nanoseconds per Value, {OPERATIONS:,} operations, {ROUNDS} rounds",
                ("shape, part", "engine", "closures", "engine / closures", "goal", ""),
                [row for shape in SHAPES for row in _times(shape)],
            ),
            table(
                "Scalar engine: bytes per Value",
                ("shape, state", "engine", "closures", "goal", ""),
                [row for shape in SHAPES for row in _bytes(shape)],
            ),
            table(
                f"Scalar engine: a chain of {LONG:,} additions, seconds",
                ("part", "engine"),
                [(part, spread([run[part] for run in long])) for part in ("build", "backward")],
            ),
        )
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(_measure(*sys.argv[1:])))
    else:
        print(run())

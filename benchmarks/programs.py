"""Programs to measure with: of a given size, and as many of different structure as are wanted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

SEVEN = "a = {x!r}\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
"""The page's first example: seven Values."""


def seven(x: float = 2.0) -> str:
    """The first example with another number in its text: the same structure."""
    return SEVEN.format(x=x)


def sevens() -> Iterator[str]:
    """96 programs, each the first example with its args in another order.

    They have its four leaves, its three operations in its arrangement, and so its work; but no two
    have the same edges, and the server has neither their text nor their layout in a cache.
    """
    for p, q, r, s in permutations("abcf"):
        for inner in (f"{p}*{q} + {r}", f"{r} + {p}*{q}"):
            for outer in (f"({inner}) * {s}", f"{s} * ({inner})"):
                yield f"a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = {outer}"


LEAVES = 40
OPERATIONS = 60


def hundred(seed: int, x: float = 0.5) -> str:
    """A program of 100 named Values, wired at random: 40 leaves and 60 operations.

    39 operations take two of the results not yet used; the other 21 are `tanh`, or use a leaf
    again. Another seed is another structure, another `x` only another number in the text.
    """
    chance = random.Random(seed)
    leaves = [f"x{i}" for i in range(LEAVES)]
    lines = [f"{name} = {chance.uniform(-1, 1):.3f}" for name in leaves[1:]]
    lines.insert(0, f"{leaves[0]} = {x!r}")
    kinds = ["join"] * (LEAVES - 1) + ["again", "tanh"] * (OPERATIONS - LEAVES + 1)
    kinds = kinds[:OPERATIONS]
    chance.shuffle(kinds)
    free = chance.sample(leaves, LEAVES)
    for i, kind in enumerate(kinds):
        one = free.pop(chance.randrange(len(free)))
        if kind == "tanh":
            text = f"{one}.tanh()"
        else:
            second = chance.randrange(len(free)) if kind == "join" else -1
            other = free.pop(second) if kind == "join" else chance.choice(leaves)
            text = f"{one} {chance.choice('+-*')} {other}"
        lines.append(f"v{i} = {text}")
        free.append(f"v{i}")
    return "\n".join(lines)


def network(seed: int = 1, x: float = 2.0) -> str:
    """One neuron layer after the other on one sample: MLP(2, [4, 4, 1]), 104 Values."""
    return f"random.seed({seed})\nn = MLP(2, [4, 4, 1])\nx1 = {x!r}\nx2 = 3.0\nL = n([x1, x2])"


THREE_SAMPLES = """
random.seed(1)
n = MLP(3, [4, 4, 1])
xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0]]
ys = [1.0, -1.0, -1.0]
loss = sum((n(x) - y)**2 for x, y in zip(xs, ys))
loss.backward()
""".strip()
"""An MLP of 41 parameters on three samples: about 300 Values."""

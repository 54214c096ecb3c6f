"""Generators of benchmark programs with given sizes and distinct structures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

SEVEN = "a = {x!r}\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
"""The page's default example: seven Values."""


def seven(x: float = 2.0) -> str:
    """The default example with another number and the same structure."""
    return SEVEN.format(x=x)


def sevens() -> Iterator[str]:
    """96 permutations of the default example's args.

    All take the same work, with four leaves and three operations, but no two have the same edges,
    so that the server has neither their text nor their layout cached.
    """
    for p, q, r, s in permutations("abcf"):
        for inner in (f"{p}*{q} + {r}", f"{r} + {p}*{q}"):
            for outer in (f"({inner}) * {s}", f"{s} * ({inner})"):
                yield f"a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = {outer}"


LEAVES = 40
OPERATIONS = 60


def hundred(seed: int, x: float = 0.5) -> str:
    """A random program of 100 named Values: 40 leaves and 60 operations.

    39 operations take two results not yet used; the other 21 are `tanh` or reuse a leaf. `seed`
    determines the structure, `x` only a number.
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
    """MLP(2, [4, 4, 1]) on one sample: 104 Values."""
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

"""The functions of random numbers, which start from the same seed in every run."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .arguments import Builtin, only, spend_items
from .objects import (
    LETTERS,
    Arguments,
    Keywords,
    bare,
    plain_number,
)
from .tape import Refused

if TYPE_CHECKING:
    from .expressions import Expressions


def _seed(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> None:
    seed = bare(args[0]) if args else None
    if isinstance(seed, str):
        run.tape.spend(node, 1 + len(seed) // LETTERS)
    else:
        seed = 0 if seed is None else plain_number(seed, node)
        if not math.isfinite(seed):
            raise Refused(node, f"A seed is finite, not {seed}.", "Write random.seed(42).")
    run.rng.seed(seed)


def _drawn(draw: Callable[..., Any], count: int) -> Builtin:
    def random_number(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
        if len(args) != count:
            raise Refused(
                node,
                f"This takes {count} numbers, not {len(args)}.",
                "Write random.uniform(-1, 1).",
            )
        return draw(run, *[run.tape.number(plain_number(arg, node), node).data for arg in args])

    return random_number


def _randint(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> int:
    if len(args) != 2:
        raise Refused(node, f"randint takes 2 numbers, not {len(args)}.", "Write randint(1, 6).")
    first, last = sorted(run.whole(arg, node) for arg in args)
    return run.rng.randint(first, last)


def _choice(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
    items = spend_items(run, only(args, node, "choice"), node)
    if not items:
        raise Refused(node, "The list is empty.", "Give choice a list with items.")
    return items[run.rng.randrange(len(items))]


RANDOM: dict[str, Builtin] = {
    "seed": _seed,
    "random": _drawn(lambda run: run.rng.random(), 0),
    "uniform": _drawn(lambda run, a, b: run.rng.uniform(a, b), 2),
    "gauss": _drawn(lambda run, mean, deviation: run.rng.gauss(mean, deviation), 2),
    "normal": _drawn(lambda run, mean, deviation: run.rng.gauss(mean, deviation), 2),
    "randint": _randint,
    "choice": _choice,
}
"""Random numbers, from Python's own generator, which starts from the seed 0 in every run."""

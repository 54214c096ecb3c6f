"""Fresh exercises: programs of chosen difficulty from a seed, with numbers that are easy by hand.

The same difficulty and seed give the same program for ever. Leaves are small whole numbers, from
level 4 on with one decimal; up to level 4 all data and gradients have few digits, at level 5 they
pass through tanh and are to be given to three digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.caches import cached
from engine.numbers import plain
from engine.ops import OPS
from engine.reverse import NUMBERS, sweep

from .random_choices import Choices

ATTEMPTS = 400
"""Programs that are tried until one is easy by hand."""


class Level(NamedTuple):
    """A difficulty: what it adds in words, the number of operations, and which there are.

    With `reuse` some Value is used twice; `decimals` is the percentage of leaves that have one.
    `needs` are operations of which at least one is in the program.
    """

    words: str
    operations: int
    among: tuple[str, ...]
    needs: frozenset[str] = frozenset()
    reuse: bool = False
    decimals: int = 0


LEVELS: Mapping[int, Level] = {
    1: Level("+ and ×, two operations", 2, ("+", "*"), frozenset({"*"})),
    2: Level("+, − and ×, three operations", 3, ("+", "-", "*", "*"), frozenset({"*"})),
    3: Level(
        "a Value that is used twice, squares",
        4,
        ("+", "-", "*", "*", "square"),
        frozenset({"*"}),
        reuse=True,
    ),
    4: Level(
        "five operations with ÷ or relu, decimals",
        5,
        ("+", "-", "*", "*", "/", "relu"),
        frozenset({"/", "relu"}),
        reuse=True,
        decimals=35,
    ),
    5: Level(
        "tanh around and inside of other operations",
        6,
        ("+", "*", "*", "-", "tanh", "tanh"),
        frozenset({"tanh"}),
        reuse=True,
        decimals=50,
    ),
}
MOST_SEED = 999_999_999
LEAVES = "abcdfghk"
RESULTS = "pqrstuvw"
OUTPUT = "L"
_UNARY = {"square", "relu", "tanh"}
_LARGEST = 60.0
_SMALLEST = 0.02  # of what passes through tanh


class Statement(NamedTuple):
    """One statement: its name, its operation and its inputs by name."""

    name: str
    op: str
    args: tuple[str, ...]


class Fresh(NamedTuple):
    """A generated exercise: its program, its leaves and its statements."""

    program: str
    leaves: Mapping[str, float]
    steps: tuple[Statement, ...]


@cached("fresh exercises")
def fresh(difficulty: int, seed: int) -> Fresh:
    """The exercise of a difficulty and a seed. Raises ValueError outside of their ranges."""
    if difficulty not in LEVELS or not 0 <= seed <= MOST_SEED:
        raise ValueError(f"There is no exercise of difficulty {difficulty} with the seed {seed}.")
    level = LEVELS[difficulty]
    for attempt in range(ATTEMPTS):
        choices = Choices(f"exercise 1:{difficulty}:{seed}:{attempt}")
        found = _drawn(level, choices)
        if found is not None and _is_easy(level, found):
            return found
    raise AssertionError(f"no easy program of difficulty {difficulty} for the seed {seed}")


def _drawn(level: Level, choices: Choices) -> Fresh | None:
    """A random program of a level; None if it lacks what the level asks for."""
    waiting: list[str] = []
    leaves: dict[str, float] = {}
    steps: list[Statement] = []
    uses: dict[str, int] = {}

    def leaf() -> str:
        name = LEAVES[len(leaves)]
        leaves[name] = _number(level, choices)
        return name

    for at in range(level.operations):
        left = level.operations - at
        op = choices.one(level.among)
        if len(waiting) >= left and op in _UNARY:
            op = choices.one([it for it in level.among if it not in _UNARY])
        args = _inputs(op, waiting, [*leaves, *(step.name for step in steps)], level, choices, left)
        chosen = tuple(leaf() if arg is None else arg for arg in args)
        name = OUTPUT if left == 1 else RESULTS[at]
        for arg in chosen:
            uses[arg] = uses.get(arg, 0) + 1
        waiting = [it for it in waiting if it not in chosen] + [name]
        steps.append(Statement(name, op, chosen))
    is_reused = any(count > 1 for count in uses.values())
    has_needed = not level.needs.isdisjoint(step.op for step in steps)
    if len(waiting) > 1 or is_reused != level.reuse or not has_needed or len(leaves) < 2:
        return None
    return Fresh(_text(leaves, steps), leaves, tuple(steps))


def _inputs(
    op: str, waiting: list[str], made: list[str], level: Level, choices: Choices, left: int
) -> list[str | None]:
    """The inputs of an operation: results that wait for a use first; None is a new leaf."""
    free = list(waiting)
    found: list[str | None] = []
    for _ in range(1 if op in _UNARY else 2):
        must_take = len(free) >= left
        others = [name for name in made if name not in found]
        if free and (must_take or not found or choices.chance(35)):
            found.append(free.pop(choices.below(len(free))))
        elif level.reuse and others and choices.chance(35):
            found.append(choices.one(others))
        else:
            found.append(None)
    if op not in _UNARY and choices.chance(40):
        found.reverse()
    return found


def _number(level: Level, choices: Choices) -> float:
    if choices.chance(level.decimals):
        return choices.one((-1.5, -0.5, 0.5, 1.5, 2.5, -2.5, 0.2, 0.4))
    return float(choices.one((-4, -3, -2, -1, 2, 3, 4, 5)))


def _text(leaves: Mapping[str, float], steps: list[Statement]) -> str:
    lines = [f"{name} = {_literal(x)}" for name, x in leaves.items()]
    lines += [f"{step.name} = {_expression(step)}" for step in steps]
    return "\n".join(lines)


def _literal(x: float) -> str:
    text = plain(x)
    return text if "." in text else f"{text}.0"


def _expression(step: Statement) -> str:
    if step.op == "square":
        return f"{step.args[0]}**2"
    if step.op in _UNARY:
        return f"{step.op}({step.args[0]})"
    sign = step.op if step.op in "*/" else f" {step.op} "
    return sign.join(step.args)


# Numbers that are easy by hand


def _is_easy(level: Level, found: Fresh) -> bool:
    data = _forward(found)
    if data is None:
        return False
    grads = _backward(found, data)
    numbers = [*data.values(), *grads.values()]
    if any(not math.isfinite(x) or not _SMALLEST <= abs(x) <= _LARGEST for x in numbers):
        return False
    if len({abs(x) for x in found.leaves.values()}) < len(found.leaves):
        return False  # with equal inputs, a mix-up of the two is not seen
    if "tanh" in level.needs:
        return all(0.1 <= abs(data[step.args[0]]) <= 2 for step in found.steps if step.op == "tanh")
    return all(_has_few_digits(x) for x in numbers)


def _has_few_digits(x: float) -> bool:
    return abs(x - round(x, 2)) < 1e-9


def _table(op: str) -> str:
    return "**" if op == "square" else op


def _with_exponent(op: str, args: list[float]) -> list[float]:
    return [*args, 2.0] if op == "square" else args


def _forward(found: Fresh) -> dict[str, float] | None:
    data = dict(found.leaves)
    for step in found.steps:
        op = OPS[_table(step.op)]
        args = _with_exponent(step.op, [data[arg] for arg in step.args])
        if not op.in_domain(*args) or op.at_kink(*args):
            return None
        data[step.name] = float(op.compute(*args))
    return data


def _backward(found: Fresh, data: Mapping[str, float]) -> dict[str, float]:
    steps = {step.name: step for step in found.steps}

    def partials(name: str) -> Iterable[tuple[str, float]]:
        step = steps[name]
        args = _with_exponent(step.op, [data[arg] for arg in step.args])
        found = OPS[_table(step.op)].partials_at(data[name], *args)
        return zip(step.args, found, strict=False)  # a constant exponent is no arg

    grads = dict.fromkeys(data, 0.0) | {found.steps[-1].name: 1.0}
    return sweep(list(steps), partials, grads, NUMBERS)

"""Optimizers against their published recurrences and PyTorch's, schedules at their ends."""

from __future__ import annotations

import ast
import math

import pytest

from engine.formulas import FUNCTIONS
from engine.training.optim import (
    OPTIMIZERS,
    OPTIONS,
    SCHEDULED,
    SCHEDULES,
    OptimizerRule,
    Schedule,
    Updater,
    assignments,
    rate_of,
)
from tests.oracles.records import Oracle
from tests.support import references
from tests.support.each import for_each
from tests.support.references import DECAY, MOMENTUM

STEPS = 100
START = [1.5, -0.7, 0.2]
EACH = pytest.mark.parametrize("optimizer", OPTIMIZERS.values(), ids=OPTIMIZERS)
EACH_SCHEDULE = pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES)


def slopes(p: list[float], t: int) -> list[float]:
    """A gradient that depends on the place and the time: valleys of unequal width, with a wind."""
    x, y, z = p
    return [3 * x + y + math.sin(t), x + 0.5 * y, 40 * z - math.cos(3 * t)]


def rate_at(t: int) -> float:
    """A learning rate that falls."""
    return 0.01 / (1 + 0.02 * t)


def ours(optimizer: OptimizerRule) -> list[float]:
    """The parameters after STEPS steps."""
    updater = Updater(optimizer, len(START), MOMENTUM, DECAY)
    p = START
    for t in range(STEPS):
        p = updater.step(p, slopes(p, t), rate_at(t))
    return p


@EACH
def test_an_entry_says_what_it_is(optimizer: OptimizerRule) -> None:
    assert OPTIMIZERS[optimizer.name] is optimizer
    assert optimizer.help.endswith((".", ")."))
    assert optimizer.formula


@for_each("name", references.OPTIMIZERS)
def test_a_hundred_steps_follow_the_published_recurrence(name: str) -> None:
    step = references.OPTIMIZERS[name]
    histories: list[list[float]] = [[] for _ in START]
    p = START
    for t in range(STEPS):
        for history, g in zip(histories, slopes(p, t), strict=True):
            history.append(g)
        p = [step(x, h, rate_at(t)) for x, h in zip(p, histories, strict=True)]
    assert ours(OPTIMIZERS[name]) == pytest.approx(p, rel=1e-11)


@EACH
def test_a_hundred_steps_follow_pytorch(optimizer: OptimizerRule, oracle: Oracle) -> None:
    rates = [rate_at(t) for t in range(STEPS)]
    gusts = [[(7 * t % 11 - 5) / 4, (t % 3 - 1) * 0.125, 40 - t] for t in range(STEPS)]
    updater, p = Updater(optimizer, len(START), MOMENTUM, DECAY), START
    for gust, rate in zip(gusts, rates, strict=True):
        p = updater.step(p, gust, rate)
    right = oracle("torch_calculus.updates", optimizer.name, START, rates, gusts, MOMENTUM, DECAY)
    assert p == pytest.approx(right, rel=1e-11)


@pytest.mark.parametrize("name", ["adam", "adamw"])
def test_adam_s_first_step_has_the_size_of_the_rate(name: str) -> None:
    for g in (1e-3, -5.0, 1e6):
        (p,) = Updater(OPTIMIZERS[name], 1, weight_decay=0.0).step([0.0], [g], 0.1)
        assert p == pytest.approx(-math.copysign(0.1, g), rel=1e-4)


@EACH
def test_non_finite_numbers_do_not_raise(optimizer: OptimizerRule) -> None:
    updater = Updater(optimizer, 4)
    p = [1.0, 1.0, 1.0, 1.0]
    for _ in range(3):
        p = updater.step(p, [math.nan, math.inf, 1e308, 0.5], 1e4)
    assert math.isnan(p[0])
    assert not math.isfinite(p[1])
    assert math.isfinite(p[3])


@EACH
def test_parameters_have_numbers_of_their_own(optimizer: OptimizerRule) -> None:
    together = Updater(optimizer, 2)
    alone = Updater(optimizer, 1)
    p, q = [1.0, -1.0], [1.0]
    for _ in range(3):
        p, q = together.step(p, [0.5, -7.0], 0.1), alone.step(q, [0.5], 0.1)
    assert p[0] == q[0]


# The language of the rules


def names_in(expression: str) -> tuple[set[str], set[str]]:
    """The names and the functions of an expression; operators beyond + − × ÷ **2 fail."""
    names, functions = set(), set()
    for part in ast.walk(ast.parse(expression, mode="eval")):
        if isinstance(part, ast.Call):
            assert isinstance(part.func, ast.Name)
            functions.add(part.func.id)
        elif isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, ast.BinOp):
            assert isinstance(part.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow)
            if isinstance(part.op, ast.Pow):
                assert isinstance(part.right, ast.Constant)
                assert part.right.value == 2
    return names - functions, functions


@EACH
def test_rules_use_the_names_they_may(optimizer: OptimizerRule) -> None:
    scalars = {name for name, _ in optimizer.scalars}
    for target, expression in assignments(optimizer.before):
        assert target in scalars
        assert names_in(expression)[0] <= scalars | set(OPTIONS)
    own = {"p", *optimizer.state}
    targets = [target for target, _ in assignments(optimizer.update)]
    assert set(targets) == own
    assert targets[-1] == "p"
    for _, expression in assignments(optimizer.update):
        names, functions = names_in(expression)
        assert names <= own | {"g"} | scalars | set(OPTIONS)
        assert functions <= set(FUNCTIONS) - {"tan"}


# Schedules


@EACH_SCHEDULE
def test_a_schedule_is_an_expression_in_four_names(schedule: Schedule) -> None:
    assert SCHEDULES[schedule.name] is schedule
    assert schedule.help.endswith((".", ")."))
    names, functions = names_in(schedule.rate)
    assert names <= {*SCHEDULED, "pi"}
    assert functions <= set(FUNCTIONS) - {"tan"}


@for_each("name", references.SCHEDULES)
@for_each(("rate", "end", "steps"), [(1.0, 0.1, 100), (0.3, 0.07, 7), (0.1, 0.1, 1)])
def test_a_schedule_follows_its_definition(name: str, rate: float, end: float, steps: int) -> None:
    of = rate_of(SCHEDULES[name])
    for step in range(steps + 1):
        right = references.SCHEDULES[name](rate, end, step / steps)
        assert of(rate, end, step, steps) == pytest.approx(right, rel=1e-14)
    assert of(rate, end, 0, steps) == rate
    assert of(rate, end, steps, steps) in (rate, end)

"""Paths of leaves against those of PyTorch's optimizers, and the reasons for which they end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from engine.calculus.descent import Descent, DescentPath, UpdateRule, parameters
from engine.program import Program
from engine.trace.build import trace
from engine.training.optim import OPTIMIZERS
from tests.oracles.records import Oracle
from tests.support.each import for_each

VALLEY = "a = 2.0\nb = -1.5\nc = 0.5\nL = (a*b + math.tanh(c*a) - 1)**2 + b**2"


def path(
    text: str, keys: Sequence[str], rule: UpdateRule, most: int = 60_000, **leaves: float
) -> DescentPath:
    program = Program(f"import math\n{text}")
    shown = trace(program, leaves)
    by_key = {node.key: node.data for node in shown.nodes}
    start = [by_key[key] for key in keys]
    return Descent(program, leaves, shown, keys, most).path(start, rule)


@for_each("is_up", [False, True])
@for_each("name", OPTIMIZERS)
def test_every_optimizer_takes_the_path_of_pytorch(name: str, is_up: bool, oracle: Oracle) -> None:
    rate = 0.0005 if is_up else 0.01
    found = path(VALLEY, ["a", "b"], UpdateRule(name, rate, 25, is_up))
    right = oracle("torch_calculus.valley", name, rate, 25, is_up)
    for place, numbers in zip(found.places, right, strict=True):
        assert [*place.numbers, *place.gradient, place.output] == pytest.approx(numbers, rel=1e-9)
    assert [place.step for place in found.places] == list(range(26))
    assert (found.ended, found.other_at, found.is_cut) == ("", None, False)


def test_each_place_has_the_numbers_that_the_program_gives_there() -> None:
    found = path(VALLEY, ["a"], UpdateRule(rate=0.02, steps=8), c=0.75)
    for place in found.places:
        there = trace(f"import math\n{VALLEY}", {"a": place.numbers[0], "c": 0.75})
        assert place.output == there.nodes[-1].data
        assert place.gradient[0] == pytest.approx(there.nodes[0].grad, rel=1e-12)


def test_parabola_by_hand() -> None:
    """y = x²: each step multiplies x by 1 − 2·rate."""
    found = path("x = 3.0\ny = x**2", ["x"], UpdateRule(rate=0.25, steps=3))
    assert [place.numbers for place in found.places] == [(3.0,), (1.5,), (0.75,), (0.375,)]
    assert [place.gradient for place in found.places] == [(6.0,), (3.0,), (1.5,), (0.75,)]


@pytest.mark.usefixtures("sandboxed")
@for_each(
    ("text", "rate", "count", "says"),
    [
        ("x = Value(3.0)\ny = x.log()", 2.0, 4, "log(x) needs x > 0"),
        ("x = 3.0\ny = math.log(x)", 2.0, 4, "expected a positive input"),
        ("x = Value(3.0)\ny = x*x*x*x", 100.0, 4, "beyond the largest 64-bit float"),
        ("x = Value(1.0)\ny = sqrt(x)", 2.0, 2, "GRADIENT"),
        ("x = Value(3.0)\ny = x*1e300\n", 1e300, 1, "not finite"),
        ("x = 3.0\nif x > 1:\n    y = x*x\nelse:\n    y = 1", 1.0, 1, "takes another branch"),
    ],
)
def test_paths_that_end_say_why(text: str, rate: float, count: int, says: str) -> None:
    found = path(text, ["x"], UpdateRule(rate=rate, steps=30))
    assert len(found.places) == count
    wanted = "The gradient is not a finite number" if says == "GRADIENT" else says
    assert wanted in found.ended
    assert all(math.isfinite(place.output) for place in found.places)


def test_another_branch_of_the_program_is_noticed() -> None:
    text = "x = 3.0\nif x > 1:\n    y = x*x\nelse:\n    y = abs(x) + 2"
    found = path(text, ["x"], UpdateRule(rate=0.2, steps=10))
    first = next(place.step for place in found.places if place.numbers[0] <= 1)
    assert found.other_at == first == 3


def test_bound_on_operations_cuts_the_path() -> None:
    found = path("x = 3.0\ny = x**2", ["x"], UpdateRule(steps=500), most=300)
    assert found.is_cut
    assert 1 < len(found.places) < 500


def test_parameters_are_the_leaves_that_the_page_can_move_from_here() -> None:
    text = "a, b = Value(2.0), Value(3.0)\nb.data += 1.0\nL = a*b\nL.backward()"
    program = Program(text)
    assert [node.key for node in parameters(program, {}, trace(program))] == ["a"]
    moved = trace(program, {"a": 5.0})
    assert [node.data for node in parameters(program, {"a": 5.0}, moved)] == [5.0]

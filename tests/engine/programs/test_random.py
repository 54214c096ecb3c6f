"""Random numbers in programs: those of Python's generator."""

from __future__ import annotations

import random

import pytest

from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import finished, node, printed, refusal


def test_random_numbers_are_python_s_from_the_seed_0() -> None:
    rng = random.Random(0)
    right = [rng.uniform(-1, 1), rng.random(), rng.gauss(0, 2)]
    assert [float(x) for x in printed("print(random.uniform(-1, 1))\nprint(random.random())\n"
                                      "print(random.gauss(0, 2))")] == right  # fmt: skip


@pytest.mark.parametrize(
    "line",
    ["random.seed(42)", "import random as r\nr.seed(42)", "from random import seed\nseed(42)"],
)
def test_a_seed(line: str) -> None:
    right = random.Random(42).uniform(-1, 1)
    assert printed(f"{line}\nprint(random.uniform(-1, 1))") == [str(right)]


def test_every_random_function() -> None:
    text = (
        "import random\nrandom.seed('s')\na = random.random()\nb = random.uniform(0, 1)\n"
        "c = random.gauss(0, 1)\ne = random.randint(1, 6)\n"
        "f = random.choice([1.5, 2.5])"
    )
    held = finished(text).globals
    rng = random.Random("s")
    right = [rng.random(), rng.uniform(0, 1), rng.gauss(0, 1), rng.randint(1, 6)]
    assert [held[name] for name in "abce"] == right
    assert held["f"] == rng.choice([1.5, 2.5])


@pytest.mark.parametrize("seed", ["", "None", "0"])
def test_every_run_gives_the_same_numbers(seed: str) -> None:
    text = f"random.seed({seed})\nx = Value(random.random())\nn = MLP(2, [2, 1])\ny = n([x, 1.0])"
    assert trace(text).to_json() == trace(text).to_json()
    if seed == "0":
        assert node(trace(text), "x").data == random.Random(0).random()


@for_each("seed", ["1e999", "-0.5", "10**30", "True", "b'x'"])
def test_a_seed_of_any_kind_is_python_s(seed: str) -> None:
    right = random.Random(eval(seed)).random()  # noqa: S307  # the list above
    assert printed(f"random.seed({seed})\nprint(random.random())") == [str(right)]


def test_a_seed_that_python_refuses_is_refused() -> None:
    assert refusal("random.seed([1])").message.startswith("TypeError: The only supported seed")

"""Random numbers in programs: those of Python's generator."""

from __future__ import annotations

import random

import pytest

from engine.language.random_numbers import RANDOM
from engine.trace.build import trace
from tests.support.programs import finished, node, printed, refusal


def test_random_numbers_are_python_s_from_the_seed_0() -> None:
    rng = random.Random(0)
    right = [rng.uniform(-1, 1), rng.random(), rng.gauss(0, 2)]
    assert [float(x) for x in printed("print(random.uniform(-1, 1))\nprint(random.random())\n"
                                      "print(random.gauss(0, 2))")] == right  # fmt: skip


@pytest.mark.parametrize(
    "line", ["random.seed(42)", "import random as r\nr.seed(42)", "torch.manual_seed(42)",
             "import numpy as np\nnp.random.seed(42)"],
)  # fmt: skip
def test_a_seed(line: str) -> None:
    right = random.Random(42).uniform(-1, 1)
    assert printed(f"{line}\nprint(random.uniform(-1, 1))") == [str(right)]


def test_every_random_function() -> None:
    text = (
        "import random\nrandom.seed('s')\na = random.random()\nb = random.uniform(0, 1)\n"
        "c = random.gauss(0, 1)\nd = np.random.normal(0, 1)\ne = random.randint(1, 6)\n"
        "f = random.choice([1.5, 2.5])"
    )
    assert all(f".{name}(" in text for name in RANDOM)
    held = finished(text).env.names
    assert 1 <= held["e"].data <= 6
    assert held["f"].data in (1.5, 2.5)
    rng = random.Random("s")
    assert [held["a"].data, held["b"].data] == [rng.random(), rng.uniform(0, 1)]


@pytest.mark.parametrize("seed", ["", "None", "0"])
def test_every_run_gives_the_same_numbers(seed: str) -> None:
    text = f"random.seed({seed})\nx = Value(random.random())\nn = MLP(2, [2, 1])\ny = n([x, 1.0])"
    assert trace(text).to_json() == trace(text).to_json()
    assert node(trace(text), "x").data == random.Random(0).random()


@pytest.mark.parametrize("seed", ["1e999", "0 * 1e999"])
def test_a_seed_is_finite(seed: str) -> None:
    assert refusal(f"random.seed({seed})").message.startswith("A seed is finite")

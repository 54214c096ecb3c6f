"""The numbers that NumPy draws; those stated here are NumPy's, for its documented streams."""

from __future__ import annotations

from typing import Any

import pytest

from engine.arrays.array import Array, as_array
from engine.arrays.normal_draws import ZigguratNormals
from engine.arrays.random_bits import Pcg64
from engine.arrays.random_numbers import Generator, Legacy
from tests.oracles.records import Oracle
from tests.support.arrays import fresh, notes, shaped
from tests.support.each import for_each
from tests.support.library_draws import digest

CALLS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("random", (4,)), ("random", ()), ("uniform", (-1, 1, (2, 2))), ("uniform", (0, 5)),
    ("normal", (1, 2, 5)), ("normal", ()), ("normal", ([1.0, 2.0], 0.5)),
    ("standard_normal", (3,)), ("choice", (5,)), ("choice", (5, 4)),
    ("choice", ([1.5, 2, 3], (2, 2))), ("choice", (10, 4, False)),
    ("choice", (4, 6, True, [0.1, 0.2, 0.3, 0.4])),
    ("choice", (6, 3, False, [0.1, 0.2, 0.3, 0.2, 0.1, 0.1])), ("choice", (["a", "bb"], 3)),
    ("permutation", (6,)), ("permutation", ([3, 4, 5, 6],)),
)  # fmt: skip
LEGACY: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("rand", (3,)), ("randn", (2, 3)), ("randint", (10,)), ("randint", (-5, 5, (2, 3))),
    ("randint", (0, 2**40, 4)), ("exponential", (2.0, 3)),
)  # fmt: skip
MODERN: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("integers", (10,)), ("integers", (-5, 5, (2, 3))), ("integers", (0, 2**40, 4)),
)  # fmt: skip


def test_the_first_numbers_of_well_known_seeds() -> None:
    context = fresh()
    assert Legacy(context, 42).rand(2).tolist() == [0.3745401188473625, 0.9507143064099162]
    assert Legacy(context, 0).randn(2).tolist() == [1.764052345967664, 0.4001572083672233]
    assert Generator(context, 42).random() == 0.7739560485559633
    assert Generator(context, 42).normal() == 0.30471707975443135


def test_without_a_seed_the_numbers_repeat_with_a_note() -> None:
    first, second = fresh(), fresh()
    assert Legacy(first).rand() == Legacy(second).rand()
    assert "Write np.random.seed(0)" in notes(first)[0]
    assert notes(fresh()) == []


@for_each(
    ("call", "message"),
    [
        (("randint", (5, 5)), "low >= high"),
        (("choice", ([], 1)), "'a' cannot be empty"),
        (("choice", (3, 5, False)), "Cannot take a larger sample than population"),
        (("choice", (2, 1, True, [0.5, 0.6])), "probabilities do not sum to 1"),
        (("seed", (-1,)), "Seed must be between"),
    ],
)
def test_mistakes(call: tuple[str, tuple[Any, ...]], message: str) -> None:
    name, args = call
    with pytest.raises(ValueError, match=message):
        getattr(Legacy(fresh(), 0), name)(*args)


KINDS: dict[str, tuple[Any, tuple[tuple[str, tuple[Any, ...]], ...]]] = {
    "legacy": (Legacy, CALLS + LEGACY),
    "modern": (Generator, CALLS + MODERN),
}


@for_each("seed", [0, 1, 42, 2**32 - 1])
@for_each("kind", KINDS)
def test_every_distribution_draws_numpys_numbers(kind: str, seed: int, oracle: Oracle) -> None:
    made, calls = KINDS[kind]
    ours, wanted = made(fresh(), seed), oracle("array_functions.draws_of", kind, seed, calls)
    for (name, args), text in zip(calls, wanted, strict=True):
        assert repr(getattr(ours, name)(*args)) == text, (name, args)


@pytest.mark.parametrize("kind", KINDS)
def test_shuffles_are_numpys(kind: str, oracle: Oracle) -> None:
    context = fresh()
    ours = KINDS[kind][0](context, 3)
    given: list[Any] = [
        [*range(7)],
        shaped(context, [*range(7)], (7,), "int64"),
        shaped(context, [*range(12)], (6, 2), "int64"),
    ]
    for each in given:
        ours.shuffle(each)
    found = [each.tolist() if isinstance(each, Array) else each for each in given]
    assert found == oracle("array_functions.shuffled", kind, 3)


def test_normal_numbers_are_numpys_in_every_layer(oracle: Oracle) -> None:
    draw = ZigguratNormals(Pcg64(7))
    count = 40_000
    wanted, found = oracle("array_functions.normals", 7, count), [draw() for _ in range(count)]
    assert found[:: count // 50] == wanted["some"]
    assert digest(found) == wanted["all"]


def test_a_seed_of_several_words(oracle: Oracle) -> None:
    context = fresh()
    seed = [1, 2, 2**40]
    assert [
        Generator(context, as_array(context, seed)).random(),
        Legacy(context, [1, 2]).rand(),
    ] == oracle("array_functions.of_words", seed)

"""Orders of samples: the published generator, every sample once an epoch, no order preferred."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.training.shuffling import GAMMA, MASK, batch_indices, mixed, permutation

SEEDS = st.integers(0, MASK)
# The first numbers that the authors' C code gives from the state 1234567.
PUBLISHED = (
    6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
    16408922859458223821,
)  # fmt: skip


def test_the_generator_gives_the_published_numbers() -> None:
    states = [(1234567 + (i + 1) * GAMMA) & MASK for i in range(len(PUBLISHED))]
    assert tuple(map(mixed, states)) == PUBLISHED


@given(SEEDS, st.integers(0, MASK), st.integers(0, 60))
def test_an_order_holds_every_number_once(seed: int, epoch: int, n: int) -> None:
    assert sorted(permutation(seed, epoch, n)) == list(range(n))


@given(SEEDS, st.integers(0, 1000), st.integers(1, 20))
def test_an_order_is_drawn_as_fisher_and_yates_say(seed: int, epoch: int, n: int) -> None:
    """Strike out the drawn one among those left; what is drawn last stands first."""
    state = (seed * 0x9E3779B97F4A7C15 + epoch * 0xBF58476D1CE4E5B9 + 1) % 2**64
    left, drawn = list(range(n)), []
    while len(left) > 1:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        at = (z ^ z >> 31) % len(left)
        left[at], left[-1] = left[-1], left[at]
        drawn.append(left.pop())
    assert permutation(seed, epoch, n) == [*left, *reversed(drawn)]


def test_no_place_prefers_a_number() -> None:
    """Chi-squared over 2,000 epochs of 8: 49 degrees of freedom, 99.99 % below 97."""
    epochs, n = 2000, 8
    seen = Counter(
        (place, number)
        for epoch in range(epochs)
        for place, number in enumerate(permutation(7, epoch, n))
    )
    expected = epochs / n
    assert sum((seen[i, j] - expected) ** 2 / expected for i in range(n) for j in range(n)) < 97


def test_seeds_and_epochs_have_orders_of_their_own() -> None:
    orders = [tuple(permutation(seed, epoch, 50)) for seed in range(10) for epoch in range(-2, 10)]
    assert len(set(orders)) == len(orders)
    assert permutation(5, -1, 50) == permutation(5, MASK, 50)


@pytest.mark.parametrize("batch", ["all", None])
def test_all_samples_stand_in_their_own_order(batch: str | None) -> None:
    for step in (0, 1, 99):
        found = batch_indices(5, batch, step, 1, shuffle=True)  # type: ignore[arg-type]
        assert found == [0, 1, 2, 3, 4]


@given(st.integers(1, 40), st.integers(1, 40), SEEDS, st.booleans())
def test_an_epoch_sees_every_sample_once(n: int, batch: int, seed: int, shuffle: bool) -> None:
    batch = min(batch, n)
    a_round = -(-n // batch)
    for epoch in (0, 1, 5):
        found = [
            batch_indices(n, batch, epoch * a_round + turn, seed, shuffle)
            for turn in range(a_round)
        ]
        assert [len(part) for part in found[:-1]] == [batch] * (a_round - 1)
        assert 1 <= len(found[-1]) <= batch
        order = permutation(seed, epoch, n) if shuffle else list(range(n))
        assert [i for part in found for i in part] == order

"""Changes in mid-run: the run before one is untouched, and the run after it is as documented."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.training.segments import segment_at, segments
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.support.specs import changes

PLAIN = TrainSpec(
    samples=12, layers=(2, 3, 1), activation="tanh", loss="mse", l2=0.0, learning_rate=0.5,
    schedule="constant", steps=9, seed=4,
)  # fmt: skip


def with_changes(text: str, **more: Any) -> TrainSpec:
    return replace(PLAIN, at=changes(text), **more)


@pytest.mark.parametrize("settings", [{"learning_rate": 0.1}, {"l1": 0.1, "l2": 0.2}])
def test_after_a_change_a_run_goes_on_like_one_with_other_settings(
    settings: dict[str, Any],
) -> None:
    items = ",".join(f"{name}={value}" for name, value in settings.items())
    changed = list(textbook(with_changes(f"4:{items}")))
    before = list(textbook(PLAIN))
    assert changed[:4] == before[:4]
    middle = tuple(changed[4].parameters)
    assert middle == tuple(before[4].parameters)
    after = list(textbook(replace(PLAIN, initial=middle, steps=5, **settings)))
    assert [replace(state, step=state.step + 4) for state in after] == changed[4:]


@pytest.mark.parametrize("optimizer", ["momentum", "adam"])
def test_an_optimizer_keeps_its_state_and_another_starts_afresh(optimizer: str) -> None:
    spec = replace(PLAIN, optimizer=optimizer)
    whole = list(textbook(spec))
    kept = list(textbook(replace(spec, at=changes(f"4:optimizer={optimizer},6:l2=0"))))
    assert kept == whole
    other = list(textbook(replace(spec, optimizer="sgd", at=changes(f"4:optimizer={optimizer}"))))
    afresh = list(textbook(replace(spec, initial=tuple(other[4].parameters), steps=5)))
    assert [state.parameters for state in afresh] == [state.parameters for state in other[4:]]
    assert kept[9].parameters != other[9].parameters


def test_the_rate_of_each_step() -> None:
    linear = with_changes(
        "4:learning_rate=0.25,8:steps=12,10:learning_rate=0.1",
        schedule="linear", schedule_end=0.05, learning_rate=0.8, steps=8,
    )  # fmt: skip
    rates = [segment_at(linear, step).rate(step) for step in range(13)]
    begun = [0.8 - 0.75 * step / 8 for step in range(4)]
    anew = [0.25 - 0.2 * step / 4 for step in range(4)]  # over the 4 steps that are left
    last = [0.1, 0.075, 0.05]
    assert rates == pytest.approx([*begun, *anew, 0.05, 0.05, *last], rel=1e-12)


def test_more_steps_leave_those_before_as_they_were() -> None:
    spec = replace(PLAIN, schedule="cosine", batch=5)
    longer = replace(spec, at=changes("9:steps=14"))
    assert longer.total_steps == 14
    assert len(list(textbook(longer))) == 15
    assert list(textbook(longer))[:10] == list(textbook(spec))


def test_another_batch_size_begins_an_epoch_of_its_own_order() -> None:
    spec = with_changes("3:batch=4,7:batch=all,8:batch=6", batch=5, steps=12)
    batches = [segment_at(spec, step).batch(step) for step in range(12)]
    assert [len(batch) for batch in batches] == [5, 5, 2, 4, 4, 4, 4, 12, 6, 6, 6, 6]
    epochs = [
        [i for batch in batches[start:stop] for i in batch]
        for start, stop in ((0, 3), (3, 6), (8, 10), (10, 12))
    ]
    assert all(sorted(epoch) == list(range(12)) for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) == 4
    assert [segment.batch_size(segment.start) for segment in segments(spec)] == [5, 4, 12, 6]
    assert batches[7] == list(range(12))


def test_the_work_of_a_run_is_that_of_its_segments() -> None:
    spec = with_changes("3:batch=4,9:steps=20")
    parts = [replace(PLAIN, steps=3), replace(PLAIN, steps=17, batch=4)]
    assert spec.work == sum(part.work for part in parts)

"""Runs that are kept: one user at a time, few of them, and the same however one gets to a step."""

from __future__ import annotations

import gc
import random
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import pytest

from app.train.live_run import Edits, LiveRun
from app.train.runs import TrainingRuns
from app.train.stream import Pace, Player
from engine.cancellation import Cancelled
from engine.kernel import Run, checkpoints
from engine.training.spec import TrainSpec
from tests.support.learning import MINIBATCH, SMALL

EDITS: Edits = ((0, 1, 0.25), (7, 0, -1.5), (7, 4, 2.0), (12, 0, 0.125))


def by_hand(spec: TrainSpec, edits: Edits, last: int) -> tuple[list[list[float]], list[float]]:
    """The parameters at each step and the losses, from a run that is stopped at each edit."""
    run, states = Run(spec), []
    for step in range(last + 1):
        run.seek(step)
        changes = {place: x for at, place, x in edits if at == step}
        if changes:
            run.set_parameters([changes.get(i, p) for i, p in enumerate(run.parameters())])
        states.append(run.parameters())
    return states, list(run.losses[:last])


# Holding


def test_the_same_run_is_held_again() -> None:
    runs = TrainingRuns()
    with runs.hold(SMALL) as first:
        first.seek(5)
    with runs.hold(SMALL) as second:
        assert second is first
        assert second.kernel.step == 5
    with runs.hold(SMALL, ((3, 0, 1.0),)) as edited:
        assert edited is not first
    with runs.hold(replace(SMALL, seed=1)) as other:
        assert other is not first


def test_only_one_holds_a_run() -> None:
    runs, inside, most = TrainingRuns(), [0], [0]

    def use() -> None:
        for _ in range(30):
            with runs.hold(SMALL) as run:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                run.seek(random.randrange(20))
                time.sleep(0.0002)
                inside[0] -= 1

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_different_runs_are_held_at_the_same_time() -> None:
    runs, met = TrainingRuns(), threading.Barrier(2, timeout=10)

    def use(seed: int) -> None:
        with runs.hold(replace(SMALL, seed=seed)):
            met.wait()

    other = threading.Thread(target=use, args=(1,))
    other.start()
    use(2)
    other.join()
    assert not met.broken


def test_a_run_is_let_go_when_its_user_fails() -> None:
    runs = TrainingRuns()
    with pytest.raises(ZeroDivisionError), runs.hold(SMALL):
        raise ZeroDivisionError
    with runs.hold(SMALL) as run:
        assert run.kernel.step == 0


def test_runs_are_bounded_and_the_last_ones_stay() -> None:
    runs = TrainingRuns(most=3)
    made = []
    for seed in (1, 2, 3, 1, 4):
        with runs.hold(replace(SMALL, seed=seed)) as run:
            made.append(run)
        assert len(runs) <= 3
    assert made[3] is made[0]
    with runs.hold(replace(SMALL, seed=1)) as run:
        assert run is made[0]
    with runs.hold(replace(SMALL, seed=2)) as run:
        assert run is not made[1]


def test_a_run_that_is_referred_to_stays() -> None:
    runs = TrainingRuns(most=1)
    kept = runs.kept(SMALL)
    with kept.hold() as run:
        run.seek(9)
    for seed in range(3):
        runs.kept(replace(SMALL, seed=seed))
    with runs.hold(SMALL) as again:
        assert again is run
    runs.kept(replace(SMALL, seed=5))
    del kept
    gc.collect()
    with runs.hold(SMALL) as fresh:
        assert fresh is not run


def test_wait_for_a_run_in_use_is_bounded() -> None:
    kept, came = TrainingRuns().kept(SMALL), threading.Event()

    def wait() -> None:
        with suppress(Cancelled), kept.hold(lambda: True):
            pytest.fail("it is in use")
        came.set()

    with kept.hold():
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert came.wait(10)
    waiting.join()


WIDE = TrainSpec(data="gauss", samples=4, batch=1, layers=(2, 128, 128, 20, 1), optimizer="adam")


def test_a_run_with_many_edits_takes_no_more_than_another() -> None:
    """A copy of its state at each edit would be 120 MB."""
    plain, edited = LiveRun(WIDE), LiveRun(WIDE, tuple((k + 1, k, 1.5) for k in range(100)))
    for run in (plain, edited):
        run.kernel.keep_within(2**20)
        run.seek(100)
        run.seek(50)
    assert edited.kernel.size <= plain.kernel.size + 2**20


def test_runs_are_bounded_by_their_bytes() -> None:
    runs = TrainingRuns(most=32, size=2**22)
    for seed in range(12):
        with runs.hold(replace(WIDE, seed=seed)) as run:
            run.seek(20)
            assert run.kernel.size <= 2**22
    assert 1 <= len(runs) < 6
    assert runs.size <= 2**22


def test_a_run_in_use_is_not_dropped_for_its_bytes() -> None:
    runs = TrainingRuns(size=1)
    with runs.hold(SMALL) as run:
        run.seek(7)
        for seed in range(3):
            with runs.hold(replace(SMALL, seed=seed)):
                pass
        player = runs.kept(SMALL)
    with player.hold() as again:
        assert again is run
        assert again.kernel.step == 7


# Edits


@pytest.mark.parametrize("spec", [SMALL, MINIBATCH])
def test_edits_are_made_when_their_step_is_reached(spec: TrainSpec) -> None:
    states, losses = by_hand(spec, EDITS, 20)
    run = LiveRun(spec, EDITS)
    assert run.kernel.parameters() == states[0]
    run.seek(20)
    assert run.kernel.parameters() == states[20]
    assert list(run.kernel.losses[:20]) == losses


@pytest.mark.parametrize("thin", [False, True])
def test_a_step_is_the_same_from_wherever_one_comes(
    thin: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if thin:  # checkpoints are dropped as soon as there are two, those of edits too
        monkeypatch.setattr(checkpoints, "MOST_BYTES", 1)
    else:
        monkeypatch.setattr(checkpoints, "BETWEEN", 0.0)
    states, losses = by_hand(MINIBATCH, EDITS, 20)
    run, rng = LiveRun(MINIBATCH, EDITS), random.Random(0)
    for _ in range(200):
        step = rng.randrange(21)
        run.seek(step)
        assert run.kernel.parameters() == states[step]
        assert list(run.kernel.losses[:step]) == losses[:step]


def test_an_edited_run_goes_on_like_one_that_starts_there() -> None:
    spec = replace(SMALL, schedule="constant", steps=10)
    run = LiveRun(spec, ((4, 2, 0.75),))
    run.seek(4)
    initial = tuple(run.kernel.parameters())
    assert initial[2] == 0.75
    run.seek(10)
    other = Run(replace(spec, initial=initial))
    other.seek(6)
    assert run.kernel.parameters() == other.parameters()
    assert list(run.kernel.losses[4:10]) == list(other.losses[:6])


def test_the_last_edit_of_a_place_counts() -> None:
    run = LiveRun(SMALL, ((0, 0, 1.0), (0, 0, 2.0)))
    assert run.kernel.parameters()[0] == 2.0


# What is known of steps


def test_test_losses_are_those_of_each_step() -> None:
    run, other = LiveRun(MINIBATCH, EDITS), LiveRun(MINIBATCH, EDITS)
    wanted = []
    for step in range(20):
        other.seek(step)
        wanted.append(other.kernel.evaluate("test").loss)
    run.seek(20)
    assert list(run.kernel.test_log) == wanted
    run.seek(3)
    run.seek(15)
    assert list(run.kernel.test_log) == wanted


def test_cancelled_request_stops_waiting_for_a_run() -> None:
    runs = TrainingRuns()
    with pytest.raises(Cancelled), runs.hold(SMALL, is_cancelled=lambda: True):
        pytest.fail("it is not handed out")
    asked = iter([False, False, True])
    assert len(runs) == 1
    with pytest.raises(Cancelled), runs.hold(SMALL, is_cancelled=lambda: next(asked)) as run:
        run.seek(20)
    with runs.hold(SMALL) as run:
        run.seek(20)
        assert list(run.kernel.losses) == by_hand(SMALL, (), 20)[1]


def test_accuracies_are_those_of_the_run() -> None:
    run = LiveRun(MINIBATCH)
    run.seek(40)
    parts = [run.kernel.accuracies(a, b) for a, b in pairwise((0, 7, 30, 40))]
    assert sum(parts, []) == run.kernel.accuracies()  # noqa: RUF017


def test_an_unreferenced_run_is_freed_at_once() -> None:
    """Without waiting for the collector: a run has a memory of its own, of megabytes."""
    runs = TrainingRuns(1)
    kept = runs.kept(SMALL)
    left = weakref.ref(kept)
    player = Player(kept, SMALL.steps, Pace(1, 60.0))
    player.next(0)
    gc.disable()
    try:
        runs.kept(replace(SMALL, seed=9))
        del kept, player
        assert left() is None
    finally:
        gc.enable()

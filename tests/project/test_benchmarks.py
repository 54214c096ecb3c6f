"""`benchmarks.train`: everybody trains the same thing. No timing here."""

from __future__ import annotations

import shutil
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from math import isclose, isnan, nan
from pathlib import Path

import pytest

from benchmarks.report import AtLeast, Goal
from benchmarks.train import limit, ratios
from benchmarks.train.peers import closures, seegrad
from benchmarks.train.rounds import PARITY, LimitWorker, Refusal, Result, Worker, agree
from benchmarks.train.tasks import TASKS, Task, joined, loss, split
from benchmarks.train.worker import excuse
from engine.nn import MLP
from engine.training.losses import LOSSES
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from engine.value import Value

EACH = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)


@pytest.fixture(autouse=True)
def _recursion_limit() -> Iterator[None]:
    """The closures raise it for the whole process; other tests rely on it."""
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


def small(task: Task) -> Task:
    """The same with so few rows that scalars are quick."""
    rows = task.rows[:: max(1, len(task.rows) // 8)][:8]
    return replace(task, rows=rows, batch=4 if task.batch < len(task.rows) else len(rows))


def wanted(task: Task, label: float) -> list[float]:
    classes = task.layers[-1]
    return [label] if classes == 1 else [float(i == label) for i in range(classes)]


@EACH
def test_loss_is_that_of_the_scalar_engine(task: Task) -> None:
    task = small(task)
    network = MLP(task.layers[0], task.layers[1:], task.hidden, task.output)
    for parameter, number in zip(network.parameters(), task.start(), strict=True):
        parameter.data = number
    which = LOSSES[task.loss]
    total = 0.0
    for *inputs, label in task.rows:
        outputs = network(inputs)
        outputs = [outputs] if isinstance(outputs, Value) else outputs
        total += which.sample(outputs, [Value(y) for y in wanted(task, label)]).data
    expected = total / len(task.rows) if which.mean else total
    expected += task.l2 * sum(p * p for p in task.start())
    assert isclose(loss(task, task.start()), expected, rel_tol=1e-12)


@EACH
def test_flat_parameters_and_layers_are_the_same(task: Task) -> None:
    flat = task.start()
    layers = split(task, flat)
    assert joined(layers) == flat
    assert [(len(weights), len(weights[0])) for weights, _ in layers] == [
        (neurons, width) for width, neurons in zip(task.layers, task.layers[1:], strict=False)
    ]


@EACH
def test_rows_are_whole_batches_with_one_column_a_number(task: Task) -> None:
    assert len(task.rows) % task.batch == 0
    assert {len(row) for row in task.rows} == {task.layers[0] + 1}
    assert all(round(number, 6) == number for row in task.rows for number in row)


@EACH
@pytest.mark.parametrize("peer", [closures, seegrad], ids=["closures", "seegrad"])
def test_contestants_do_what_the_textbook_loop_does(task: Task, peer: object) -> None:
    task = small(task)
    (last,) = deque(textbook(TrainSpec.from_json(task.spec(3))), maxlen=1)
    training = peer.start(task)  # type: ignore[attr-defined]
    training.train(3)
    assert training.parameters() == pytest.approx(list(last.parameters), rel=1e-11, abs=1e-14)


@pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="no C compiler")
def test_the_c_program_agrees_on_every_task(tmp_path: Path) -> None:
    worker = LimitWorker([str(limit.build(tmp_path))])
    try:
        for task in TASKS.values():
            ours = seegrad.start(task)
            ours.train(PARITY)
            worker.start(task)
            worker.train(PARITY)
            assert ours.loss is not None
            expected = loss(task, ours.parameters())
            assert isclose(worker.loss(task), expected, rel_tol=1e-12)
            assert isclose(ours.loss(), expected, rel_tol=1e-12)
    finally:
        worker.close()


def test_a_missing_package_is_named() -> None:
    assert excuse(ModuleNotFoundError("no", name="jax.numpy")) == "missing jax"
    assert excuse(ModuleNotFoundError("no", name="engine.kernel")).startswith("failed")
    assert excuse(ValueError("two\nlines")) == "failed ValueError: two lines"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("missing jax", "not installed, `pip install jax`"),
        ("failed ValueError: no", "ValueError: no"),
        ("", "ended with status 0"),
    ],
)
def test_a_refusal_says_why(answer: str, reason: str) -> None:
    worker = Worker(["echo", answer])
    with pytest.raises(Refusal) as refusal:
        worker.ask("start T1")
    worker.close()
    assert str(refusal.value) == reason


def test_ratios_are_taken_round_by_round() -> None:
    results = {"a": Result(times=[1.0, 2.0]), "b": Result(times=[2.0, 2.0, 9.0])}
    assert ratios(results, "a", "b") == [2.0, 1.0]
    assert ratios(results, "b", "a") == [0.5, 1.0]


def test_losses_after_as_many_steps_are_compared() -> None:
    assert agree([Result(losses={1: 2.0, 10: 1.0}), Result(losses={1: 2.0})]) == 0.0
    assert agree([Result(losses={10: 1.0}), Result(losses={10: 2.0})]) == 0.5
    assert agree([Result(losses={10: 3.0}, own=4.0)]) == 0.25
    assert isnan(agree([Result(losses={10: 3.0}), Result(losses={10: nan})]))
    assert agree([Result(absent="no")]) == 0.0


def test_goals_say_whether_they_are_met() -> None:
    assert Goal(5).words(5.0) == ("≤ 5", "met")
    assert Goal(5).words(float("nan")) == ("≤ 5", "MISSED")
    assert AtLeast(5).words(5.0) == ("≥ 5", "met")
    assert AtLeast(5).words(4.9) == ("≥ 5", "MISSED")

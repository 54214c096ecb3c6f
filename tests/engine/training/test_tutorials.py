"""Training as the tutorials do it: the losses they print and the results they reach."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.runs.run import run
from engine.training.samples import load
from engine.training.spec import TrainSpec
from engine.training.textbook import evaluate, network, textbook
from tests.support.places import DATA
from tests.support.programs import finished as run_program
from tests.support.textbook_runs import TUTORIAL


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Python's search for cycles takes two thirds of a long run, and a graph has none."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "name", ["2_training.py", "3_training.py", "4_training.py", "2_all_assembled.py"]
)
def test_the_losses_that_a_tutorial_s_own_loop_prints(name: str) -> None:
    """The program draws its weights from the seed 0 as `uniform` does, and prints as it goes."""
    printed = run_program((DATA / "seeds" / name).read_text("utf-8")).printed
    found = [re.search(r"(\d+)\D*[Ll]oss: (\S+)|^(\d+) Value\(data=(\S+)\)", s) for s in printed]
    stated = {int(m[1] or m[3]): m[2] or m[4] for m in found if m}
    assert len(stated) in (5, 10, 20)
    losses = [state.loss for state in textbook(replace(TUTORIAL, steps=max(stated)))]
    for step, text in stated.items():
        digits = len(text.partition(".")[2])
        assert losses[step] == pytest.approx(float(text), abs=max(0.51 * 10**-digits, 1e-12))


@pytest.mark.parametrize("seed", [0, 1, 2, 7, 42, 1337])
def test_a_tutorial_s_training_gets_where_its_author_got(seed: int) -> None:
    """The second tutorial prints its last predictions, within 0.02 of the targets, and a loss near
    0.001, but no seed; its 20 steps are the start of the way there, which takes some hundreds.

    Where the loss of a run is first as small as that of the printed predictions, 0.0013, each
    prediction lies within 0.015 of the printed one.
    """
    stated = (0.982, -0.986, -0.982, 0.979)
    targets = [t for (t,) in load(TUTORIAL)[0].targets]
    small = sum((p - t) ** 2 for p, t in zip(stated, targets, strict=True))
    losses = []
    for state in textbook(replace(TUTORIAL, seed=seed, steps=800)):
        losses.append(state.loss)
        if state.loss <= small:
            break
    assert losses[20] < 0.2 < losses[0]
    assert losses[-1] == pytest.approx(0.001, abs=0.0005)
    assert 200 < len(losses) < 800
    net = network(TUTORIAL, state.parameters)
    _, accuracy, predictions = evaluate(TUTORIAL, net, load(TUTORIAL)[0])
    assert accuracy == 1.0
    assert [p for (p,) in predictions] == pytest.approx(stated, abs=0.015)


@pytest.mark.usefixtures("without_collector")
def test_micrograd_s_demonstration_gets_every_point_right() -> None:
    """The defaults: moons, 2-16-16-1 with relu, max-margin, 100 steps from rate 1.0 to 0.1."""
    answer = run(TrainSpec())
    assert answer["parameter_count"] == 337
    assert answer["accuracies"][-1] == answer["final"]["accuracy"] == 1.0
    assert answer["losses"][0] > 1 > 0.05 > answer["final"]["loss"]


def test_three_classes_are_learnt() -> None:
    spec = TrainSpec(
        data="three_spirals", samples=30, noise=0.0, layers=(2, 12, 3), activation="tanh",
        loss="cross_entropy", optimizer="adam", learning_rate=0.1, schedule="constant", steps=90,
    )  # fmt: skip
    assert run(spec)["final"]["accuracy"] == 1.0


def test_a_wave_is_learnt_in_minibatches() -> None:
    """The best straight line through it leaves 1/2 - 3/π² = 0.196."""
    spec = TrainSpec(
        data="sine", samples=20, noise=0.0, layers=(1, 6, 1), activation="tanh", loss="mse",
        optimizer="adam", learning_rate=0.1, schedule="cosine", schedule_end=0.0, l2=0.0,
        batch=8, steps=300,
    )  # fmt: skip
    assert run(spec)["final"]["loss"] < 0.05

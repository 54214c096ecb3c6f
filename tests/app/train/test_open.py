"""Samples of a run as a program: its loss and its gradients are those of the run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from app.picture.grouping import visible
from app.train.sample_program import sample_program
from engine.kernel import Run
from engine.program import Limits, Program
from engine.trace.build import trace
from engine.trace.traced import Trace
from engine.training.dropout import masks_of
from engine.training.features import FEATURES
from engine.training.fields import SpecError
from engine.training.losses import LOSSES
from engine.training.samples import Samples, load
from engine.training.spec import TrainSpec
from engine.training.textbook import answer, loss_of, network
from tests.support.each import for_each
from tests.support.learning import DIVERGING, MINIBATCH, SMALL, ask, found, refused
from tests.support.pages import client, read

RICH = TrainSpec(samples=9, layers=(2, 4, 3, 2), activation="tanh", l1=0.003, l2=0.02, steps=12)
ACTIVATIONS: tuple[str | tuple[str, ...], ...] = ("tanh", "relu", "gelu", ("silu", "sigmoid"))
ROWS = TrainSpec(
    data="rows", rows=((0.5, 1.0), (0.25, -0.5), (-1.0, 2.0)), layers=(1, 2, 1), loss="mse", steps=5
)


def text_of(spec: TrainSpec, step: int, chosen: list[int]) -> str:
    """The program of some samples of the training set."""
    run = Run(spec)
    run.seek(step)
    return sample_program(spec, step, run.parameters(), run.training, chosen, Limits())


def gradients(shown: Trace) -> list[float]:
    """Those of the parameters, in their flat order, by the labels of the graph."""
    places: dict[tuple[int, int, float], float] = {}
    for node in shown.nodes:
        parts = node.label.split(".")
        if node.op is None and len(parts) == 3:
            layer, neuron = int(parts[0][1:]), int(parts[1][1:])
            last = float("inf") if parts[2] == "b" else float(parts[2][1:])
            assert (layer, neuron, last) not in places
            assert node.grad is not None
            places[layer, neuron, last] = node.grad
    return [places[key] for key in sorted(places)]


def output(shown: Trace) -> float:
    """What the backward pass began with."""
    return next(node.data for node in shown.nodes if node.id == shown.output)


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=str)
@pytest.mark.parametrize("loss", LOSSES)
def test_loss_and_gradients_are_the_runs(loss: str, activation: str | tuple[str, ...]) -> None:
    spec = replace(
        RICH, loss=loss, activation=activation, output_activation="linear", learning_rate=0.01
    )
    run = Run(spec)
    run.seek(7)
    state = run.snapshot()
    shown = trace(Program(text_of(spec, 7, list(range(spec.samples)))))
    assert output(shown) == pytest.approx(state.loss, rel=1e-12, abs=1e-12)
    assert gradients(shown) == pytest.approx(state.gradient, rel=1e-12, abs=1e-12)


def test_mistakes_of_the_run_are_said_not_to_be_made() -> None:
    right = text_of(RICH, 7, [0, 3]).splitlines()
    wrong = text_of(replace(RICH, accumulate=False, zero_grad=False), 0, [0, 3]).splitlines()
    assert not [line for line in right if "unlike in the run" in line]
    assert wrong[1:3] == [
        "# unlike in the run, contributions to a gradient add up here",
        "# unlike in the run, gradients begin at 0 here",
    ]


def test_a_confident_answer_keeps_its_digits() -> None:
    """log(1 + e⁻³⁵) = 6.305116760146987e-16, in 50 digits of mpmath and rounded."""
    rows = ((1.0, 1.0), (-1.0, 0.0))
    spec = TrainSpec(
        data="rows", rows=rows, layers=(1, 1), loss="bce", l2=0.0, initial=(35.0, 0.0), steps=1
    )
    for place in (0, 1):
        shown = trace(Program(text_of(spec, 0, [place])))
        assert output(shown) == pytest.approx(6.305116760146987e-16, rel=1e-15, abs=0)


@pytest.mark.parametrize(
    "spec",
    [
        MINIBATCH,
        ROWS,
        replace(SMALL, l1=0.0, l2=0.0, output_activation="tanh"),
        replace(SMALL, dropout=0.4, layers=(2, 4, 1, 3, 1), l1=0.001),
        replace(MINIBATCH, dropout=0.25, layers=(2, 3, 1), data="circles"),
        replace(SMALL, dropout=0.4, layers=(2, 1)),
        TrainSpec(data="four_points", layers=(3, 1), loss="sum_squares", steps=9),
        replace(MINIBATCH, features=tuple(FEATURES), layers=(7, 3, 1)),
        TrainSpec(
            data="xor", samples=4, layers=(2, 2, 2, 2, 1), activation=("relu", "linear", "tanh")
        ),
    ],
    ids=lambda spec: spec.data + str(spec.layers),
)
def test_a_batch_is_the_runs(spec: TrainSpec) -> None:
    run = Run(spec)
    run.seek(3)
    state = run.snapshot()
    shown = trace(Program(text_of(spec, 3, run.batch_of(3))))
    assert output(shown) == pytest.approx(state.loss, rel=1e-12, abs=1e-12)
    assert gradients(shown) == pytest.approx(state.gradient, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("chosen", [[4], [0, 11, 5]])
def test_some_samples_are_a_batch_of_their_own(chosen: list[int]) -> None:
    run = Run(SMALL)
    run.seek(6)
    net = network(SMALL, run.parameters())
    outputs = [answer(net, run.training.inputs[i]) for i in chosen]
    targets = [run.training.targets[i] for i in chosen]
    loss = loss_of(SMALL, outputs, targets, net.parameters())
    loss.backward()
    shown = trace(Program(text_of(SMALL, 6, chosen)))
    assert output(shown) == pytest.approx(loss.data, rel=1e-12)
    assert gradients(shown) == pytest.approx([p.grad for p in net.parameters()], abs=1e-12)


def test_the_program_is_read_by_people() -> None:
    text = text_of(replace(SMALL, l2=0.0), 1, [4])
    lines = text.splitlines()
    assert lines[0] == "# moons, 2 → 3 → 1, after 1 update: sample 5"
    assert "net = MLP(2, [3, 1], parameters=[" in lines
    assert '], activation="relu", output_activation="linear")' in lines
    assert "L = loss_of(net(x), y)" in lines
    assert lines[-1] == "L.backward()"
    assert "samples 1, 3 and 5" in text_of(SMALL, 0, [0, 2, 4])
    assert text_of(SMALL, 4, [0]).isascii() is False


def test_every_neuron_and_layer_is_a_box() -> None:
    shown = trace(Program(text_of(RICH, 2, [1])))
    kinds = [group.kind for group in shown.groups]
    assert kinds.count("neuron") == 9
    assert kinds.count("layer") == 3
    mixed = trace(Program(text_of(replace(RICH, activation=("tanh", "relu")), 2, [1])))
    assert [group.kind for group in mixed.groups].count("neuron") == 9


def test_too_long_a_program_is_refused() -> None:
    wide = TrainSpec(layers=(2, 64, 64, 1), steps=1)
    with pytest.raises(SpecError, match=r"too large for Explore.*smaller network") as error:
        text_of(wide, 0, [0])
    assert error.value.field == "sample"
    with pytest.raises(SpecError, match="choose fewer samples"):
        text_of(TrainSpec(steps=1), 0, list(range(40)))


def test_parameters_that_are_not_finite_are_refused() -> None:
    with pytest.raises(SpecError, match="not finite") as error:
        text_of(DIVERGING, 60, [0])
    assert error.value.field == "step"


# Over HTTP


def opened(spec: TrainSpec, **more: object) -> dict[str, list[str]]:
    """Where the way to Explore leads."""
    answer = ask("/open", spec, **more)
    assert answer.status_code == 303
    link = urlsplit(answer.headers["location"])
    assert (link.scheme, link.netloc, link.path) == ("", "", "/")
    return parse_qs(link.query)


def test_the_way_to_explore() -> None:
    query = opened(SMALL, step=6, sample="3,5")
    assert query["grouped"] == ["1"]
    assert query["program"] == [text_of(SMALL, 6, [3, 5])]
    assert ask("/open", SMALL, step=6, sample="3,5", as_="program").text == query["program"][0]
    assert opened(SMALL)["program"] == [text_of(SMALL, 0, [0])]


def test_the_sample_that_the_step_uses_is_the_one_that_opens() -> None:
    """Loss and gradient are then the run's, at batch 1 too."""
    spec = replace(SMALL, batch=1, l1=0.001, l2=0.01, learning_rate=0.1)
    run = Run(spec)
    for step in (3, 8):
        run.seek(step)
        shown = trace(Program(opened(spec, step=step)["program"][0]))
        state = run.snapshot()
        assert output(shown) == pytest.approx(state.loss, rel=1e-12)
        assert gradients(shown) == pytest.approx(state.gradient, rel=1e-12, abs=1e-15)


def test_explore_leads_back_to_the_run_at_its_step() -> None:
    answer = ask("/open", SMALL, step=6, set="0:0.125", at=2)
    page = read(client().get(answer.headers["location"]).text)
    (back,) = page.all("a", id="way-back")
    assert back.text == "← Back to the run at step 6"
    told = client().get(back.attributes["href"].replace("/train?", "/train/state?")).json()
    there: dict[str, Any] = found("/state", SMALL, step=6, set="0:0.125", at=2)
    assert told["parameters"] == there["parameters"]
    assert "hidden" in read(client().get("/explore").text).all("a", id="way-back")[0].attributes


PENALISED: tuple[dict[str, Any], ...] = (
    {}, {"l1": 0.01}, {"dropout": 0.2}, {"activation": ("relu", "tanh")},
)  # fmt: skip


@pytest.mark.parametrize("more", PENALISED, ids=str)
def test_a_network_is_drawn_by_layer_and_neuron_with_penalties(more: dict[str, Any]) -> None:
    told = trace(Program(text_of(TrainSpec(l2=1e-4, **more), 2, [0])))
    shown = visible(told, grouped=True)
    drawn = [shown.sections[box.id].kind for box in shown.boxes if box.kind == "group"]
    frames = [section.kind for section in shown.clusters]
    assert (drawn.count("neuron"), frames.count("layer")) == (33, 3)
    assert len(shown.boxes) < 60
    weights = {node.id for node in told.nodes if ".w" in node.label}
    assert not weights & {box.of for box in shown.boxes}


def test_explore_shows_it() -> None:
    place = ask("/open", TrainSpec(), step=37, sample="12").headers["location"]
    assert len(place) < 30_000
    answer = client().get(place)
    assert answer.status_code == 200
    page = read(answer.text)
    told = page.trace
    state: dict[str, Any] = found("/state", replace(TrainSpec(), batch="all"), step=37)
    parameters = [n["data"] for n in told["nodes"] if n["op"] is None and "." in n["label"]]
    assert parameters == state["parameters"]


def test_samples_for_testing_can_be_opened_too() -> None:
    training, test = load(MINIBATCH)
    text = opened(MINIBATCH, sample=str(len(training) + 2))["program"][0]
    assert f"x = {list(test.inputs[2])}" in text


def test_a_sample_has_the_masks_that_the_step_drew() -> None:
    """Those of its place in the training set; a sample kept aside has none."""
    spec = replace(MINIBATCH, dropout=0.25)
    assert f"masks = {masks_of(spec, 3, 2)}\n" in opened(spec, step=3, sample="2")["program"][0]
    assert "masks" not in opened(spec, step=3, sample=str(spec.train_samples))["program"][0]
    both = opened(spec, step=3, sample=f"2,{spec.train_samples}")["program"][0]
    assert f"masks = {[masks_of(spec, 3, 2), [[1.0] * 4]]}\n" in both
    assert ", with the masks of dropout 0.25\n" in both


def test_edits_are_in_the_program() -> None:
    assert "[\n    0.123456," in opened(SMALL, step=5, set="0:0.123456", at=5)["program"][0]


@for_each(
    ("parameters", "field"),
    [
        ({"sample": "100"}, "sample"),
        ({"sample": "-1"}, "sample"),
        ({"sample": "x"}, "sample"),
        ({"sample": ",".join(map(str, range(201))), "samples": "300"}, "sample"),
        ({"sample": "0", "layers": "2-64-64-1"}, "sample"),
        ({"sample": "0", "step": "101"}, "step"),
        ({"sample": "0", "as": "svg"}, "as"),
    ],
)
def test_refusal_names_a_sample_that_cannot_be_opened(
    parameters: dict[str, str], field: str
) -> None:
    assert refused("/open", **parameters)["field"] == field


def test_all_samples_are_numbered_as_in_the_setup() -> None:
    told = found("/setup", MINIBATCH)["samples"]
    training, test = load(MINIBATCH)
    both = Samples(training.inputs + test.inputs, (), ())
    assert [tuple(sample["x"]) for sample in told] == list(both.inputs)

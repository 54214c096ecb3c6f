"""What is too large for Explore is said before it is opened, and a part of the network opens."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from app.train.opening import opening, values
from app.train.part_program import NetworkPart, part_of, part_program
from app.train.sample_program import sample_program
from engine.doctor.passes import by_layer
from engine.kernel import Run
from engine.program import Limits, Program
from engine.trace.build import trace
from engine.training.fields import SpecError
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.learning import ask, found
from tests.support.pages import client, read

WIDE = TrainSpec(layers=(2, 64, 64, 1), steps=5)
SPECS: tuple[dict[str, Any], ...] = (
    {"layers": (2, 4, 3, 1)},
    {"layers": (2, 4, 3, 2), "loss": "cross_entropy", "activation": ("tanh", "silu"), "l1": 0.01},
    {"layers": (2, 4, 1, 1), "dropout": 0.3, "l1": 0.01, "loss": "mse"},
    {"layers": (2, 5, 1), "loss": "bce", "l2": 0.0, "output_activation": "sigmoid"},
    {"layers": (2, 3, 1), "features": ("x1_squared", "sin_x1")},
)


def parameters_of(text: str) -> list[float]:
    """The gradients of the weights and biases of a program, in the order of its neurons."""
    shown = trace(Program(text))
    names = ("w", "b")
    leaves = [n for n in shown.nodes if n.op is None and n.label.split(".")[-1][:1] in names]
    return sorted(node.grad for node in leaves if node.grad is not None)


@pytest.mark.parametrize("more", SPECS, ids=str)
def test_the_gradients_of_a_part_are_the_runs(more: dict[str, Any]) -> None:
    """At batch 1, for the sample that the step uses."""
    spec = TrainSpec(samples=20, batch=1, learning_rate=0.1, steps=9, **more)
    run = Run(spec)
    run.seek(6)
    state, (sample,) = run.snapshot(), run.batch_of(6)
    for layer, flat in enumerate(by_layer(spec, state.gradient), 1):
        width = spec.layers[layer - 1] + 1
        for neuron, expected in ((None, flat), (1, flat[:width])):
            text = part_program(
                spec,
                6,
                state.parameters,
                run.training,
                sample,
                NetworkPart(layer, neuron),
                Limits(),
            )
            right = pytest.approx(sorted(expected), rel=1e-11, abs=1e-15)
            assert parameters_of(text) == right, text


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("more", SPECS, ids=str)
def test_the_size_of_a_graph_is_known_before_it_is_opened(more: dict[str, Any], count: int) -> None:
    spec = TrainSpec(samples=20, **more)
    run = Run(spec)
    text = sample_program(spec, 0, run.parameters(), run.training, list(range(count)), Limits())
    assert values(spec, count) == len(trace(Program(text)).nodes)


def test_what_fits_together_opens_and_one_more_does_not() -> None:
    spec = TrainSpec()
    most = opening(spec, Limits())["most"]
    run = Run(spec)
    numbers = (0, run.parameters(), run.training)
    assert sample_program(spec, *numbers, list(range(most)), Limits())
    with pytest.raises(SpecError, match="choose fewer samples"):
        sample_program(spec, *numbers, list(range(most + 1)), Limits())


def test_parts_of_a_large_network_are_offered_and_open() -> None:
    told = found("/setup", WIDE)["opening"]
    assert told["most"] == 0
    assert "22,480 Values" in told["message"]
    assert [part["words"] for part in told["parts"]] == [
        "layer 1",
        "neuron 1 of layer 2",
        "layer 3",
    ]
    page = read(ask("", WIDE, step=3).text)
    assert "hidden" in page.one("a", id="open").attributes
    assert told["message"] in page.one("p", id="opening").text
    links = [a for a in page.all("a") if "part=" in a.attributes.get("href", "")]
    assert [link.text for link in links] == ["layer 1", "neuron 1 of layer 2", "layer 3"]
    for link in links:
        answer = client().get(link.attributes["href"], follow_redirects=False)
        assert answer.headers["location"].startswith("/?program=")


def test_a_link_that_leads_nowhere_is_answered_with_a_page() -> None:
    """A browser asks for HTML; scripts go on being told in JSON."""
    address = f"/train/open?{urlencode([*WIDE.to_query(), ('step', '3')])}"
    answer = client().get(address, headers={"accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (422, "text/html; charset=utf-8")
    page = read(answer.text)
    assert "too large for Explore" in answer.text
    hrefs = [a.attributes["href"] for a in page.all("a")]
    assert sum("part=" in href for href in hrefs) == 3
    assert any(href.startswith("/train?") and "step=3" in href for href in hrefs)
    assert ask("/open", WIDE, step=3).headers["content-type"] == "application/problem+json"


@for_each("text", ["0", "4", "2.0", "2.65", "x", "2.", "-1", "1.1.1", "٢"])
def test_a_part_that_the_network_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match=r"from 1 to 3") as error:
        part_of(text, WIDE)
    assert error.value.field == "part"

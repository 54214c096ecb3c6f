"""The other addresses of Train: files, code, the doctor, pictures, the page."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from app.serving.headers import TRAIN_POLICY
from app.train.live_run import LiveRun
from app.train.presets import STARTING
from app.train.state import state
from engine.export.exports import EXPORTS, export
from engine.kernel import Run
from engine.runs.run import run
from engine.training.samples import load
from engine.training.spec import TrainLimits, TrainSpec
from engine.training.textbook import evaluate, network, textbook
from tests.support.each import for_each
from tests.support.learning import (
    DIVERGING,
    MINIBATCH,
    SMALL,
    SPECS,
    ask,
    found,
    numbers,
    query,
    refused,
)
from tests.support.pages import client, read

BAD: dict[str, tuple[dict[str, str], str]] = {
    "unknown": ({"nope": "1"}, "nope"),
    "layers": ({"layers": "2-x-1"}, "layers"),
    "step": ({"steps": "5", "step": "6"}, "step"),
    "set": ({"set": "0:x", "at": "1"}, "set"),
    "limit": ({"steps": "100000", "samples": "2000", "layers": "2-128-128-1"}, "steps"),
}
PATHS = (
    "/setup",
    "/state",
    "/stream",
    "/open",
    "/doctor",
    "/examination",
    "/sweep",
    "/kernel",
    "/kernels",
    "/losses.csv",
    "/code",
    "/boundary.png",
    "/loss.svg",
    "/network.svg",
)


@for_each("bad", BAD)
@for_each("path", PATHS)
def test_a_bad_parameter_is_named_everywhere(path: str, bad: str) -> None:
    parameters, field = BAD[bad]
    problem = refused(path, **parameters)
    assert problem["field"] == field
    assert problem["status"] == 422
    assert field in problem["detail"]


@for_each("path", [path for path in PATHS if path not in ("/stream", "/open")])
def test_answers_are_stored_but_revalidated(path: str) -> None:
    answer = ask(path, SMALL)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


def test_a_long_answer_is_compressed() -> None:
    plain = client().get("/train/state", params=query(SMALL), headers={"accept-encoding": "x"})
    packed = client().get("/train/state", params=query(SMALL), headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.json() == packed.json()
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


# Losses as CSV


@for_each("name", SPECS)
def test_csv_has_every_step(name: str) -> None:
    spec = SPECS[name]
    answer = ask("/losses.csv", spec)
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="losses.csv"'
    columns, *rows = csv.reader(io.StringIO(answer.text))
    whole = state(LiveRun(spec), spec.steps, losses=True)
    wanted: dict[str, list[Any]] = {"step": list(range(spec.steps + 1))}
    for column, key, last in (
        ("loss", "losses", "loss"),
        ("accuracy", "accuracies", "accuracy"),
        ("test_loss", "test_losses", "test_loss"),
    ):
        if whole[key]:
            wanted[column] = [*numbers(whole[key]), float(whole[last])]
    if spec.l1 or spec.l2:
        wanted["penalty"] = [float(row[-1]) for row in rows]
    assert columns == list(wanted)
    read_again = [list(map(float, row)) for row in rows]
    assert repr(read_again) == repr(
        [list(map(float, row)) for row in zip(*wanted.values(), strict=True)]
    )


def test_csv_has_the_penalty_apart_from_the_test_loss() -> None:
    spec = replace(MINIBATCH, l1=0.01, l2=0.1, steps=20)
    plain = replace(spec, l1=0.0, l2=0.0)
    table = list(csv.DictReader(io.StringIO(ask("/losses.csv", spec).text)))
    states = list(textbook(spec))
    assert len(table) == len(states) == 21
    for row, now in zip(table, states, strict=True):
        sizes = [abs(p) for p in now.parameters]
        penalty = 0.01 * sum(sizes) + 0.1 * sum(p * p for p in sizes)
        assert float(row["penalty"]) == pytest.approx(penalty, rel=1e-11)
        tested = evaluate(plain, network(plain, now.parameters), load(plain)[1])[0]
        assert float(row["test_loss"]) == pytest.approx(tested, rel=1e-9)
    assert "penalty" not in ask("/losses.csv", plain).text


# Code


@pytest.mark.parametrize("name", EXPORTS)
def test_code_is_the_export(name: str) -> None:
    assert ask("/code", SMALL, as_=name).text == export(SMALL, name)
    assert ask("/code", SMALL, as_=name).headers["content-type"].startswith("text/plain")


def test_code_says_what_it_leaves_out() -> None:
    first = ask("/code", SMALL, as_="seegrad", set="0:1,3:2", at=2).text.splitlines()[0]
    assert (
        first
        == "# Left out, as it was changed by hand: layer 1, neuron 1, weight 1 is 1 from step 2 on."
    )


def test_code_of_no_kind_is_refused() -> None:
    assert refused("/code", **{"as": "fortran"})["field"] == "as"


# The doctor


@pytest.mark.parametrize("spec", [SMALL, DIVERGING, replace(SMALL, zero_grad=False, steps=60)])
def test_verdicts_are_those_of_the_whole_run(spec: TrainSpec) -> None:
    told = found("/doctor", spec, step=spec.steps)
    cured = [verdict.pop("cured") for verdict in told]
    assert told == run(spec)["doctor"]
    for verdict, where in zip(told, cured, strict=True):
        assert bool(where) == bool(verdict["cure"])
        setup = client().get(f"/train/setup?{where}").json() if where else {}
        assert not where or setup["spec"] == {**spec.to_json(), **verdict["cure"]}


def test_verdicts_of_a_part() -> None:
    whole = found("/doctor", DIVERGING, step=60)
    assert "not_a_number" in {verdict["name"] for verdict in whole}
    assert "not_a_number" not in {
        verdict["name"] for verdict in found("/doctor", DIVERGING, step=3)
    }
    assert found("/doctor", SMALL, step=0) == found("/doctor", SMALL)


# Pictures


@for_each("path", ["/boundary.png", "/loss.svg", "/network.svg"])
@for_each("name", SPECS)
def test_there_are_pictures_of_every_run(path: str, name: str) -> None:
    answer = ask(path, SPECS[name], step=SPECS[name].steps)
    assert answer.status_code == 200
    start = b"\x89PNG" if path.endswith("png") else b"<svg"
    assert answer.content.startswith(start)


def test_pictures_are_those_of_their_step() -> None:
    for path in ("/boundary.png", "/loss.svg", "/network.svg"):
        texts = {ask(path, SMALL, step=step).content for step in (0, 5, 20)}
        assert len(texts) == 3
    assert ask("/boundary.png", SMALL, dark=1).content != ask("/boundary.png", SMALL).content
    for name in ("dark", "flat", "tests"):
        assert refused("/boundary.png", **{name: "yes"})["field"] == name


# The page


def page(**parameters: str) -> Any:
    """The page, read, and its status."""
    answer = client().get("/train", params=parameters)
    assert answer.headers["content-security-policy"] == TRAIN_POLICY
    return read(answer.text), answer.status_code


def test_the_page_begins_with_a_run() -> None:
    shown, status = page()
    assert status == 200
    assert shown.one("input", id="field-samples").attributes["value"] == str(STARTING.samples)
    other, _ = page(data="moons")
    assert other.one("input", name="samples").attributes["value"] == str(TrainSpec().samples)


def test_refused_input_stays_in_the_form() -> None:
    shown, status = page(layers="2-banana-1", seed="77")
    assert status == 422
    assert shown.one("input", id="field-layers").attributes["value"] == "2-banana-1"
    assert shown.one("input", id="field-seed").attributes["value"] == "77"
    assert "banana" in shown.one(id="error-layers").text


def test_a_run_that_got_shorter_is_at_its_end() -> None:
    shown, status = page(steps="10", step="90")
    assert status == 200
    assert "step 10 of 10" in shown.one("main").text


def test_doctor_parameter_requests_a_diagnosis() -> None:
    parameters = {name: str(text) for name, text in query(DIVERGING, step=60)}
    answer = client().get("/train", params={**parameters, "doctor": "1"})
    assert run(DIVERGING)["doctor"][0]["advice"] in read(answer.text).one("main").text


def test_limits_are_those_of_the_settings() -> None:
    small = client(SEEGRAD_TRAIN_STEPS="10")
    for path in ("", *PATHS):
        assert small.get(f"/train{path}", params={"data": "moons"}).status_code == 422
    assert small.get("/train/state", params={"steps": "10"}).status_code == 200
    assert TrainLimits().steps > 10


def test_a_run_is_kept_for_the_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[TrainSpec] = []
    first = Run.__init__

    def noted(self: Run, spec: TrainSpec) -> None:
        made.append(spec)
        first(self, spec)

    monkeypatch.setattr(Run, "__init__", noted)
    spec = replace(SMALL, seed=987)
    for step in range(5):
        found("/state", spec, step=step)
    assert made == [spec]

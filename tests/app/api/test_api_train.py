"""POST /api/train gives what `python -m engine.training` prints, and says what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import httpx2
import pytest

from engine.training.spec import TrainSpec
from engine.training.textbook import textbook
from tests.app.api.test_api import problem
from tests.support.each import for_each
from tests.support.pages import client
from tests.support.places import ROOT

SMALL = {"samples": 8, "layers": [2, 3, 1], "steps": 5}


def post(body: object, **settings: str) -> httpx2.Response:
    """The answer to `body` as JSON, or to bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = {"content-type": "application/json"}
    answer: httpx2.Response = client(**settings).post("/api/train", content=data, headers=head)
    return answer


def test_the_contract() -> None:
    found: dict[str, Any] = post({}).json()
    assert found["parameter_count"] == 337
    assert len(found["losses"]) == len(found["accuracies"]) == 100
    assert found["test_losses"] == []
    assert len(found["parameters"]) == 337
    assert len(found["predictions"]) == 100
    assert found["accuracies"][-1] == found["final"]["accuracy"] == 1.0
    assert found["spec"]["data"] == "moons"
    assert found["spec"]["schedule_end"] == "10%"
    assert isinstance(found["doctor"], list)


def test_the_numbers_are_the_textbooks() -> None:
    found = post(SMALL).json()
    *before, last = textbook(TrainSpec.from_json(SMALL))
    assert found["losses"] == pytest.approx([state.loss for state in before], rel=1e-12)
    assert found["accuracies"] == [state.accuracy for state in before]
    assert found["parameters"] == pytest.approx(last.parameters, rel=1e-12)


def test_the_answers_spec_gives_the_same_answer() -> None:
    first = post({**SMALL, "test_share": 0.25, "optimizer": "adam", "learning_rate": 0.01}).json()
    assert post(first["spec"]).json() == first
    assert len(first["test_losses"]) == 5


@pytest.mark.parametrize("spec", [{}, SMALL, {"data": "sine", "layers": "1-4-1", "loss": "mse"}])
def test_same_as_the_command(spec: dict[str, object]) -> None:
    command = subprocess.run(
        [sys.executable, "-m", "engine.training", "-"],
        cwd=ROOT,
        input=json.dumps(spec).encode(),
        capture_output=True,
        check=True,
        env={"PYTHONUTF8": "1"},
    )
    answer = post(spec)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(command.stdout)


def test_numbers_that_are_not_finite_are_strings() -> None:
    spec = {**SMALL, "loss": "mse", "learning_rate": 1000.0, "schedule": "constant", "steps": 60}
    found = post(spec).json()
    assert {"nan", "inf"} & {found["final"]["loss"], *map(str, found["losses"])}


@for_each(
    ("spec", "field", "value"),
    [
        ({"optimizer": "adm"}, "optimizer", '"adm"'),
        ({"learning_rate": -1}, "learning_rate", "-1"),
        ({"samples": 1_000_000}, "samples", "1,000,000"),
        ({"layers": [2, 0, 1]}, "layers", "0"),
        ({"layers": [2, 10_000, 1]}, "layers", "10,000"),
        ({"batch": 101}, "batch", "101"),
        ({"data": "rows", "rows": []}, "rows", "[]"),
        ({"data": "rows", "rows": [[1, 2, 1], [1, 2]]}, "rows", "[1, 2]"),
        ({"data": "rows", "rows": [[1, "x", 1], [1, 2, 0]]}, "rows", '"x"'),
        ({"nope": 1}, "nope", '"nope"'),
    ],
)
def test_refusal_names_the_field(spec: dict[str, object], field: str, value: str) -> None:
    found = problem(post(spec), 422)
    assert found["field"] == field
    assert found["value"] == value
    assert field in found["detail"]


@for_each(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"\xff",
        b"[" * 50_000,
        b'{"noise": NaN}',
        b'{"noise": 1e400}',
        b'{"seed": 1, "seed": 2}',
        b'{"steps": 5,}',
        b'{"\\u0000": 1}',
        b'{"\\ud800": 1}',
    ],
)
def test_a_body_that_is_no_spec(body: bytes) -> None:
    problem(post(body), 422)


def test_limits_are_settings() -> None:
    found = problem(post({**SMALL, "steps": 11}, SEEGRAD_TRAIN_STEPS="10"), 422)
    assert found["field"] == "steps"
    assert "10" in found["detail"]
    assert post({**SMALL, "steps": 10}, SEEGRAD_TRAIN_STEPS="10").status_code == 200


def test_the_interface_is_described() -> None:
    found = client().get("/openapi.json").json()
    assert "/api/train" in found["paths"]

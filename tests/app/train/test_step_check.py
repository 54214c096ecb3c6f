"""The check of a step's gradient, as it is answered."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.main import create_app

SMALL = "/train/check?layers=2-3-1&batch=5&steps=60&step=40"


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(create_app())


def check(client: TestClient, more: str = "") -> dict[str, Any]:
    answer = client.get(SMALL + more)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_a_small_network_has_a_row_for_each_parameter(client: TestClient) -> None:
    found = check(client)
    assert (found["step"], found["parameters"], len(found["rows"])) == (40, 13, 13)
    assert found["agrees"]
    assert found["digits"] > 12
    assert not found["along"]
    assert found["says"].startswith("The gradient of step 40 and central differences in fifty")
    state = client.get(SMALL.replace("check", "state")).json()
    assert [row["gradient"] for row in found["rows"]] == state["gradient"]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("&accumulate=false", "this run keeps the last contribution in place of the sum of all"),
        ("&zero_grad=false", "this run adds to the gradients of the steps before"),
    ],
)
def test_a_wrong_gradient_is_told_with_its_reason(client: TestClient, more: str, why: str) -> None:
    found = check(client, more)
    assert not found["agrees"]
    assert found["says"].endswith(f"It is wrong: {why}.")


def test_what_is_not_finite_is_not_compared(client: TestClient) -> None:
    found = check(client, "&learning_rate=10000&activation=relu&loss=mse&schedule=constant")
    assert found["says"] == "The loss or its gradient is not finite here: nothing can be compared."
    assert not found["agrees"]
    assert found["digits"] == "nan"


def test_what_takes_minutes_is_refused_with_advice(client: TestClient) -> None:
    query = "layers=2-100-100-1&activation=gelu&batch=all&samples=1000&steps=1"
    answer = client.get(f"/train/check?{query}")
    assert answer.status_code == 422
    assert "Take a smaller batch or network." in answer.json()["detail"]

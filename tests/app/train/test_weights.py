"""Weights out of a run and into another one."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from engine.training.weights_file import read_weights

RUN = "layers=2-3-1&activation=tanh&steps=60"


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(create_app())


@pytest.mark.parametrize("kind", ["json", "npz"])
def test_a_run_goes_on_from_the_weights_of_another(client: TestClient, kind: str) -> None:
    answer = client.get(f"/train/weights?{RUN}&step=40&as={kind}")
    assert answer.status_code == 200
    assert f'filename="weights.{kind}"' in answer.headers["content-disposition"]
    right = client.get(f"/train/state?{RUN}&step=40").json()["parameters"]
    assert list(read_weights(answer.content).parameters) == right
    sent = client.post("/train/weights?data=moons&activation=tanh", content=answer.content)
    assert sent.status_code == 200
    query = sent.json()["query"]
    assert parse_qs(query)["layers"] == ["2-3-1"]
    assert client.get(f"/train/state?{query}").json()["parameters"] == right


def test_what_the_file_does_not_say_stays(client: TestClient) -> None:
    flat = json.dumps([i / 8 for i in range(13)])
    sent = client.post(f"/train/weights?{RUN}&loss=mse&step=9&set=0:1&at=3", content=flat)
    query = parse_qs(sent.json()["query"])
    assert (query["loss"], query["steps"], query["layers"]) == (["mse"], ["60"], ["2-3-1"])
    assert not {"step", "set", "at"} & set(query)


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (b"nothing", "This is neither JSON, nor .npz, nor what torch.save writes."),
        (b"[1, 2]", "13"),
        (b'{"a": [[1, 2, 3]], "b": [1]}', "2"),
    ],
)
def test_what_does_not_fit_is_refused(client: TestClient, file: bytes, says: str) -> None:
    answer = client.post(f"/train/weights?{RUN}", content=file)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]

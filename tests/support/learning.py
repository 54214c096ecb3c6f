"""Fixtures of Train's tests: small runs, and a client of its addresses."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import httpx2

from engine.training.spec import TrainSpec
from tests.support.pages import client

SMALL = TrainSpec(samples=12, layers=(2, 3, 1), steps=20)
MINIBATCH = TrainSpec(
    samples=20, test_share=0.25, layers=(2, 4, 1), activation="tanh", batch=4, optimizer="adam",
    learning_rate=0.05, steps=40, seed=7,
)  # fmt: skip
CURVE = TrainSpec(data="sine", samples=16, layers=(1, 5, 1), loss="mse", steps=12, l2=0.0)
THREE = TrainSpec(
    data="three_spirals", samples=30, layers=(2, 4, 3), loss="cross_entropy", steps=15,
    learning_rate=0.5,
)  # fmt: skip
WIDE = TrainSpec(data="four_points", layers=(3, 2, 1), loss="sum_squares", steps=9)
DIVERGING = TrainSpec(
    samples=10, layers=(2, 3, 1), activation="linear", loss="mse", learning_rate=500.0,
    schedule="constant", steps=60,
)  # fmt: skip
SPECS = {
    "small": SMALL,
    "minibatch": MINIBATCH,
    "curve": CURVE,
    "three": THREE,
    "wide": WIDE,
    "diverging": DIVERGING,
}


Query = list[tuple[str, str | int | float | bool | None]]


def query(spec: TrainSpec, **more: object) -> Query:
    """The query parameters of a run; a trailing underscore is dropped, as in `from_`."""
    return [*spec.to_query(), *((name.rstrip("_"), str(value)) for name, value in more.items())]


def ask(path: str, spec: TrainSpec, **more: object) -> httpx2.Response:
    """The response of an address below /train."""
    answer: httpx2.Response = client().get(
        f"/train{path}", params=query(spec, **more), follow_redirects=False
    )
    return answer


def found(path: str, spec: TrainSpec, **more: object) -> Any:
    """The JSON at an address below /train; asserts success."""
    answer = ask(path, spec, **more)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def refused(path: str, **parameters: str) -> dict[str, Any]:
    """The error at an address; asserts a refusal."""
    answer = client().get(f"/train{path}", params=parameters)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["detail"].endswith((".", "?"))
    return problem


class Event(NamedTuple):
    """One server-sent event."""

    id: int
    name: str
    data: dict[str, Any]


def events(text: str) -> Iterator[Event]:
    """The events of a stream's text."""
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line[1:])
        if "event" in lines:
            yield Event(int(lines["id"]), lines["event"], json.loads(lines["data"]))


def numbers(found: Sequence[Any]) -> list[float]:
    """Numbers from JSON, including "nan", "inf" and "-inf"."""
    return [float(x) for x in found]


def shades(text: str) -> bytes:
    """The bytes of a picture in JSON."""
    return b64decode(text, validate=True)

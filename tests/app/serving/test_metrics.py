"""Metrics: requests by path, queues, refusals, work and process, in valid text."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.picture import layout
from app.picture.graphviz_wasm import GraphvizTimeout
from app.serving.headers import Receive, Scope, Send
from app.serving.metrics import Metrics
from app.serving.thread_pools import BusyError
from app.settings import from_environment
from engine import __version__
from tests.app.test_main import LEARNING, MAP
from tests.support.learning import SMALL, query
from tests.support.pages import EXAMPLE

LINE = re.compile(r'(\w+)(?:\{((?:\w+="(?:[^"\\\n]|\\.)*",?)+)\})? (-?[\d.e+-]+)')
PAIR = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')

Labels = tuple[tuple[str, str], ...]

CONTRACT = {
    "seegrad_requests_total": "counter",
    "seegrad_request_seconds": "histogram",
    "seegrad_requests_in_flight": "gauge",
    "seegrad_refused_total": "counter",
    "seegrad_streams_open": "gauge",
    "seegrad_stream_seconds": "histogram",
    "seegrad_queue_length": "gauge",
    "seegrad_sheds_total": "counter",
    "seegrad_cache_total": "counter",
    "seegrad_layout_seconds": "histogram",
    "seegrad_layout_timeouts_total": "counter",
    "seegrad_training_seconds_total": "counter",
    "seegrad_training_steps_total": "counter",
    "seegrad_build_info": "gauge",
    "process_resident_memory_bytes": "gauge",
    "process_open_fds": "gauge",
}
"""Names that dashboards and alerts rely on."""


def fresh(**environment: str) -> TestClient:
    """A server that has counted nothing yet."""
    return TestClient(create_app(from_environment(environment)))


def numbers(client: TestClient) -> dict[str, dict[Labels, float]]:
    """What is counted, by name and labels."""
    return parsed(client.get("/metrics").text)


def parsed(text: str) -> dict[str, dict[Labels, float]]:
    """The numbers of a text, each of which must be well formed and stand once."""
    found: dict[str, dict[Labels, float]] = defaultdict(dict)
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        assert match, line
        labels = tuple(PAIR.findall(match[2] or ""))
        assert labels not in found[match[1]], line
        found[match[1]][labels] = float(match[3])
    return found


def requests(client: TestClient) -> dict[str, float]:
    """Requests counted so far by path."""
    found: dict[str, float] = defaultdict(float)
    for labels, count in numbers(client)["seegrad_requests_total"].items():
        found[dict(labels)["path"]] += count
    return dict(found)


# The text


def test_the_kind_of_text_is_named() -> None:
    answer = fresh().get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


def test_every_number_is_explained_once_and_before_it_stands() -> None:
    client = fresh()
    client.get("/", params={"program": EXAMPLE})
    told: dict[str, str] = {}
    helped: set[str] = set()
    for line in client.get("/metrics").text.splitlines():
        if line.startswith("# HELP "):
            name, _, words = line.removeprefix("# HELP ").partition(" ")
            assert words
            assert name not in helped
            helped.add(name)
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            told[name] = kind
        else:
            name = line.partition("{")[0].partition(" ")[0]
            family = re.sub(r"_(bucket|sum|count)$", "", name)
            assert told.get(name) in ("counter", "gauge") or told[family] == "histogram"
    assert set(told) == helped
    assert CONTRACT.items() <= told.items()
    others = set(told) - set(CONTRACT)
    assert all(name.startswith(("process_", "python_")) for name in others)


def test_a_histogram_adds_up() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.005, 0.03, 0.03, 700.0):
        metrics.layout_seconds.observe(seconds)
    found = parsed(metrics.text().decode())
    buckets = {
        dict(labels)["le"]: count
        for labels, count in found["seegrad_layout_seconds_bucket"].items()
    }
    wanted = {"0.005": 2, "0.025": 2, "0.1": 4, "0.5": 4, "2.5": 4, "+Inf": 5}
    assert buckets == wanted
    assert found["seegrad_layout_seconds_count"] == {(): 5}
    assert found["seegrad_layout_seconds_sum"][()] == pytest.approx(700.066)


def test_nothing_is_lost_between_threads() -> None:
    metrics = Metrics()

    def work() -> None:
        for _ in range(2_000):
            metrics.training_steps.inc(2)
            metrics.layout_seconds.observe(0.01)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = parsed(metrics.text().decode())
    assert found["seegrad_training_steps_total"] == {(): 32_000}
    assert found["seegrad_layout_seconds_count"] == {(): 16_000}


# Requests


def test_every_address_of_the_map_has_a_name_of_its_own() -> None:
    client = fresh()
    for path, (methods, _) in MAP.items():
        if path != "/metrics":
            client.request(methods.split()[0], path, params={"nope": "1"})
    found = requests(client)
    assert set(found) == set(MAP) - {"/metrics"}


def test_versions_assets_and_what_is_not_there() -> None:
    client = fresh()
    version = client.get("/healthz").headers["seegrad-version"]
    client.get(f"/v/{version}/train/state", params=LEARNING)
    client.get("/v/0123/train/state", params=LEARNING)
    client.get("/static/0/css/app.css")
    for path in ("/nope", "/nope/train", "/v/x/nope", "/train/", "/%7Bpath%7D"):
        client.get(path)
    assert requests(client) == {"/healthz": 1, "/train/state": 2, "/static": 1, "other": 5}


def test_seconds_are_those_of_all_answers_but_streams() -> None:
    client = fresh()
    client.get("/train/stream", params=query(SMALL))
    client.get("/train/state", params=LEARNING)
    client.head("/train/stream", params=query(SMALL))
    found = numbers(client)
    seconds = found["seegrad_request_seconds_count"]
    assert seconds == {(("path", "/train/state"),): 1, (("path", "/train/stream"),): 1}
    assert found["seegrad_stream_seconds_count"] == {(): 1}
    assert found["seegrad_requests_total"][("path", "/train/stream"), ("status", "200")] == 2


def test_open_requests_are_counted() -> None:
    counts = Metrics()
    seen: list[tuple[float, float]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(open_now(counts))
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        seen.append(open_now(counts))
        await send({"type": "http.response.body", "body": b""})

    TestClient(counts.around(app)).get("/")
    assert seen == [(1, 0), (0, 1)]
    assert open_now(counts) == (0, 0)


def open_now(counts: Metrics) -> tuple[float, float]:
    """Requests in flight, and streams."""
    found = parsed(counts.text().decode())
    return found["seegrad_requests_in_flight"][()], found["seegrad_streams_open"][()]


def test_a_failure_is_counted_and_ends_as_others_do() -> None:
    counts = Metrics()

    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError

    client = TestClient(counts.around(broken), raise_server_exceptions=False)
    assert client.get("/").status_code == 500
    found = parsed(counts.text().decode())
    assert found["seegrad_requests_total"] == {(("path", "other"), ("status", "500")): 1}
    assert open_now(counts) == (0, 0)


# Work


def test_answers_that_were_known() -> None:
    client = fresh()
    tag = client.get("/", params={"program": EXAMPLE}).headers["etag"]
    client.get("/", params={"program": EXAMPLE})
    client.get("/", params={"program": EXAMPLE}, headers={"if-none-match": tag})
    client.get("/v/0123/", params={"program": EXAMPLE})
    found = {
        dict(labels)["result"]: n for labels, n in numbers(client)["seegrad_cache_total"].items()
    }
    assert found == {"miss": 1, "hit": 1, "unchanged": 1, "gone": 1}


def test_layouts_and_those_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    layout._cache.clear()
    client = fresh()
    client.get("/", params={"program": EXAMPLE})
    client.get("/", params={"program": EXAMPLE, "frame": "1"})
    found = numbers(client)
    assert found["seegrad_layout_seconds_count"] == {(): 1}
    assert found["seegrad_layout_timeouts_total"] == {(): 0}

    def late(*_: object) -> None:
        raise GraphvizTimeout("for this test")

    monkeypatch.setattr(layout, "_best", late)
    monkeypatch.setattr(layout._failures, "put", lambda *_: None)
    client.get("/", params={"program": "a = 2.0; L = a*a*a*a*a - a"})
    found = numbers(client)
    assert found["seegrad_layout_seconds_count"] == {(): 2}
    assert found["seegrad_layout_timeouts_total"] == {(): 1}


@pytest.mark.parametrize(
    ("path", "steps"),
    [("/train/state?step=5", 5), ("/train/stream?", 9), ("/train/sweep?rates=1,2&seeds=1,2,3", 54)],
)
def test_training_of_every_kind(path: str, steps: int) -> None:
    client = fresh()
    path += "&samples=8&layers=2-2-1&steps=9"
    assert client.get(path).status_code == 200
    found = numbers(client)
    assert found["seegrad_training_steps_total"] == {(): steps}
    assert found["seegrad_training_seconds_total"][()] > 0


def test_training_below_api() -> None:
    client = fresh()
    client.post("/api/train", json={"samples": 8, "layers": "2-2-1", "steps": 7})
    assert numbers(client)["seegrad_training_steps_total"] == {(): 7}


def test_refused_requests_are_counted_by_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(kind: str) -> None:
        raise BusyError(kind, "for this test")

    monkeypatch.setattr("app.explore.explorer.Explorer.page", lambda *_: busy("light"))
    monkeypatch.setattr("app.train.handlers.Streams.admit", lambda *_: busy("stream"))
    client = fresh()
    for path in ("/explore", "/train/stream", "/train/stream"):
        assert client.get(path).status_code == 503
    found = numbers(client)["seegrad_sheds_total"]
    assert found == {(("kind", "light"),): 1, (("kind", "stream"),): 2}


KINDS = ("light", "medium", "long", "train", "stream", "sweep")


def test_waiting_requests_are_counted_by_kind() -> None:
    found = numbers(fresh())["seegrad_queue_length"]
    assert found == {(("kind", kind),): 0 for kind in KINDS}


# The process


def test_running_work_is_counted() -> None:
    client = fresh()
    version = client.get("/healthz").headers["seegrad-version"]
    ((labels, one),) = numbers(client)["seegrad_build_info"].items()
    assert one == 1
    assert dict(labels).keys() == {"version", "key", "python"}
    assert dict(labels)["version"] == __version__
    assert dict(labels)["key"] == version


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux says so")
def test_memory_and_descriptors(tmp_path: Path) -> None:
    client = fresh()
    found = numbers(client)
    assert found["process_resident_memory_bytes"][()] > 2**20
    before = found["process_open_fds"][()]
    assert before >= 3
    with (tmp_path / "file").open("w"):
        assert numbers(client)["process_open_fds"][()] == before + 1

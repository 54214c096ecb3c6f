"""Readiness: the check draws, is cached, has a time limit, and reports failures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import wasmtime
from starlette.testclient import TestClient

from app.main import create_app
from app.picture import graphviz_wasm, layout
from app.picture.graphviz_wasm import Graphviz
from app.serving import ready
from app.serving.headers import ASGI
from app.serving.ready import Readiness, fingerprint
from app.serving.shutdown import Draining
from app.settings import from_environment
from engine.ops import OPS
from tests.support.pages import EXAMPLE
from tests.support.places import ROOT

PATIENCE = 60.0


def fresh(**environment: str) -> TestClient:
    """A server of its own, which has time to draw however busy the machine is."""
    environment = {"SEEGRAD_READY_SECONDS": str(PATIENCE), **environment}
    return TestClient(create_app(from_environment(environment)))


@pytest.fixture
def every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No result of a check is used twice."""
    monkeypatch.setattr(ready, "HOLDS", 0.0)


def reason(answer: httpx2.Response) -> str:
    """Why a server is not ready."""
    assert answer.status_code == 503
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["retry-after"]
    found: dict[str, str] = answer.json()
    assert found["status"] == "not ready"
    return found["reason"]


# What is answered


def test_a_server_is_ready_and_says_its_version() -> None:
    answer = fresh().get("/readyz")
    assert answer.status_code == 200
    version = answer.headers["seegrad-version"]
    assert answer.json() == {"status": "ready", "version": version}
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.usefixtures("every_time")
def test_graphviz_runs_each_time_and_what_is_remembered_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    render = Graphviz.render

    def noted(self: Graphviz, source: str, deadline: float) -> bytes:
        drawn.append(source)
        return render(self, source, deadline)

    client = fresh()
    client.get("/", params={"program": EXAMPLE})
    monkeypatch.setattr(Graphviz, "render", noted)
    before = dict(layout._cache._entries)
    counts = []
    for _ in range(3):
        assert client.get("/readyz").status_code == 200
        counts.append(len(drawn))
    assert 0 < counts[0] < counts[1] < counts[2]
    assert list(layout._cache._entries) == list(before)


def test_a_result_holds_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "HOLDS", PATIENCE)
    checks = counted(monkeypatch)
    client = fresh()
    for _ in range(3):
        assert client.get("/readyz").status_code == 200
    assert len(checks) == 1


def counted(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One item for each check that is begun."""
    found: list[None] = []
    work = Readiness._work

    def noted(self: Readiness) -> None:
        found.append(None)
        work(self)

    monkeypatch.setattr(Readiness, "_work", noted)
    return found


# What is wrong


@pytest.mark.usefixtures("every_time")
def test_a_graphviz_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise wasmtime.WasmtimeError("for this test")

    client = fresh()
    with monkeypatch.context() as patched:
        patched.setattr(graphviz_wasm, "_Instance", broken)
        patched.setattr(layout._reserve, "_instance", None)
        assert "WasmtimeError" in reason(client.get("/readyz"))
        assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200


@pytest.mark.usefixtures("every_time")
def test_numbers_that_are_others_than_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    client = fresh()
    with monkeypatch.context() as patched:
        patched.setattr(ready, "fingerprint", lambda: "0")
        assert "numbers" in reason(client.get("/readyz"))
    assert client.get("/readyz").status_code == 200


@pytest.mark.usefixtures("every_time")
def test_a_graph_that_takes_too_long() -> None:
    with layout._reserve._lock:  # another graph is being laid out, and goes on
        client = fresh(SEEGRAD_READY_SECONDS="0.05")
        assert reason(client.get("/readyz"))
        assert client.get("/healthz").status_code == 200


def test_one_check_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    go, begun = threading.Event(), threading.Event()

    def slow(self: Readiness) -> None:
        begun.set()
        assert go.wait(PATIENCE)

    monkeypatch.setattr(Readiness, "_work", slow)
    checks = counted(monkeypatch)
    client = fresh(SEEGRAD_READY_SECONDS="0.05")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.get("/readyz"), range(16)))
    assert begun.is_set()
    assert len(checks) == 1
    assert all("has not ended" in reason(answer) for answer in answers)
    go.set()


def test_no_thread_is_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    client = fresh()
    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)
    assert "thread" in reason(client.get("/readyz"))


@pytest.mark.usefixtures("every_time")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted on Linux")
def test_descriptors_ran_out() -> None:
    app = create_app(from_environment({"SEEGRAD_READY_SECONDS": str(PATIENCE)}))

    async def main() -> list[tuple[int, Any]]:
        found = [await ask(app, "/readyz")]
        with no_descriptors():
            found += [await ask(app, path) for path in ("/readyz", "/healthz", "/metrics")]
        return [*found, await ask(app, "/readyz")]

    before, during, health, counts, after = anyio.run(main)
    assert (before[0], after[0]) == (200, 200)
    assert during[0] == 503
    assert "OSError" in json.loads(during[1])["reason"]
    assert health == (200, b'{"status":"ok"}')
    assert counts[0] == 200


@contextmanager
def no_descriptors() -> Iterator[None]:
    """All descriptors that the process may open are open."""
    import resource  # which only Unix has

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))  # noqa: PTH208
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 8, hard))
    try:
        with ExitStack() as opened:
            while True:
                try:
                    opened.enter_context(open(os.devnull))  # noqa: PTH123
                except OSError:
                    break
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def ask(app: ASGI, path: str) -> tuple[int, bytes]:
    """Status and body of an answer, in the loop that runs."""
    told: list[Any] = []
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "path": path, "raw_path": path.encode(), "root_path": "", "scheme": "http",
        "query_string": b"", "headers": [], "client": ("test", 1), "server": ("test", 80),
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        told.append(message)

    await app(scope, receive, send)
    return told[0]["status"], b"".join(message.get("body", b"") for message in told[1:])


def test_a_server_that_is_being_stopped() -> None:
    ending = Draining()
    readiness = Readiness(ending, PATIENCE)
    assert anyio.run(readiness.problem) is None
    ending.begin()
    assert "stopped" in str(anyio.run(readiness.problem))


# Numerics


def test_the_fingerprint_is_the_same_in_another_process() -> None:
    program = "from app.serving.ready import fingerprint; print(fingerprint())"
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == fingerprint() == fingerprint()


@pytest.mark.parametrize("name", OPS)
def test_the_last_bit_of_every_operation_counts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, op = fingerprint(), OPS[name]
    monkeypatch.setitem(OPS, name, replace(op, formula=f"({op.formula}) * {1 + 2**-52!r}"))
    assert fingerprint() != before


@pytest.mark.parametrize("change", [{"seed": 2}, {"activation": "relu"}, {"steps": 3}])
def test_the_bits_of_training_count(change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()
    monkeypatch.setattr(ready, "SPEC", replace(ready.SPEC, **change))
    assert fingerprint() != before

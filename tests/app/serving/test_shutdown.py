"""Graceful shutdown: streams end and resume elsewhere, long work is cancelled, exit status 0."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import anyio
import httpx2
import pytest
from fastapi import Request
from starlette.testclient import TestClient

from app import main
from app.main import create_app
from app.serving import shutdown
from app.serving.computing import compute
from app.serving.shutdown import NEVER, SIGNALS, Draining
from app.serving.thread_pools import BusyError, ThreadPool
from app.settings import from_environment
from app.train.runs import TrainingRuns
from app.train.stream import Pace, Player, events
from engine.cancellation import IsCancelled
from engine.kernel import Run
from engine.training.spec import TrainSpec
from tests.support.learning import SMALL, Event, query
from tests.support.learning import events as read
from tests.support.places import ROOT

HOST = "127.0.0.1"
PATIENCE = 120.0  # seconds; waited in full only where something is wrong
STREAMS = 20
RESUMED = 5  # of the streams, to their ends
LONG = TrainSpec(samples=12, layers=(2, 3, 1), steps=2_000)
ENDLESS = {"samples": 2000, "layers": "2-64-64-1", "steps": 1000}


# A process


@contextmanager
def server(*options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command in a process of its own that answers, and its port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "--no-open", "--port", str(port), *options]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)
    try:
        until(lambda: answers(port))
        yield process, port
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def until(condition: Any) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


def answers(port: int) -> bool:
    """Whether the server answers."""
    try:
        return httpx2.get(f"http://{HOST}:{port}/healthz", timeout=5).status_code == 200
    except httpx2.TransportError:
        return False


class Watcher:
    """A client that watches a run of its own."""

    def __init__(self, port: int, seed: int) -> None:
        self.spec = TrainSpec(**{**LONG.to_json(), "seed": seed})
        self._socket = socket.create_connection((HOST, port), PATIENCE)
        asked = urlencode(query(self.spec, every=10, fps=5))
        head = f"GET /train/stream?{asked} HTTP/1.1\r\nhost: {HOST}\r\n\r\n"
        self._socket.sendall(head.encode())
        self._received = b""

    def receive(self) -> bool:
        """Take in what comes next; False at the end."""
        piece = self._socket.recv(65_536)
        self._received += piece
        return bool(piece)

    def see_something(self) -> None:
        while not self.events():
            assert self.receive(), self._received

    def see_the_end(self) -> None:
        while self.receive():
            pass
        self._socket.close()

    def events(self) -> list[Event]:
        """The events that came whole."""
        body = self._received.partition(b"\r\n\r\n")[2]
        whole = (
            re.sub(rb"\r\n[0-9a-f]+\r\n|^[0-9a-f]+\r\n", b"", body).decode().rpartition("\n\n")[0]
        )
        return list(read(whole))


def losses(found: list[Event]) -> list[Any]:
    return [loss for event in found if event.name == "state" for loss in event.data["losses"]]


@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGTERM, "1"), (signal.SIGINT, "1"), (signal.SIGTERM, "2")]
)
def test_streams_end_at_once_and_go_on_elsewhere(number: signal.Signals, workers: str) -> None:
    with server("--workers", workers) as (process, port):
        watchers = [Watcher(port, seed) for seed in range(STREAMS)]
        for watcher in watchers:
            watcher.see_something()
        process.send_signal(number)
        for watcher in watchers:
            watcher.see_the_end()
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert err == ""  # nothing had to be cut off
    elsewhere = TestClient(create_app(from_environment({})))
    for watcher in watchers:
        assert {event.name for event in watcher.events()} == {"state"}
    for watcher in watchers[:: STREAMS // RESUMED]:
        seen = watcher.events()
        headers = {"last-event-id": str(seen[-1].id)}
        asked = query(watcher.spec, every=LONG.steps)
        rest = list(read(elsewhere.get("/train/stream", params=asked, headers=headers).text))
        assert rest[-1].name == "done"
        run = Run(watcher.spec)
        run.seek(LONG.steps)
        assert losses([*seen, *rest]) == list(run.losses)


def test_long_work_is_stopped_and_unfinished_requests_are_closed() -> None:
    found: list[httpx2.Response] = []
    started = b"POST /api/trace HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\nhalf"
    with server() as (process, port):
        url = f"http://{HOST}:{port}"

        def ask() -> None:
            found.append(httpx2.post(f"{url}/api/train", json=ENDLESS, timeout=PATIENCE))

        asking = threading.Thread(target=ask)
        asking.start()
        clients = [socket.create_connection((HOST, port), PATIENCE) for _ in range(3)]
        for client, sent in zip(clients, (b"", b"GET / HT", started), strict=True):
            client.sendall(sent)
        busy = "seegrad_requests_in_flight 3.0\n"  # the run's, the third client's, and this one
        until(lambda: busy in httpx2.get(f"{url}/metrics").text)
        process.send_signal(signal.SIGTERM)
        asking.join(PATIENCE)
        _, err = process.communicate(timeout=PATIENCE)
        for client in clients:
            with client:
                assert client.recv(65_536) == b""
    assert process.returncode == 0
    assert err == ""
    assert found[0].status_code == 503
    assert found[0].headers["cache-control"] == "no-store"
    assert found[0].headers["retry-after"]


# Work


def test_work_is_cancelled_at_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    ending, started, ended = Draining(), threading.Event(), threading.Event()
    monkeypatch.setattr(shutdown, "of", lambda scope: ending)
    monkeypatch.setattr(shutdown, "GRACE", 0.0)

    def work(is_cancelled: IsCancelled) -> None:
        started.set()
        while not is_cancelled():
            time.sleep(0.001)
        ended.set()

    async def main() -> None:
        async def stop() -> None:
            await anyio.to_thread.run_sync(started.wait)
            ending.begin()

        async with anyio.create_task_group() as group:
            group.start_soon(stop)
            with pytest.raises(BusyError) as caught:
                await compute(still_there(), ThreadPool("train", 1, 1, PATIENCE), work)
            assert caught.value.kind == shutdown.KIND
            assert "stopped" in str(caught.value)

    anyio.run(main)
    assert ended.wait(PATIENCE)


def test_work_that_is_nearly_done_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Draining()
    ending.begin()
    monkeypatch.setattr(shutdown, "of", lambda scope: ending)
    monkeypatch.setattr(shutdown, "GRACE", PATIENCE)

    async def main() -> int | None:
        return await compute(
            still_there(), ThreadPool("train", 1, 1, PATIENCE), lambda is_cancelled: 42
        )

    assert anyio.run(main) == 42


def still_there() -> Request:
    """A request whose client waits."""

    async def receive() -> dict[str, Any]:
        await anyio.sleep_forever()
        raise AssertionError

    return Request({"type": "http", "headers": []}, receive)


# Streams


def test_a_stream_ends_between_two_events() -> None:
    async def main() -> list[bytes]:
        ending, pieces = Draining(), []
        player = Player(TrainingRuns().kept(SMALL), SMALL.steps, Pace(1, 0.1))
        threads = ThreadPool("stream", 1, 1, PATIENCE)
        async for piece in events(player, 0, threads, ending):
            pieces.append(piece)
            if b"event: state" in piece:
                ending.begin()
        assert player.gone
        return pieces

    assert b"event: done" not in b"".join(anyio.run(main))


def test_no_new_stream_and_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Draining()
    monkeypatch.setattr(main, "Draining", lambda: ending)
    client = TestClient(create_app(from_environment({})))
    assert client.get("/readyz").status_code == 200
    ending.begin()
    for path, parameters in (("/train/stream", query(SMALL)), ("/readyz", [])):
        answer = client.get(path, params=parameters)
        assert answer.status_code == 503
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["retry-after"]
        assert "being stopped" in json.dumps(answer.json())
    assert client.get("/healthz").status_code == 200
    assert client.get("/", params={"program": "L = 2.0*3"}).status_code == 200


# Signals


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """The signals that reach the handlers which were there before, as those of a server are."""
    found: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        found.append(number)

    before = {number: signal.signal(number, note) for number in SIGNALS}
    yield found
    for number, handler in before.items():
        assert signal.getsignal(number) is note
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_the_handler_before_is_called_too(number: signal.Signals, heard: list[int]) -> None:
    ending = Draining()
    with ending.on_signals():
        signal.raise_signal(number)
    assert ending.begun
    assert heard == [number]


def test_afterwards_nothing_is_left(heard: list[int]) -> None:
    ending = Draining()
    with ending.on_signals():
        pass
    signal.raise_signal(signal.SIGTERM)
    assert not ending.begun
    assert heard == [signal.SIGTERM]


def test_several_applications_in_a_process(heard: list[int]) -> None:
    one, other = Draining(), Draining()
    with one.on_signals(), other.on_signals():
        signal.raise_signal(signal.SIGTERM)
    assert one.begun
    assert other.begun
    assert heard == [signal.SIGTERM]


def test_the_first_to_begin_may_be_the_first_to_end(heard: list[int]) -> None:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    one, other = Draining(), Draining()
    first, second = one.on_signals(), other.on_signals()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    signal.raise_signal(signal.SIGTERM)
    second.__exit__(None, None, None)
    signal.raise_signal(signal.SIGINT)
    assert [one.begun, other.begun] == [False, True]
    assert heard == [signal.SIGTERM, signal.SIGINT]
    for number, handler in before.items():
        signal.signal(number, handler)


def test_in_another_thread_signals_are_left_alone(heard: list[int]) -> None:
    with TestClient(create_app(from_environment({}))) as running:  # its lifespan has a thread
        assert running.get("/readyz").status_code == 200
        signal.raise_signal(signal.SIGTERM)
        assert running.get("/readyz").status_code == 200
    assert heard == [signal.SIGTERM]


def test_waiting_coroutines_are_woken_in_their_own_loops() -> None:
    ending, waiting = Draining(), threading.Barrier(3)

    async def wait() -> None:
        task = asyncio.create_task(ending.wait())
        await asyncio.sleep(0)
        waiting.wait(PATIENCE)
        await asyncio.wait_for(task, PATIENCE)

    threads = [threading.Thread(target=asyncio.run, args=(wait(),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    waiting.wait(PATIENCE)
    ending.begin()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    asyncio.run(asyncio.wait_for(ending.wait(), PATIENCE))  # and who comes later


def test_a_request_of_no_application_is_never_stopped() -> None:
    assert shutdown.of({"type": "http"}) is NEVER
    assert not NEVER.begun


def test_sigterm_ends_the_process_well_around_a_server() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as caught, shutdown.exiting_cleanly():
        signal.raise_signal(signal.SIGTERM)
    assert caught.value.code == 0
    assert signal.getsignal(signal.SIGTERM) is before

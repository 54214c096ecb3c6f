"""Loss of replicas behind nginx while clients read streams and request traces.

A `Watcher` reads a stream and reconnects after a lost connection with the last event's id; `asking`
requests traces continuously; `kills` kills the replicas in turn.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from app.train.live_run import LiveRun
from benchmarks.replicas import HOST, Cluster
from engine.training.spec import TrainSpec

PAUSE = 0.05  # seconds between retries
PATIENCE = 120.0  # timeout in seconds, generous for a loaded machine
SPEC = TrainSpec(samples=16, layers=(2, 4, 1), steps=5_000)  # minutes at the watchers' pace
QUERY = urlencode(SPEC.to_query())
STREAMS = 8
KILLS = 6


def undisturbed() -> list[float]:
    """The losses of the run."""
    run = LiveRun(SPEC)
    run.seek(SPEC.steps)
    return list(run.kernel.losses)


@dataclass
class Watcher(threading.Thread):
    """A thread that reads a stream to its end, resuming from the last event's id after each loss.

    Reads slowly until `hurry` is set, then reconnects once and reads the rest at full speed.
    """

    port: int
    hurry: threading.Event
    losses: list[float] = field(default_factory=list)
    lost: int = 0
    """How often the connection was lost."""
    refused: Counter[int] = field(default_factory=Counter)
    """Answers that were no stream, by status."""
    wrong: list[str] = field(default_factory=list)
    done: bool = False

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    # A dataclass compares by value; threads are kept in sets of theirs.
    __hash__ = threading.Thread.__hash__

    @property
    def step(self) -> int:
        """The number of steps received."""
        return len(self.losses)

    def run(self) -> None:
        while not self.done and not self.wrong:
            hurried = self.hurry.is_set()
            with suppress(OSError, http.client.HTTPException):
                if self._read(hurried):
                    continue
            self.lost += 1
            time.sleep(PAUSE)

    def _read(self, hurried: bool) -> bool:
        """Read a stream; returns whether it ended on purpose: complete, or to change the pace."""
        client = http.client.HTTPConnection(HOST, self.port, timeout=30)
        pace = "every=fast&fps=60" if hurried else "every=1&fps=20"
        headers = {"last-event-id": str(self.step)} if self.step else {}
        try:
            client.request("GET", f"/train/stream?{QUERY}&{pace}", headers=headers)
            answer = client.getresponse()
            if answer.status != 200:
                self.refused[answer.status] += 1
                return False
            for name, data in _events(answer):
                self._take(name, data)
                if self.done or self.wrong or (self.hurry.is_set() and not hurried):
                    return True
            return False
        finally:
            client.close()

    def _take(self, name: str, data: dict[str, Any]) -> None:
        if name == "done":
            self.done = True
        elif data["losses_from"] != self.step or data["step"] != self.step + len(data["losses"]):
            self.wrong.append(f"at {self.step}: {data['losses_from']} to {data['step']}")
        else:
            self.losses += data["losses"]


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, dict[str, Any]]]:
    """Complete events; a truncated one is dropped."""
    name, data = "", ""
    while line := answer.readline():
        word, _, rest = line.decode().rstrip("\n").partition(": ")
        if word == "event":
            name = rest
        elif word == "data":
            data = rest
        elif not word and name:
            yield name, json.loads(data)
            name, data = "", ""


@dataclass
class Asked:
    """The outcomes of the requested traces."""

    answers: Counter[object] = field(default_factory=Counter)
    """"right", or "again" for a POST that its replica did not answer; else the status or the error.
    """
    slowest: float = 0.0
    """Seconds."""


@contextmanager
def asking(cluster: Cluster, pause: float = 0.01) -> Iterator[Asked]:
    """Request distinct traces by GET and POST while the block runs, `pause` seconds apart."""
    found = Asked()
    enough = threading.Event()

    def ask(who: int) -> None:
        turn = 0
        while not enough.wait(pause):
            turn += 1
            began = time.monotonic()
            try:
                outcome = _trace(cluster, f"a = {who}.0\nb = a * {turn}.0", turn % 2 == 0)
            except (OSError, http.client.HTTPException, ValueError) as error:
                outcome = repr(error)
            found.answers[outcome] += 1
            found.slowest = max(found.slowest, time.monotonic() - began)

    threads = [threading.Thread(target=ask, args=(who,), daemon=True) for who in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield found
    finally:
        enough.set()
        for thread in threads:
            thread.join(PATIENCE)


def _trace(cluster: Cluster, program: str, posted: bool) -> object:
    if posted:
        headers = {"content-type": "application/json"}
        body = json.dumps({"program": program}).encode()
        answer = cluster.ask("/api/trace", "POST", headers, body)
    else:
        answer = cluster.ask(f"/api/trace?{urlencode({'program': program})}")
    is_right = answer.status == 200 and json.loads(answer.body)["program"] == program
    if posted and answer.status in (502, 503):  # sent, and therefore never sent to another one
        return "again"
    return "right" if is_right else answer.status


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait until the condition holds. Raises RuntimeError(`what`) after a timeout."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(what)
        time.sleep(0.01)


def all_go_on(watchers: list[Watcher]) -> None:
    """Wait until every watcher has received more steps. Raises RuntimeError after a timeout."""
    goals = [watcher.step + 3 for watcher in watchers]

    def reached() -> bool:
        pairs = zip(watchers, goals, strict=True)
        return all(watcher.step >= goal or not watcher.is_alive() for watcher, goal in pairs)

    wait_until(reached, "the streams stand still")


def kills(
    cluster: Cluster, streams: int = STREAMS, times: int = KILLS, pause: float = 0.01
) -> tuple[list[Watcher], Asked, int]:
    """Kill the replicas in turn while runs are watched and traces requested, `pause` seconds apart.

    At least one replica is always alive. Returns the watchers, the outcomes of the requests and the
    number of streams open at the last kill. Raises RuntimeError after a timeout.
    """
    hurry = threading.Event()
    watchers = [Watcher(cluster.proxy.port, hurry) for _ in range(streams)]
    with asking(cluster, pause) as asked:
        for watcher in watchers:
            watcher.start()
        for turn in range(times):
            all_go_on(watchers)
            replica = cluster.replicas[turn % len(cluster.replicas)]
            there = sum(watcher.is_alive() for watcher in watchers)
            replica.kill()
            replica.start()
        hurry.set()
        for watcher in watchers:
            watcher.join(PATIENCE)
    return watchers, asked, there

"""A process that no longer answers is replaced; one that works, waits or was asleep is not lost."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import pytest

from app.serving import silence
from tests.app.serving.test_hostile_wire import children
from tests.support.freezable import FREEZE
from tests.support.places import ROOT

HOST = "127.0.0.1"
PATIENCE = 120.0  # seconds; waited in full only where something is wrong
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are found in /proc")


class Server:
    """The command in a process of its own, and the processes that serve for it."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def get(self, path: str, seconds: float = 5) -> int:
        """The status of an answer; 0 if there is none."""
        try:
            return httpx2.get(f"http://{HOST}:{self.port}{path}", timeout=seconds).status_code
        except httpx2.TransportError:
            return 0

    def until_well(self) -> None:
        until(lambda: self.get("/healthz") == 200)

    def workers(self) -> set[int]:
        return children(self.process.pid)

    def end(self) -> tuple[int, str]:
        """Ask it to stop; its exit status and what it said."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


def until(condition: object) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


@contextmanager
def served(seconds: str, *options: str, **environment: str) -> Iterator[Server]:
    """The command, with so many seconds of silence."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    module = "tests.support.freezable"
    command = [sys.executable, "-m", module, "--no-open", "--port", str(port), *options]
    known = {**os.environ, "SEEGRAD_SILENT_SECONDS": seconds, **environment}
    process = subprocess.Popen(command, cwd=ROOT, env=known, stderr=subprocess.PIPE, text=True)
    server = Server(process, port)
    workers: set[int] = set()
    try:
        yield server
        workers = server.workers()
    finally:
        for one in workers | server.workers():  # a frozen one outlives its parent
            os.kill(one, signal.SIGKILL)
        process.kill()
        process.communicate()


def test_a_frozen_process_is_replaced() -> None:
    with served("2") as server:
        server.until_well()
        (before,) = server.workers()
        server.get(FREEZE, 0.5)
        server.until_well()
        (after,) = server.workers()
        assert after != before
        status, said = server.end()
    assert status == 0
    assert "Timeout (0:00:02)!" in said
    assert f"seegrad: process {before} ended with status 1; process {after} takes its place" in said


def test_a_process_that_lives_stays_and_one_that_was_ended_or_stopped_is_replaced() -> None:
    with served("3") as server:
        server.until_well()
        before = server.workers()
        run = {"samples": "2000", "layers": "2-64-64-1", "steps": "1000", "step": "300"}
        server.get(f"/train/state?{urlencode(run)}")  # goes on in its thread
        time.sleep(4)
        assert server.get("/healthz") == 200
        assert server.workers() == before

        (one,) = before
        os.kill(one, signal.SIGKILL)
        assert server.get("/healthz", PATIENCE) == 200  # it waits, and is not refused
        (other,) = server.workers()
        assert other != one

        os.kill(other, signal.SIGSTOP)
        assert server.get("/healthz", 4) == 0
        os.kill(other, signal.SIGCONT)
        server.until_well()
        assert server.end()[0] == 0


def test_a_server_that_cannot_start_is_not_started_again(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise RuntimeError('broken')\n")
    (tmp_path / "start.py").write_text(
        "import sys\nfrom app import __main__ as command\n"
        "if __name__ == '__main__':\n"
        "    command.SERVED['app'] = 'broken:app'\n"
        "    sys.exit(command.main(['--no-open', '--port', '0']))\n"
    )
    done = subprocess.run(
        [sys.executable, str(tmp_path / "start.py")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.count("RuntimeError: broken") == 1
    assert "takes its place" not in done.stderr


def test_without_a_parent_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    set_timers: list[float] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda s, **_: set_timers.append(s))

    async def beat(seconds: float) -> None:
        with silence.ended_if_silent(seconds):
            await asyncio.sleep(0.05)

    asyncio.run(beat(1))
    assert set_timers == []
    monkeypatch.setattr("multiprocessing.parent_process", object)
    asyncio.run(beat(0))
    assert set_timers == []
    asyncio.run(beat(0.04))
    assert len(set_timers) > 1
    assert {*set_timers} == {0.04}

"""A warm server in its own process, for benchmarks."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
PATIENCE = 60.0  # start timeout in seconds


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its port and process."""

    port: int
    handle: subprocess.Popen[bytes]

    @property
    def process(self) -> int:
        """Its process id."""
        return self.handle.pid

    def worked(self) -> float | None:
        """Its CPU time so far in milliseconds, ended threads included; None unless on Linux."""
        if sys.platform != "linux":
            return None
        return time.clock_gettime(~self.process << 3 | 2) * 1000  # clock_getcpuclockid(3)


@contextmanager
def running(environment: Mapping[str, str] | None = None, root: Path = ROOT) -> Iterator[Server]:
    """Run `python -m app` of the checkout `root`; `environment` extends that of this process."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "--no-open", "--host", HOST, "--port", str(port)]
    known = {**os.environ, **(environment or {})}
    process = subprocess.Popen(command, cwd=root, env=known, stdout=subprocess.DEVNULL)
    try:
        _wait(process, port)
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        client = http.client.HTTPConnection(HOST, port, timeout=5)
        try:
            client.request("GET", "/healthz")
            if client.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.05)
        finally:
            client.close()
    raise RuntimeError("the server did not start")

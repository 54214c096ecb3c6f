"""A warm server in its own process, for benchmarks."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
PATIENCE = 60.0  # start timeout in seconds


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its port, the command's process, and the id of the one that serves."""

    port: int
    handle: subprocess.Popen[bytes]
    process: int

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
        yield Server(port, process, _serving(process.pid))
    finally:
        process.terminate()
        process.wait()


def _serving(parent: int) -> int:
    """The process that serves, a child of the command's; the command itself unless on Linux."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            owner = int((line.parent / "stat").read_text().rpartition(")")[2].split()[1])
            if owner == parent and b"spawn_main" in line.read_bytes():
                return int(line.parent.name)
    return parent


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

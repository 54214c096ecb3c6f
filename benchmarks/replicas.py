"""Replicas of the server behind nginx on loopback, for tests and benchmarks of `deploy/`.

nginx uses `deploy/nginx.conf.template` unchanged, with its variables set for loopback.
"""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.find_nginx import advice, find

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "deploy/nginx.conf.template"
VARIABLE = re.compile(r"\$\{(SEEGRAD_[A-Z_]+)\}")
HOST = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; header names in lower case. `of` fails for duplicate headers."""

    status: int
    headers: dict[str, str]
    body: bytes

    @staticmethod
    def of(answer: http.client.HTTPResponse) -> Answer:
        pairs = [(name.lower(), text) for name, text in answer.getheaders()]
        assert len(dict(pairs)) == len(pairs), pairs
        return Answer(answer.status, dict(pairs), answer.read())


def ask(
    port: int,
    path: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Answer:
    """The response of a local port, on a new connection."""
    client = http.client.HTTPConnection(HOST, port, timeout=30)
    try:
        client.request(method, path, body, dict(headers or {}))
        return Answer.of(client.getresponse())
    finally:
        client.close()


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def status_of(port: int, path: str) -> int | None:
    """The status of a server's response; None if there is none."""
    client = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        client.request("GET", path)
        return client.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        client.close()


def wait_for(process: subprocess.Popen[bytes], port: int, path: str, log: Path) -> None:
    """Wait until `path` returns 200. Raises RuntimeError with the process's output."""
    end = time.monotonic() + START_SECONDS
    while status_of(port, path) != 200:
        if process.poll() is not None:
            raise RuntimeError(f"ended with {process.returncode}:\n{log.read_text()}")
        if time.monotonic() > end:
            raise RuntimeError(f"no response in {START_SECONDS} s:\n{log.read_text()}")
        time.sleep(0.02)


@dataclass
class Replica:
    """A server that can be killed and restarted at the same port."""

    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Start it without waiting."""
        command = [sys.executable, "-m", "app", "--no-open", "--host", HOST]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Wait until it responds. Raises RuntimeError."""
        assert self.process is not None
        wait_for(self.process, self.port, "/healthz", self.log)

    def start(self) -> None:
        """Start it and wait until it answers. Raises RuntimeError."""
        self.begin()
        self.wait()

    def kill(self) -> None:
        """End it without a word, all of its processes."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None

    def stop(self) -> int:
        """Terminate it; returns its exit status. Raises RuntimeError if it does not stop."""
        assert self.process is not None
        self.process.terminate()
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"did not stop in {STOP_SECONDS} s") from None


def variables(text: str) -> set[str]:
    """The names of a template's variables."""
    return set(VARIABLE.findall(text))


def filled(text: str, values: Mapping[str, str]) -> str:
    """Substitute a template's variables, as `envsubst` does. Raises KeyError for a missing one."""
    return VARIABLE.sub(lambda found: values[found[1]], text)


def on_loopback(folder: Path, port: int, replicas: Iterable[int]) -> dict[str, str]:
    """The variables' values for replicas at local ports."""
    return {
        "SEEGRAD_LISTEN": f"{HOST}:{port}",
        "SEEGRAD_REPLICAS": " ".join(f"server {HOST}:{one} max_fails=0;" for one in replicas),
        "SEEGRAD_RESOLVER": "",
        "SEEGRAD_TRUSTED": "",
        "SEEGRAD_FOLDER": str(folder),
        "SEEGRAD_CACHE": "64m",
        "SEEGRAD_REQUESTS": "600r/s",
        "SEEGRAD_PATIENCE": "10s",
    }


def command(configuration: Path, *more: str) -> list[str]:
    """The command line of nginx. Raises RuntimeError if it is not installed."""
    nginx = find()
    if nginx is None:
        raise RuntimeError(advice())
    # As root, nginx would run its workers as another user, which may lack access to the folder.
    user = " user root;" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
    run = [str(nginx), "-e", "stderr", "-p", str(configuration.parent), "-c", str(configuration)]
    return [*run, "-g", f"daemon off;{user}", *more]


@dataclass
class Proxy:
    """nginx in front of replicas; `changes` override variables."""

    folder: Path
    replicas: list[int]
    changes: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """Its log: errors and one line per request."""
        return self.folder / "log.txt"

    def start(self) -> None:
        """Start it and wait until it answers. Raises RuntimeError."""
        configuration = self.folder / "nginx.conf"
        values = {**on_loopback(self.folder, self.port, self.replicas), **self.changes}
        configuration.write_text(filled(TEMPLATE.read_text(), values))
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                command(configuration),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        wait_for(self.process, self.port, "/proxyz", self.log)

    def stop(self) -> None:
        """Stop it with its workers."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(STOP_SECONDS)
        self.process = None


@dataclass
class Cluster:
    """Replicas and the nginx in front of them."""

    replicas: list[Replica]
    proxy: Proxy

    @staticmethod
    def in_folder(folder: Path, count: int = 2, **environment: str) -> Cluster:
        """A cluster, not yet running. Each replica has its own PYTHONHASHSEED."""
        replicas = [
            Replica(folder / f"replica{i}.txt", {"PYTHONHASHSEED": str(i + 1), **environment})
            for i in range(count)
        ]
        return Cluster(replicas, Proxy(folder, [replica.port for replica in replicas]))

    def start(self) -> None:
        """Start everything and wait until it responds."""
        self.revive()
        self.proxy.start()

    def revive(self) -> None:
        """Restart the replicas that are down."""
        dead = [replica for replica in self.replicas if replica.process is None]
        for replica in dead:
            replica.begin()
        for replica in dead:
            replica.wait()

    def kill(self) -> None:
        """Kill all replicas; nginx keeps running."""
        for replica in self.replicas:
            replica.kill()

    def stop(self) -> None:
        """Stop everything."""
        self.kill()
        self.proxy.stop()

    def ask(
        self,
        path: str,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """The response to a client of nginx."""
        return ask(self.proxy.port, path, method, headers, body)

    def version(self) -> str:
        """The version prefix of addresses, the same for all replicas."""
        (found,) = {ask(one.port, "/healthz").headers["seegrad-version"] for one in self.replicas}
        return found

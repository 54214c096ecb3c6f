"""The command `seegrad`: its options, what it refuses, and that it stops when asked."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.__main__ import arguments, main
from engine import __version__
from tests.support.places import ROOT

HOST = "127.0.0.1"
PATIENCE = 60.0


@pytest.fixture
def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.fixture
def busy_port() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        yield taken.getsockname()[1]


@contextmanager
def seegrad(*options: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own; stopped at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def ask(port: int) -> int:
    """The status of /healthz, once the server answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/healthz", timeout=5) as answer:
                status: int = answer.status
                return status
        except OSError:
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.05)


def test_defaults() -> None:
    found = arguments([])
    assert (found.host, found.port, found.workers, found.no_open) == (HOST, 8000, 1, False)


def test_options() -> None:
    found = arguments(["--host", "::1", "--port", "80", "--workers", "3", "--no-open"])
    assert (found.host, found.port, found.workers, found.no_open) == ("::1", 80, 3, True)


@pytest.mark.parametrize("wrong", [["--port", "http"], ["--workers"], ["--nope"], ["file.py"]])
def test_wrong_option_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        arguments(wrong)
    assert caught.value.code == 2
    assert "usage: seegrad" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        arguments(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"seegrad {__version__}\n"


def test_busy_port_is_refused(busy_port: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--no-open", "--port", str(busy_port)]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"seegrad: port {busy_port} on {HOST} is in use; try --port ")
    assert message.count("\n") == 1


def test_wrong_setting_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], free_port: int
) -> None:
    monkeypatch.setenv("SEEGRAD_MAX_DRAWN", "many")
    assert main(["--no-open", "--port", str(free_port)]) == 2
    message = capsys.readouterr().err
    assert message == "seegrad: SEEGRAD_MAX_DRAWN must be a number, not 'many'\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_command_serves_and_stops(free_port: int, number: signal.Signals) -> None:
    with seegrad("--no-open", "--port", str(free_port)) as process:
        assert ask(free_port) == 200
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, -number, 128 + number)
    assert f"http://{HOST}:{free_port}/" in out
    assert "Traceback" not in err
    with socket.socket() as probe:
        assert probe.connect_ex((HOST, free_port)) != 0


def test_command_refuses_a_busy_port(busy_port: int) -> None:
    with seegrad("--no-open", "--port", str(busy_port)) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert out == ""
    assert "in use" in err
    assert "Traceback" not in err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are tried where processes are cheap")
def test_two_workers_serve_and_stop(free_port: int) -> None:
    with seegrad("--no-open", "--port", str(free_port), "--workers", "2") as process:
        assert ask(free_port) == 200
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    with socket.socket() as probe:
        assert probe.connect_ex((HOST, free_port)) != 0


def test_no_open_starts_no_browser(monkeypatch: pytest.MonkeyPatch, free_port: int) -> None:
    opened: list[str] = []
    monkeypatch.setattr("app.__main__.webbrowser.open", opened.append)
    monkeypatch.setattr("app.__main__.supervise", lambda *_: 0)
    assert main(["--no-open", "--port", str(free_port)]) == 0
    assert opened == []


def test_command_opens_the_browser_once_the_server_answers(
    monkeypatch: pytest.MonkeyPatch, free_port: int
) -> None:
    opened: list[str] = []

    def serve(_: object, listening: socket.socket, count: int) -> int:
        assert (opened, count) == ([], 1)
        listening.listen()
        end = time.monotonic() + PATIENCE
        while not opened and time.monotonic() < end:
            time.sleep(0.01)
        return 0

    monkeypatch.setattr("app.__main__.webbrowser.open", opened.append)
    monkeypatch.setattr("app.__main__.supervise", serve)
    assert main(["--port", str(free_port)]) == 0
    assert opened == [f"http://{HOST}:{free_port}/"]


@pytest.mark.parametrize(
    ("host", "says"),
    [("198.51.100.7", "no address of this machine"), ("nowhere.invalid", "is not known")],
)
def test_a_place_to_listen_that_is_none(
    host: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--no-open", "--host", host, "--port", "0"]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "option", [("--port", "99999"), ("--port", "-1"), ("--port", "x"), ("--workers", "0")]
)
def test_numbers_that_make_no_sense(
    option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*option])
    assert "give a number from" in capsys.readouterr().err

"""The real server in a process of its own, and a real browser that looks at it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from scripts.find_chromium import advice, find
from tests.browser.witness import HOST, Witness
from tests.support.places import ROOT

AXE = ROOT / "tests/vendor/axe-4.14.1.min.js"

START_SECONDS = 60
STOP_SECONDS = 15

FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--no-first-run",
    f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}",
]


@dataclass
class OpenPage:
    """Opens pages of any size and setting, all of them watched, each in a context of its own.

    Addresses are relative to the server's. Without JavaScript neither `axe` nor anything else that
    waits for a promise can look at a page.
    """

    server: str
    browser: Browser
    witness: Witness
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(
        self,
        *,
        width: int = 1440,
        height: int = 860,
        dark: bool = False,
        javascript: bool = True,
        reduced_motion: bool = False,
        touch: bool = False,
    ) -> Page:
        context = self.browser.new_context(
            base_url=self.server,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            has_touch=touch,
            locale="en-GB",
        )
        context.set_default_timeout(10_000)
        self.contexts.append(context)
        self.witness.watch(context)
        return context.new_page()


# Looks at a page with axe-core; each line names a rule that is broken and where.
Axe = Callable[[Page], list[str]]


PORTS = iter(range(20_000 + os.getpid() % 10_000, 32_000))


def free_port() -> int:
    """A port nobody listens on just now, and below those that systems give to connections.

    A server that is stopped and started again finds it as it left it.
    """
    for port in PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port
    pytest.fail("there is no free port")


def answers(address: str) -> bool:
    """Whether the server says that it is well."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def wait_until_well(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Return when the server answers; fail with what it printed when it ends or stays silent."""
    end = time.monotonic() + START_SECONDS
    while not answers(address):
        if process.poll() is not None:
            pytest.fail(f"the server ended with {process.returncode}:\n{log.read_text()}")
        if time.monotonic() > end:
            pytest.fail(f"no answer from the server in {START_SECONDS} s:\n{log.read_text()}")
        time.sleep(0.05)


def stop(process: subprocess.Popen[bytes], log: Path) -> None:
    """Ask the server to end; fail with what it printed when it does not."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        pytest.fail(f"the server did not stop in {STOP_SECONDS} s:\n{log.read_text()}")


# Package scope: while Playwright runs, its event loop is the main thread's running loop, and tests
# elsewhere that call asyncio.run would fail.
@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running server, e.g. "http://127.0.0.1:40001"."""
    port = free_port()
    address = f"http://{HOST}:{port}"
    log = tmp_path_factory.mktemp("server") / "output.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "--no-open", "--host", HOST, "--port", str(port)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_well(process, address, log)
        yield address
    finally:
        stop(process, log)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The machine's Chromium. Where there is none the tests fail: they are never skipped."""
    path = find(light=True)
    if path is None:
        pytest.fail(advice(), pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def witness() -> Iterator[Witness]:
    """Sees what this test's pages do; whatever is in `seen` at the end fails the test."""
    watching = Witness()
    yield watching
    assert watching.seen == []


@pytest.fixture
def open_page(server: str, browser: Browser, witness: Witness) -> Iterator[OpenPage]:
    """Opens pages; they are closed when the test ends."""
    opener = OpenPage(server, browser, witness)
    yield opener
    for context in opener.contexts:
        context.close()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page of the usual size: 1440 by 860, light, with JavaScript."""
    return open_page()


def describe(violation: dict[str, Any]) -> str:
    """One line on a broken rule and one on each element that breaks it."""
    lines = [f"{violation['id']} ({violation['impact']}): {violation['help']}"]
    lines += [f"  {node['target']}: {node['failureSummary']}" for node in violation["nodes"]]
    return "\n".join(lines)


@pytest.fixture(scope="session")
def axe() -> Axe:
    """Runs axe-core, all its rules, in a page."""
    source = AXE.read_text("utf-8")

    def look(page: Page) -> list[str]:
        page.evaluate(source)
        violations = page.evaluate(
            "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
        )
        return [describe(violation) for violation in violations]

    return look

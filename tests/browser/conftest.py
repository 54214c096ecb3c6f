"""Fixtures of the browser tests: a server in its own process, and Chromium."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from scripts.find_chromium import advice, find
from tests.browser.explore_page import Explore
from tests.browser.kept_pages import KeptPage, KeptPages, Kind, Look
from tests.browser.witness import HOST, Witness
from tests.support.places import ROOT

AXE = ROOT / "tests/vendor/axe-4.14.1.min.js"

FAILED = pytest.StashKey[bool]()  # of a test: whether it has failed

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
    """Opens pages with given size and settings, each in its own context, observed by the witness.

    Addresses are relative to the server's. Without JavaScript, `axe` and all else that awaits
    a promise is unavailable. Unless a test asks for motion, its pages do without: a step that moves
    takes twice the processor time. The first page of a kind may have been another test's; it
    differs from a new one only in that Chromium has the server's scripts and immutable answers.
    `new` asks for a context that has nothing.
    """

    kept: KeptPages
    witness: Witness
    is_rerun: bool = False
    """Whether the test has failed before: it is judged on new pages."""
    taken: list[tuple[Kind, KeptPage]] = field(default_factory=list)

    def __call__(
        self,
        *,
        width: int = 1440,
        height: int = 860,
        dark: bool = False,
        javascript: bool = True,
        motion: bool = False,
        touch: bool = False,
        new: bool = False,
    ) -> Page:
        kind, look = Kind(javascript, touch), Look(width, height, dark, not motion)
        is_new = new or self.is_rerun
        page = self.kept.new(kind, look) if is_new else self.kept.take(kind, look)
        self.witness.watch(page.context)
        self.taken.append((kind, page))
        return page.page

    def close(self, has_failed: bool) -> None:
        """Hand the pages on, or close those of a test that has ever failed."""
        for kind, page in self.taken:
            self.witness.leave(page.context)
            if has_failed:
                page.context.close()
            else:
                self.kept.give_back(kind, page)


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that colours alone can break."""


class Axe(Protocol):
    """Checks a page with axe-core, all its rules or some; returns a line for each violation."""

    def __call__(self, page: Page, rules: Sequence[str] = (), /) -> list[str]: ...


PORTS = iter(range(20_000 + os.getpid() % 10_000, 32_000))


def free_port() -> int:
    """A free port below the ephemeral range, so that it stays free while a server restarts."""
    for port in PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port
    pytest.fail("there is no free port")


def answers(address: str) -> bool:
    """Whether the server's health check succeeds."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def wait_until_well(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Wait until the server responds; fail with its output if it ends or times out."""
    end = time.monotonic() + START_SECONDS
    while not answers(address):
        if process.poll() is not None:
            pytest.fail(f"the server ended with {process.returncode}:\n{log.read_text()}")
        if time.monotonic() > end:
            pytest.fail(f"no response from the server in {START_SECONDS} s:\n{log.read_text()}")
        time.sleep(0.05)


def stop(process: subprocess.Popen[bytes], log: Path) -> None:
    """Terminate the server; fail with its output if it does not stop."""
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
    """The machine's Chromium. Without one the tests fail; they are never skipped."""
    path = find(light=True)
    if path is None:
        pytest.fail(advice(), pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def kept_pages(server: str, browser: Browser) -> Iterator[KeptPages]:
    """The pages that tests take over from each other."""
    pages = KeptPages(server, browser)
    yield pages
    pages.close()


@pytest.fixture
def witness() -> Iterator[Witness]:
    """Observes this test's pages; the test fails if `seen` is not empty at the end."""
    watching = Witness()
    yield watching
    assert watching.seen == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Note on a test that it has failed."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture
def open_page(
    request: pytest.FixtureRequest, kept_pages: KeptPages, witness: Witness
) -> Iterator[OpenPage]:
    """Opens pages until the test ends."""
    opener = OpenPage(kept_pages, witness, is_rerun=FAILED in request.node.stash)
    yield opener
    opener.close(has_failed=FAILED in request.node.stash or witness.seen != [])


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page with default settings: 1440 × 860, light, with JavaScript, without motion."""
    return open_page()


@pytest.fixture
def moving(open_page: OpenPage) -> Page:
    """A page with default settings, for a visitor who welcomes motion."""
    return open_page(motion=True)


@pytest.fixture
def explore(page: Page) -> Explore:
    """The example."""
    return Explore(page).open()


def describe(violation: dict[str, Any]) -> str:
    """One line for a violated rule and one for each violating element."""
    lines = [f"{violation['id']} ({violation['impact']}): {violation['help']}"]
    lines += [f"  {node['target']}: {node['failureSummary']}" for node in violation["nodes"]]
    return "\n".join(lines)


@pytest.fixture(scope="session")
def axe() -> Axe:
    """Runs axe-core in a page."""
    source = AXE.read_text("utf-8")

    def look(page: Page, rules: Sequence[str] = (), /) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        # Without a medium to play, there is no need to fetch and parse the style sheets again.
        options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
        if rules:
            options["runOnly"] = {"type": "rule", "values": list(rules)}
        violations = page.evaluate(
            "async options => (await axe.run(document, options)).violations", options
        )
        return [describe(violation) for violation in violations]

    return look

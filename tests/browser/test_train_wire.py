"""What Train costs on the line, counted by the browser itself on a slow one."""

import urllib.request
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Request, expect

from tests.browser.conftest import OpenPage
from tests.browser.train_page import PLAYER, Train

SLOW = {
    "offline": False,
    "latency": 100,  # milliseconds
    "downloadThroughput": 200_000,  # bytes a second: 1.6 Mbit/s
    "uploadThroughput": 200_000,
}


@dataclass
class Line:
    """A slow line to a page: the requests, and the bytes that arrived for each, as compressed."""

    page: Page
    asked: dict[str, str] = field(default_factory=dict)
    bytes_: dict[str, int] = field(default_factory=dict)
    session: CDPSession = field(init=False)

    def __post_init__(self) -> None:
        session = self.page.context.new_cdp_session(self.page)
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.dataReceived", self._on_data)
        session.on("Network.loadingFinished", self._on_end)
        session.send("Network.enable")
        self.session = session
        self.carries(SLOW["downloadThroughput"])

    def carries(self, throughput: int) -> None:
        """Limit the line to bytes a second."""
        limits = {**SLOW, "downloadThroughput": throughput}
        self.session.send("Network.emulateNetworkConditions", limits)

    def _on_request(self, event: Any) -> None:
        self.asked[event["requestId"]] = event["request"]["url"]

    def _on_data(self, event: Any) -> None:
        request = event["requestId"]
        self.bytes_[request] = self.bytes_.get(request, 0) + event["encodedDataLength"]

    def _on_end(self, event: Any) -> None:
        request = event["requestId"]
        self.bytes_[request] = max(self.bytes_.get(request, 0), int(event["encodedDataLength"]))

    def bytes(self, part: str = "") -> int:
        """All bytes so far of addresses with `part`, headers of complete answers included."""
        return sum(size for id_, size in self.bytes_.items() if part in self.asked[id_])


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page without what other tests have fetched."""
    return open_page(new=True)


@pytest.fixture
def line(page: Page) -> Line:
    """A slow line to the page of the test."""
    return Line(page)


def test_first_load_is_light(page: Page, line: Line) -> None:
    Train(page).go("/train")
    page.wait_for_load_state("networkidle")
    assert 0 < line.bytes() <= 170_000
    assert len(line.asked) <= 14


def test_default_run_is_light_as_this_browser_carries_it_on(page: Page, line: Line) -> None:
    """All but the stream before the kernel has come, whose length depends on the machine."""
    train = Train(page).go("/train")
    with page.expect_event("requestfinished", lambda request: "/train/kernel" in request.url):
        train.press("Play")
    train.trains_here()
    begun = line.bytes("/stream")
    train.speed("fast")
    train.is_at(400, 400)
    train.complete()
    on_its_way = 1_600_000 / 8 * 0.1  # what the line holds when the stream is closed
    assert line.bytes("/stream") - begun <= on_its_way
    assert 0 < line.bytes("/train/kernel") < 20_000
    assert line.bytes() - line.bytes("/stream") <= 190_000  # the stream has the rest


def received(request: Request) -> int:
    """The bytes of a whole stream with an event for each step, as compressed for the browser."""
    accepted = request.all_headers()["accept-encoding"]
    assert "&every=12&fps=5&" in request.url
    address = request.url.replace("&every=12&fps=5&", "&every=1&fps=60&")
    again = urllib.request.Request(address, headers={"accept-encoding": accepted})
    with urllib.request.urlopen(again, timeout=60) as answer:
        assert answer.headers["content-encoding"] in accepted
        return len(answer.read())


def test_stream_alone_is_light(page: Page, line: Line) -> None:
    """Also half a second of it, 30 events, beside the rest of the default run.

    The page plays its first steps; what it would receive of all of them is counted beside it.
    """
    page.add_init_script("delete globalThis.WebAssembly")
    train = Train(page).go("/train")
    with page.expect_request("**/train/stream?*") as asked:
        train.press("Play")
    train.is_past(5)
    train.press("Pause")
    train.complete()
    assert not line.bytes("/train/kernel")
    stream = received(asked.value)
    assert line.bytes() + stream <= 1_000_000
    assert 0 < 30 * stream / 400 <= 80_000


def test_nothing_is_sent_for_a_plot_out_of_sight(page: Page, line: Line) -> None:
    page.add_init_script("delete globalThis.WebAssembly")
    train = Train(page).go("/train?data=moons&steps=40&hide=boundary")
    page.locator("#network").evaluate("box => box.style.display = 'none'")
    page.wait_for_function(f"async () => {PLAYER}.see === ''")
    with page.expect_request("**/train/stream?*") as asked:
        train.press("Play")
    assert "see=&" in asked.value.url
    train.is_at(40, 40)
    assert line.bytes("/stream") < 24_000
    train.press("Back one step")
    train.is_at(39, 40)
    assert train.complete()["maps"]


def test_slow_line_is_said_and_numbers_that_are_read_are_sent_exact(page: Page, line: Line) -> None:
    page.add_init_script("delete globalThis.WebAssembly")
    train = Train(page).open(steps="5000")
    line.carries(5_000)
    train.press("Play")
    expect(page.locator("#local-words")).to_contain_text("The line carries ")
    line.carries(SLOW["downloadThroughput"])
    with page.expect_request("**/train/stream?*numbers*"):
        train.neuron(1, 0).click()
    page.wait_for_function(f"async () => !{PLAYER}.snapshot.isRough")
    train.press("Pause")
    step = train.complete()["step"]
    assert train.shown()["losses"][:step] == train.state(step)["losses"]

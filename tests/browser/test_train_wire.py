"""What Train costs on the line, counted by the browser itself on a slow one."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.train_page import Train

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

    def __post_init__(self) -> None:
        session = self.page.context.new_cdp_session(self.page)
        session.on("Network.requestWillBeSent", self._on_request)
        session.on("Network.dataReceived", self._on_data)
        session.on("Network.loadingFinished", self._on_end)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)

    def _on_request(self, event: Any) -> None:
        self.asked[event["requestId"]] = event["request"]["url"]

    def _on_data(self, event: Any) -> None:
        request = event["requestId"]
        self.bytes_[request] = self.bytes_.get(request, 0) + event["encodedDataLength"]

    def _on_end(self, event: Any) -> None:
        request = event["requestId"]
        self.bytes_[request] = max(self.bytes_.get(request, 0), int(event["encodedDataLength"]))

    @property
    def bytes(self) -> int:
        """All bytes so far, headers of complete answers included."""
        return sum(self.bytes_.values())


@pytest.fixture
def line(page: Page) -> Line:
    """A slow line to the page of the test."""
    return Line(page)


def test_first_load_is_light(page: Page, line: Line) -> None:
    Train(page).go("/train")
    page.wait_for_load_state("networkidle")
    assert 0 < line.bytes <= 200_000
    assert len(line.asked) <= 15

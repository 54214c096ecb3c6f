"""What a page must never do, watched from outside while a test uses it."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

HOST = "127.0.0.1"

# A refused program is answered with 422, which the browser logs as an error of its own.
REFUSED_PROGRAM = r"^Failed to load resource: the server responded with a status of 422 "

# Chromium says nothing in the console of violations that a policy only reports.
REPORT_VIOLATIONS = """
addEventListener('securitypolicyviolation', event => console.error('content security policy:',
  event.effectiveDirective, 'forbids', event.blockedURI, event.sample))
"""


def is_foreign(address: str) -> bool:
    """Whether an address leads to another host than the server under test."""
    parts = urlsplit(address)
    return parts.scheme not in {"about", "blob", "data", "file"} and parts.hostname != HOST


@dataclass
class Witness:
    """Everything forbidden that the pages of one test did."""

    seen: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=lambda: [REFUSED_PROGRAM])
    """Patterns of console errors that the test means to cause."""

    def watch(self, context: BrowserContext) -> None:
        """Note what the pages of a context do, which has REPORT_VIOLATIONS as its script.

        Foreign requests lead nowhere: see FLAGS. As they fail, only failures are listened to: a
        page makes a hundred requests, and each event takes its time in three processes.
        """
        context.on("requestfailed", self._on_request)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("page", self._on_page)
        for page in context.pages:
            self._on_page(page)

    def leave(self, context: BrowserContext) -> None:
        """Note no more of a context."""
        context.remove_listener("requestfailed", self._on_request)
        context.remove_listener("console", self._on_console)
        context.remove_listener("weberror", self._on_error)
        context.remove_listener("page", self._on_page)
        for page in context.pages:
            page.remove_listener("websocket", self._on_websocket)

    def _on_page(self, page: Page) -> None:
        page.on("websocket", self._on_websocket)

    def _on_request(self, request: Request) -> None:
        if is_foreign(request.url):
            self.seen.append(f"foreign request: {request.method} {request.url}")

    def _on_websocket(self, socket: WebSocket) -> None:
        self.seen.append(f"web socket: {socket.url}")

    def _on_error(self, error: WebError) -> None:
        self.seen.append(f"uncaught error: {error.error.stack or error.error.message}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        if not any(re.search(pattern, message.text) for pattern in self.allowed):
            self.seen.append(f"console: {message.text} ({message.location.get('url', '')})")

"""A Firefox without windows, driven by WebDriver BiDi: as much of it as the tests need."""

from __future__ import annotations

import json
import math
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

START_SECONDS = 90.0
ANSWER_SECONDS = 60.0
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
CUT_OFF = "NetworkError when attempting to fetch resource"
LATE = 2_000  # milliseconds
EVENTS = ["log.entryAdded", "network.beforeRequestSent"]
OWN = {"about", "blob", "data", "moz-extension", "resource", "chrome"}

# What Firefox would ask the network for by itself.
PREFERENCES = """\
user_pref("app.normandy.enabled", false);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("toolkit.telemetry.enabled", false);
"""

REPORT_VIOLATIONS = """() => addEventListener('securitypolicyviolation', event => console.error(
  'content security policy:', event.effectiveDirective, 'forbids', event.blockedURI, event.sample))
"""

# Resolves with "" once a condition holds; a page that went on to another is asked again.
UNTIL = """new Promise(done => {{
  const end = performance.now() + {milliseconds}
  const look = async () => {{
    let found = false
    try {{ found = await ({condition}) }} catch {{}}
    if (found) done('')
    else if (performance.now() > end) done(document.body.innerText.slice(0, 2000) || 'no text')
    else setTimeout(look, 50)
  }}
  look()
}})"""


@dataclass
class Firefox:
    """One tab, and everything forbidden that its pages did."""

    socket: ClientConnection
    host: str
    seen: list[str] = field(default_factory=list)
    context: str = ""
    sent: int = 0
    left: tuple[float, float] = (0.0, 0.0)
    """When a page was last left: the time in milliseconds in which its requests may fail."""

    def begin(self) -> None:
        """Open the session and watch the tab."""
        self.ask("session.new", capabilities={})
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("session.subscribe", events=EVENTS)
        # In a sandbox of its own: Firefox 140 runs a script of the page's own realm in the empty
        # document before each page as well, and reports its own "Permission denied to access
        # property "length"" as an error of the page, of whatever page and whatever script.
        self.ask(
            "script.addPreloadScript", functionDeclaration=REPORT_VIOLATIONS, sandbox="violations"
        )

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command. Raises RuntimeError if it fails, TimeoutError in the end."""
        self.sent += 1
        number = self.sent
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=ANSWER_SECONDS))
            if message.get("id") == number:
                break
            self._note(message)
        if message["type"] == "error":
            raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
        result: dict[str, Any] = message["result"]
        return result

    def _is_cut_off(self, entry: dict[str, Any]) -> bool:
        """Whether it tells of a request that leaving a page has cut off; it may arrive later."""
        begun, end = self.left
        return CUT_OFF in entry["text"] and begun <= entry["timestamp"] <= end

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        is_error = event.get("method") == "log.entryAdded" and params["level"] == "error"
        if is_error and not self._is_cut_off(params):
            self.seen.append(f"{params['type']}: {params['text']}")
        if event.get("method") == "network.beforeRequestSent":
            address = params["request"]["url"]
            parts = urlsplit(address)
            if parts.scheme not in OWN and parts.hostname != self.host:
                self.seen.append(f"foreign request: {address}")

    def go(self, address: str) -> None:
        """Load a page, with all that it loads."""
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def leave(self) -> None:
        """Go to an empty page. The requests that this cuts off are not held against the page."""
        begun = time.time() * 1000
        self.left = (begun, math.inf)
        self.go("about:blank")
        self.left = (begun, time.time() * 1000 + LATE)

    def run(self, expression: str) -> Any:
        """The value of an expression in the page, awaited; None where it is no plain value.

        Raises RuntimeError with what the page says if it fails.
        """
        answer = self.ask(
            "script.evaluate",
            expression=expression,
            target={"context": self.context},
            awaitPromise=True,
            userActivation=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def until(self, condition: str, seconds: float = 40.0) -> None:
        """Wait until a condition holds in the page; fail with the page's text if it never does."""
        asked = UNTIL.format(condition=condition, milliseconds=seconds * 1000)
        said = self.run(asked)
        assert said == "", f"never: {condition}\n{said}"

    def click(self, selector: str) -> None:
        """Click the first element that the selector finds."""
        click = "new MouseEvent('click', {bubbles: true, cancelable: true})"
        self.run(f"document.querySelector({json.dumps(selector)}).dispatchEvent({click})")

    def fill(self, selector: str, text: str) -> None:
        """Replace the text of a field, as typing does."""
        self.run(
            f"""{{
              const field = document.querySelector({json.dumps(selector)})
              field.value = {json.dumps(text)}
              for (const name of ['input', 'change']) {{
                field.dispatchEvent(new Event(name, {{bubbles: true}}))
              }}
            }}"""
        )


@contextmanager
def launched(path: Path, profile: Path, host: str) -> Iterator[Firefox]:
    """A running Firefox with a profile of its own; requests to any host but `host` are noted."""
    (profile / "user.js").write_text(PREFERENCES, "utf-8")
    command = [path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]
    process = subprocess.Popen(
        [*map(str, command), "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    try:
        with connect(f"{_address(process)}/session", max_size=None) as socket:
            firefox = Firefox(socket, host)
            firefox.begin()
            yield firefox
            firefox.ask("session.end")
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[str]) -> str:
    """Where Firefox listens. Whatever else it prints is read, so that it can go on printing."""
    lines: list[str] = []
    found = threading.Event()

    def read() -> None:
        assert process.stderr is not None
        with process.stderr as stream:
            for line in stream:
                lines.append(line)
                if LISTENING.search(line):
                    found.set()
        found.set()

    threading.Thread(target=read, daemon=True).start()
    found.wait(START_SECONDS)
    printed = "".join(lines)
    match = LISTENING.search(printed)
    assert match, f"Firefox does not listen for WebDriver BiDi:\n{printed}"
    return match[1]

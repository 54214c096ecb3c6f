"""Take the README's screenshots.

    python -m scripts.picture     writes explore, learn, understand, debugger and train.png to docs

Starts the server on a free port and captures its pages in the Chromium of the browser tests.
"""

import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from scripts.find_chromium import advice, find

FOLDER = Path(__file__).resolve().parent.parent / "docs"
TRAIN_STEP = 260  # the boundary is correct and the loss still decreases
HOST = "127.0.0.1"
START_TIMEOUT = 60.0  # seconds for the server to start
BROKEN = """\
class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')

        def _backward():
            self.grad = other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()

        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()


a = Value(3.0)
b = a*a + a
c = Value(2.0)
L = b*c
L.backward()
print(a.grad, b.grad, c.grad)
"""
"""A class whose product assigns where it should add."""
ASKED = {
    "program": "a = 2.0\nb = -3.0\nc = a * b\nd = a + c\nL = c*d + a",
    "at": "10", "value": "v1", "edges": "contributions", "tab": "unrolled",
}  # fmt: skip
"""A Value that is asked: its gradient arrives on four paths."""
LESSON = "learn/accumulate?step=3"
DOCKED = 1_000  # ms after which the docked picture fills its place
FRAMES_BACK = 1  # before the last frame: both passes have numbers, one edge is highlighted


def main() -> int:
    """Take the screenshots; the exit status is 1 without a browser."""
    browser = find()
    if browser is None:
        print(advice(), file=sys.stderr)
        return 1
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "app", "--no-open", "--port", str(port)])
    try:
        _wait(f"http://{HOST}:{port}/healthz")
        _photograph(str(browser), f"http://{HOST}:{port}")
    finally:
        server.terminate()
        server.wait()
    print(f"wrote the screenshots to {FOLDER}")
    return 0


def _wait(address: str) -> None:
    end = time.monotonic() + START_TIMEOUT
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


def _photograph(browser: str, address: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        page = chromium.new_page(viewport={"width": 1440, "height": 860})
        FOLDER.mkdir(exist_ok=True)
        page.goto(f"{address}/explore")
        page.locator("html[data-ready]").wait_for()
        page.keyboard.press("End")
        for _ in range(FRAMES_BACK):
            page.keyboard.press("ArrowLeft")
        page.screenshot(path=FOLDER / "explore.png", animations="disabled")
        page.goto(f"{address}/?{urllib.parse.urlencode(ASKED)}")
        page.locator("#unrolled li").first.wait_for()
        page.screenshot(path=FOLDER / "understand.png", animations="disabled")
        page.goto(f"{address}/?{urllib.parse.urlencode({'program': BROKEN})}")
        page.locator("html[data-editor]").wait_for()
        page.get_by_role("button", name="Go to the write").click()
        page.screenshot(path=FOLDER / "debugger.png", animations="disabled")
        page.goto(f"{address}/{LESSON}")
        page.frame_locator("#live iframe").locator("#value-card .ledger").wait_for()
        page.wait_for_timeout(DOCKED)
        page.screenshot(path=FOLDER / "learn.png", animations="disabled")
        page.goto(f"{address}/train?step={TRAIN_STEP}")
        page.locator("html[data-ready]").wait_for()
        page.screenshot(path=FOLDER / "train.png", animations="disabled")
        chromium.close()


if __name__ == "__main__":
    sys.exit(main())

"""Train's default run in Chromium, played at 60 steps a second.

On a fast line, the processor time of the page's main thread for a frame, by Chromium's counters
(`Performance.getMetrics`), once the browser trains the run. At 1.6 Mbit/s with 100 ms of latency
and a processor four times slower, as Chromium emulates them, the frames a second in which the
state has changed, and the bytes on the line that the run adds to the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.browser import FLAGS
from benchmarks.lesson_pages import SLOW
from benchmarks.report import AtLeast, Goal, spread, table
from benchmarks.serving import HOST, running
from scripts.find_chromium import advice, find

RUNS = 3
SECONDS = 3
SLOWER = 4
FRAME = Goal(8)
FRAMES = AtLeast(25)
KILOBYTES = Goal(60)
PLAYER = "(await import(document.querySelector('script[src*=\"train/main\"]').src))"
COUNT = f"""async () => {{
  const {{player}} = {PLAYER}
  window.shown = []
  let last = player.snapshot
  const look = () => {{
    requestAnimationFrame(look)
    if (player.snapshot !== last) shown.push(performance.now())
    last = player.snapshot
  }}
  look()
}}"""
ENDED = f"async () => {PLAYER}.player.at >= 400"
LOCAL = "html[data-trains-here]"


def run() -> str:
    """The table of all figures."""
    path = find()
    if path is None:
        return f"### Train in the browser: not measured\n\n{advice()}\n"
    with running() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        rows = list(_rows(browser, server.port))
        browser.close()
    return table(f"Train's default run, {RUNS} times", ("what", "figure", "goal", ""), rows)


def _rows(browser: Browser, port: int) -> Iterator[Sequence[str]]:
    costs = [_cost(browser, port) for _ in range(RUNS)]
    yield "main thread, ms a frame", spread(costs), *FRAME.words(median(costs))
    slow = [_slow(browser, port) for _ in range(RUNS)]
    frames, sizes = zip(*slow, strict=True)
    at = "at 1.6 Mbit/s and a quarter of the processor"
    yield f"frames a second {at}", spread(frames), *FRAMES.words(median(frames))
    yield f"kB of the run {at}", spread(sizes), *KILOBYTES.words(median(sizes))


def _open(browser: Browser, port: int) -> tuple[Page, CDPSession]:
    """The page before its run, with a count of the frames shown."""
    page = browser.new_context(viewport={"width": 1440, "height": 860}).new_page()
    session = page.context.new_cdp_session(page)
    page.goto(f"http://{HOST}:{port}/train", wait_until="networkidle")
    page.wait_for_selector("html[data-ready]")
    page.evaluate(COUNT)
    return page, session


def _cost(browser: Browser, port: int) -> float:
    """Milliseconds of the main thread for a frame."""
    page, session = _open(browser, port)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.click("#play")
    page.wait_for_selector(LOCAL, state="attached")
    page.wait_for_timeout(500)
    before, first = _task(session), page.evaluate("shown.length")
    page.wait_for_timeout(1000 * SECONDS)
    took, frames = _task(session) - before, page.evaluate("shown.length") - first
    page.context.close()
    return float(took / frames)


def _task(session: CDPSession) -> float:
    found = session.send("Performance.getMetrics")["metrics"]
    return next(float(m["value"]) * 1000 for m in found if m["name"] == "TaskDuration")


def _slow(browser: Browser, port: int) -> tuple[float, float]:
    """Frames a second, and kilobytes of the run."""
    page, session = _open(browser, port)
    sizes: list[float] = []
    session.on("Network.dataReceived", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.click("#play")
    while not page.evaluate(ENDED):
        page.wait_for_timeout(500)
    shown: list[float] = page.evaluate("shown")
    page.wait_for_timeout(1000)
    page.context.close()
    return 1000 * (len(shown) - 1) / (shown[-1] - shown[0]), sum(sizes) / 1000

"""One step of the page in a real Chromium: what its script, styles and layout cost.

An MLP on three samples is opened at its first frame and stepped through with real key presses,
ArrowRight, which reach the page as a visitor's do. Around each press Chromium's own counters are
read over the DevTools protocol (`Performance.getMetrics`): the time it spent in scripts, in
recalculating styles and in layout. They count nothing but the page's own main thread: neither the
test's work nor the waiting in between. After each press two animation frames pass, so that what
the step put off to the next frame is in its figure; work put off longer, such as writing the
address 350 ms later, is done once for many steps and is not. Requests are those that the server
counts during all steps, whoever makes them. The whole of the main thread is shown for information:
most of it is painting, which a headless browser does without a graphics card.
"""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.programs import THREE_SAMPLES
from benchmarks.report import NO_GOAL, Goal, percentile, table
from benchmarks.serving import HOST, running
from engine.trace.build import trace
from scripts.find_chromium import advice, find

STEPS = 100  # in each pass
WARM_UP = 20
SCRIPT = Goal(8)
REQUESTS = Goal(0)
FLAGS = ["--disable-background-networking", "--disable-dev-shm-usage", "--no-first-run"]
COUNTERS = {
    "script": "ScriptDuration",
    "styles": "RecalcStyleDuration",
    "layout": "LayoutDuration",
    "the whole main thread": "TaskDuration",
}
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def _counters(session: CDPSession) -> dict[str, float]:
    found = session.send("Performance.getMetrics")["metrics"]
    seconds = {metric["name"]: metric["value"] for metric in found}
    return {name: seconds[counter] * 1000 for name, counter in COUNTERS.items()}


def _step(page: Page, session: CDPSession) -> dict[str, float]:
    """Milliseconds that one step took."""
    before = _counters(session)
    page.keyboard.press("ArrowRight")
    page.evaluate(TWO_FRAMES)
    after = _counters(session)
    return {name: after[name] - before[name] for name in COUNTERS}


def _steps(page: Page, first: int) -> Iterator[dict[str, float]]:
    """The steps after frame `first`, once it is warm."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.focus("#player")
    for at in range(first, first + WARM_UP + STEPS):
        took = _step(page, session)
        words = page.inner_text("#where")
        if not words.startswith(f"frame {at + 2} "):
            raise RuntimeError(f"a key press did not step: {words}")
        if at >= first + WARM_UP:
            yield took


def _measure(browser: Browser, port: int, first: int) -> tuple[list[dict[str, float]], int]:
    """What each step after frame `first` took, and how many requests all of them made."""
    page = browser.new_page(viewport={"width": 1440, "height": 860})
    query = urlencode({"program": THREE_SAMPLES, "frame": first})
    page.goto(f"http://{HOST}:{port}/?{query}", wait_until="networkidle")
    page.wait_for_selector("html[data-ready]")
    asked = _answered(port)
    took = list(_steps(page, first))
    page.wait_for_timeout(1000)
    asked = _answered(port) - asked - 1  # the one that counted
    page.close()
    return took, asked


def _answered(port: int) -> int:
    """Requests that the server has answered so far, of every kind."""
    with urllib.request.urlopen(f"http://{HOST}:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    counts = (line.split() for line in lines if line.startswith("gradlens_requests_total{"))
    return sum(int(float(count)) for _, count in counts)


def run() -> str:
    """Measure a step in each pass; the table."""
    path = find()
    if path is None:
        return f"### Browser: not measured\n\n{advice()}\n"
    shown = trace(THREE_SAMPLES)
    turn = next(i for i, frame in enumerate(shown.frames) if frame.pass_ == "backward")
    rows = []
    with running() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name, first in (("forward", 0), ("backward", turn)):
            steps, requests = _measure(browser, server.port, first)
            for part in COUNTERS:
                times = [step[part] for step in steps]
                goal = SCRIPT.words(median(times)) if part == "script" else NO_GOAL
                figures = (median(times), min(times), percentile(times, 95))
                rows.append((f"{name}, {part}, ms", *(f"{x:.2f}" for x in figures), *goal))
            count = str(requests)
            rows.append((f"{name}, requests in all", count, "", "", *REQUESTS.words(requests)))
        browser.close()
    title = f"Browser: one step of {len(shown.nodes)} Values, {STEPS} steps in each pass"
    return table(title, ("pass, part", "median", "least", "p95", "goal (median)", ""), rows)


if __name__ == "__main__":
    print(run())

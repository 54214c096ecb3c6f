"""The cost of one step of the page in Chromium: script, style recalculation and layout.

An MLP on three samples is stepped through with real key presses (ArrowRight). Before and after each
press, Chromium's counters are read over the DevTools protocol (`Performance.getMetrics`). They
cover only the page's main thread, neither the benchmark nor idle time. Two animation frames after
each press include work postponed to the next frame; longer postponed work, such as updating the
address after 350 ms, runs once for many steps and is excluded. Requests are counted by the server
over all steps. The main thread's total is shown for information: most of it is painting, which a
headless browser does without a GPU. The card is that of a Value, from the click to its layout, the
server included.
"""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator, Sequence
from statistics import median
from urllib.parse import urlencode

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks import lesson_pages
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
CARDS = 40  # Values that are asked
CARD = Goal(30)
ASK = """id => new Promise(done => {
  const card = document.getElementById('value-card')
  const began = performance.now()
  const wait = new MutationObserver(() => {
    if (card.dataset.value !== id) return
    wait.disconnect()
    document.body.offsetHeight
    done(performance.now() - began)
  })
  wait.observe(card, {attributes: true})
  document.querySelector(`#picture .value[data-node="${id}"]`)
    .dispatchEvent(new MouseEvent('click', {bubbles: true}))
})"""
BOXES = "random.seed(7)\nn = MLP(3, [21, 21, 1])\ny = n([2.0, 3.0, -1.0])"
OPENED = 12  # boxes that are opened
BOX = Goal(150)
OPEN = """() => new Promise(done => {
  const frames = document.querySelectorAll('#picture .cluster').length
  const boxes = document.querySelectorAll('#picture .group')
  const box = boxes[Math.floor(boxes.length / 2)]
  const began = performance.now()
  const wait = new MutationObserver(() => {
    if (document.querySelectorAll('#picture.placed .cluster').length <= frames) return
    wait.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
  })
  const result = document.getElementById('result')
  wait.observe(result, {childList: true, subtree: true, attributes: true})
  box.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 600, clientY: 400}))
})"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def _counters(session: CDPSession) -> dict[str, float]:
    found = session.send("Performance.getMetrics")["metrics"]
    seconds = {metric["name"]: metric["value"] for metric in found}
    return {name: seconds[counter] * 1000 for name, counter in COUNTERS.items()}


def _step(page: Page, session: CDPSession) -> dict[str, float]:
    """The costs of one step in milliseconds."""
    before = _counters(session)
    page.keyboard.press("ArrowRight")
    page.evaluate(TWO_FRAMES)
    after = _counters(session)
    return {name: after[name] - before[name] for name in COUNTERS}


def _steps(page: Page, first: int) -> Iterator[dict[str, float]]:
    """The costs of the steps after frame `first`, after a warm-up."""
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
    """The cost of each step after frame `first`, and the number of requests of all."""
    page = browser.new_page(viewport={"width": 1440, "height": 860})
    query = urlencode({"program": THREE_SAMPLES, "frame": first, "grouped": 0})
    page.goto(f"http://{HOST}:{port}/?{query}", wait_until="networkidle")
    page.wait_for_selector("html[data-ready]")
    asked = _answered(port)
    took = list(_steps(page, first))
    page.wait_for_timeout(1000)
    asked = _answered(port) - asked - 1  # less the counting request itself
    page.close()
    return took, asked


def _cards(browser: Browser, port: int, ids: Sequence[str]) -> list[float]:
    """Milliseconds from a click on each Value to its card, laid out; the server's time included."""
    page = browser.new_page(viewport={"width": 1440, "height": 860})
    page.goto(f"http://{HOST}:{port}/?{urlencode({'program': THREE_SAMPLES, 'grouped': 0})}")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_timeout(1000)
    took = []
    for id_ in ids:
        took.append(float(page.evaluate(ASK, id_)))
        page.evaluate(TWO_FRAMES)
    page.close()
    return took[WARM_UP:]


def _boxes(browser: Browser, port: int) -> list[float]:
    """Milliseconds from a click on a box to the picture in which it is open, painted.

    Each time, the box is opened in a new page of a graph of some 1,600 Values; the layout is that
    of the server's first answer.
    """
    took = []
    for at in range(OPENED):
        page = browser.new_page(viewport={"width": 1440, "height": 860})
        program = f"{BOXES}\nz = y * {at + 2}"
        page.goto(f"http://{HOST}:{port}/?{urlencode({'program': program, 'grouped': 1})}")
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(1000)
        took.append(float(page.evaluate(OPEN)))
        page.close()
    return took


def _answered(port: int) -> int:
    """The number of requests that the server has answered so far."""
    with urllib.request.urlopen(f"http://{HOST}:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    counts = (line.split() for line in lines if line.startswith("seegrad_requests_total{"))
    return sum(int(float(count)) for _, count in counts)


def run() -> str:
    """Measure the steps of each pass; returns the table."""
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
        drawn = [node.id for node in shown.nodes if node.kind == "value"]
        cards = _cards(browser, server.port, drawn[: CARDS + WARM_UP])
        figures = (median(cards), min(cards), percentile(cards, 95))
        row = ("click to card, ms", *(f"{x:.2f}" for x in figures), *CARD.words(median(cards)))
        rows.append(row)
        boxes = _boxes(browser, server.port)
        figures = (median(boxes), min(boxes), percentile(boxes, 95))
        name = "click to box open and painted, ms"
        rows.append((name, *(f"{x:.1f}" for x in figures), *BOX.words(median(boxes))))
        rows += lesson_pages.rows(browser, server.port)
        browser.close()
    title = f"Browser: one step of {len(shown.nodes)} Values, {STEPS} steps in each pass"
    return table(title, ("pass, part", "median", "least", "p95", "goal (median)", ""), rows)


if __name__ == "__main__":
    print(run())

"""A lesson in Chromium: its first paint on a slow connection, and the time of a change of state.

The first contentful paint is that of a new browser context at 1.6 Mbit/s with 100 ms of latency, as
Chromium's DevTools protocol emulates them. A change of state is measured from the key (N or P) to
the first animation frame in which the live picture has the texts, the frame and the open card of
that step; they are recorded in a first pass through the lesson. Most changes include a request.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.report import Goal, percentile
from benchmarks.serving import HOST

SLUG = "accumulate"
PAINTS = 9
PASSES = 6
PAINT = Goal(1000)
CHANGE = Goal(50)
SLOW = {
    "offline": False,
    "latency": 100,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PAINTED = """() => new Promise(done => new PerformanceObserver(list => {
  const [paint] = list.getEntriesByName('first-contentful-paint')
  if (paint) done(paint.startTime)
}).observe({type: 'paint', buffered: true}))"""
STATE = """() => {
  const page = document.querySelector('#live iframe.current').contentDocument
  const text = part => page.querySelector(part)?.textContent ?? ''
  return [...page.querySelectorAll('#picture text')].map(one => one.textContent).join() +
    text('#where') + text('.value-card:not([hidden]) #value-title')
}"""
TURN = (
    "([key, goal]) => new Promise(done => { const state = "
    + STATE
    + """
  const began = performance.now()
  dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))
  const look = () => requestAnimationFrame(() => {
    if (state() === goal) done(performance.now() - began)
    else look()
  })
  look()
})"""
)


def rows(browser: Browser, port: int) -> list[tuple[str, ...]]:
    """The rows of both figures: median, least, 95th percentile, goal."""
    found = [
        ("first paint of a lesson at 1.6 Mbit/s, ms", _paints(browser, port), PAINT),
        ("change of a lesson's state, ms", _changes(browser, port), CHANGE),
    ]
    return [
        (name, *(f"{x:.1f}" for x in figures(times)), *goal.words(median(times)))
        for name, times, goal in found
    ]


def figures(times: list[float]) -> tuple[float, float, float]:
    """Median, least and 95th percentile."""
    return median(times), min(times), percentile(times, 95)


def _paints(browser: Browser, port: int) -> list[float]:
    took = []
    for _ in range(PAINTS):
        context = browser.new_context(viewport={"width": 1440, "height": 860})
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)
        page.goto(f"http://{HOST}:{port}/learn/{SLUG}", wait_until="commit")
        took.append(float(page.evaluate(PAINTED)))
        context.close()
    return took


def _changes(browser: Browser, port: int) -> list[float]:
    page = browser.new_page(viewport={"width": 1440, "height": 860}, reduced_motion="reduce")
    page.goto(f"http://{HOST}:{port}/learn/{SLUG}")
    page.wait_for_selector("#live iframe.current.shown")
    states = _states(page)
    took: list[float] = []
    for turn in range(2 * PASSES):
        key = "np"[turn % 2]
        there = states if key == "n" else states[::-1]
        for before, goal in pairwise(there):
            time = float(page.evaluate(TURN, [key, goal]))
            page.wait_for_timeout(500)  # the page writes its address
            if before != goal and turn:
                took.append(time)
    page.close()
    return took


def _states(page: Page) -> list[str]:
    """The state of the picture at each step; the page is at the first step again."""
    found = []
    for _ in range(page.locator(".step").count()):
        page.wait_for_timeout(1500)
        found.append(str(page.evaluate(STATE)))
        page.keyboard.press("n")
    for _ in found[1:]:
        page.keyboard.press("p")
        page.wait_for_timeout(500)
    return found

"""The first screen is calm: program, picture, play and sentence, and menus for the rest."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import EXAMPLE, Explore

MOST = 25

# What every link, button, field, menu and text that can be edited is called, as far as it is seen.
CONTROLS = """() => {
  const wanted = 'a[href], button, input, select, textarea, summary, [contenteditable=true]'
  const hosts = [...document.querySelectorAll('*')].filter(one => one.shadowRoot)
  const roots = [document, ...hosts.map(one => one.shadowRoot)]
  return roots.flatMap(root => [...root.querySelectorAll(wanted)]).filter(one => {
    const {width, height, bottom} = one.getBoundingClientRect()
    return width > 1 && height > 1 && bottom > 0 && one.checkVisibility({visibilityProperty: true})
  }).map(one => one.getAttribute('aria-label') || one.textContent.trim().replace(/\\s+/g, ' ')
    || one.closest('.leaf')?.querySelector('label').textContent || one.id)
}"""
NAMED = [
    *("seegrad", "Learn", "Explore", "Train", "Reference", "Share", "Light or dark colours"),
    *("Examples", "Program", "Look closer"),
    *("a, slider", "a", "b, slider", "b", "c, slider", "c", "f, slider", "f"),
    *("First frame", "Back", "Play", "Forward", "Last frame", "Frame", "1× · by op"),
]


def test_few_controls_are_seen_before_the_first_step(page: Page) -> None:
    Explore(page).go("/explore")
    names: list[str] = page.evaluate(CONTROLS)
    assert sorted(names) == sorted(NAMED)
    assert len(names) <= MOST


def test_what_is_opened_stays_open_over_steps_edits_and_reloads(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE)
    explore.look("memory")
    explore.closer("transcript")
    explore.closer("unroll")
    opened = [page.locator(part) for part in ("#lens-memory", "#transcript", "#unrolled")]

    def are_open() -> None:
        for part in opened:
            expect(part).to_be_visible()

    explore.press("Escape")
    explore.press("Home")
    explore.press("ArrowRight")
    are_open()
    expect(page).to_have_url(re.compile("at=2.*tab=unrolled"))
    page.reload()
    explore.ready()
    are_open()
    page.get_by_role("button", name="unrolled").click()  # beside the program's name
    expect(opened[2]).to_be_hidden()
    explore.paste("x = 3.0\ny = x*x")
    expect(explore.card("y")).to_be_visible()
    for part in opened[:2]:
        expect(part).to_be_visible()
    page.locator("#closer > summary").click()
    entry = page.get_by_role("button", name=re.compile("^Transcript"))
    expect(entry).to_have_attribute("aria-pressed", "true")
    entry.click()
    expect(opened[1]).to_be_hidden()

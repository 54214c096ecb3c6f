"""The first screen is calm: program, picture, play and sentence, and menus for the rest."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import EXAMPLE, NETWORK, Explore
from tests.support.own_classes import DOUBLE, RIGHT

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


LONG = "a = 2.0\n" + "L = " + " + ".join(f"a*{k}" for k in range(1, 30))
GUTTER = """() => {
  const root = document.querySelector('#editor .code').shadowRoot
  const {y} = root.querySelector('.cm-line:nth-child(2)').getBoundingClientRect()
  const margin = root.querySelector('.cm-gutters')
  const [left, right] = [margin.getBoundingClientRect().left, margin.getBoundingClientRect().right]
  return {
    scrolled: root.querySelector('.cm-scroller').scrollLeft,
    hides: margin.contains(root.elementFromPoint((left + right) / 2, y + 8)),
    colour: getComputedStyle(margin).backgroundColor,
  }
}"""


def test_what_belonged_to_the_program_before_is_gone(page: Page) -> None:
    explore = Explore(page).open(RIGHT + DOUBLE)
    verdict = page.locator("#verdict .sentence")
    expect(verdict).to_be_visible()
    explore.paste(RIGHT + DOUBLE.replace("a + a", "a + None"))
    expect(explore.stale).to_be_visible()
    expect(verdict).to_be_hidden()
    expect(page.locator("#sentence")).to_be_hidden()
    explore.open(NETWORK, grouped=0)
    expect(page.locator("#fit")).to_be_visible()
    explore.paste("x = 2.0\nz = x * x")
    expect(explore.card("z")).to_be_visible()
    assert explore.is_whole()  # and in the middle, as large as it is without one before
    left, top, width, height = explore.box(explore.canvas)
    x, y = explore.middle(explore.picture)
    assert abs(x - (left + width / 2)) < 2
    assert abs(y - (top + height / 2)) < 20
    a_long_line_does_not_run_through_the_numbers_of_lines(explore)
    drafts_are_not_offered_over_the_picture(page)


def a_long_line_does_not_run_through_the_numbers_of_lines(explore: Explore) -> None:
    explore.paste(LONG)
    explore.area.press("End")
    margin = explore.page.evaluate(GUTTER)
    assert margin["scrolled"] > 100
    assert margin["hides"]
    assert re.fullmatch(r"rgb\(.*\)", margin["colour"])  # without an alpha


def drafts_are_not_offered_over_the_picture(page: Page) -> None:
    context = page.context
    page.close()
    explore = Explore(context.new_page()).go("/explore")
    x, _, width, _ = explore.box(explore.page.get_by_role("region", name="Drafts"))
    assert x + width <= explore.box(explore.canvas)[0]

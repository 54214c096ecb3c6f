"""What a visitor typed survives a refusal, a lost server, a reload and a closed tab."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import EXAMPLE, Explore
from tests.browser.train_page import OwnServer, Train
from tests.browser.witness import Witness

WRONG = EXAMPLE.replace("* f", "* g")  # g has no value
LAST = "L = (a*b + c) * g"
RIGHT = EXAMPLE.replace("10.0", "5.5")
AWAY = [
    "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY|net::ERR_",
    "^htmx: htmx:error: Failed to fetch",
]
ROWS = "0, 0, 0\n0, one, 1\n1, 0, 1"


@pytest.fixture
def own(tmp_path: Path, witness: Witness) -> Iterator[OwnServer]:
    """A server that the test may kill."""
    witness.allowed += AWAY
    server = OwnServer(tmp_path / "output.txt")
    server.start()
    yield server
    server.kill()


def offer(page: Page) -> Locator:
    """The line that offers what was typed before."""
    return page.get_by_role("region", name="Drafts")


def later(page: Page, to: str = "/explore") -> Page:
    """The tab is closed, and the visitor comes again."""
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(to)
    expect(again.locator("html")).to_have_attribute("data-ready", "true")
    return again


def is_wrong_over_the_example(explore: Explore) -> None:
    """The refused text with its mark, and the last right picture behind it."""
    expect(explore.program).to_have_value(WRONG)
    expect(explore.error_mark()).to_have_text("g")
    expect(explore.stale).to_be_visible()
    assert explore.numbers() == as_shown(chain())


def test_refused_text_is_in_the_address_and_survives_a_closed_tab(page: Page, axe: Axe) -> None:
    explore = Explore(page).open()
    explore.insert(WRONG)
    expect(page).to_have_url(re.compile(r"program=.*g$"))
    page.reload()
    is_wrong_over_the_example(explore.ready())
    explore = Explore(later(page))
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.page.get_by_role("button", name=LAST)).to_be_visible()
    assert axe(explore.page) == []
    explore.page.get_by_role("button", name=LAST).click()
    is_wrong_over_the_example(explore)
    explore.area.press("Control+End")
    explore.press("Backspace")
    explore.page.keyboard.type("f")
    expect(explore.problem).to_be_empty()
    expect(explore.stale).to_be_hidden()


def test_text_typed_a_moment_before_the_tab_was_closed(page: Page) -> None:
    explore = Explore(page).open()
    page.route("**/graph", lambda route: None)  # no answer
    explore.insert(RIGHT)
    explore = Explore(later(page))
    offer(explore.page).get_by_role("button").first.click()
    expect(explore.program).to_have_value(RIGHT)
    explore.shows("c", 5.5, -2)
    expect(offer(explore.page)).to_have_count(0)


def test_offered_drafts_never_replace_a_link_and_vanish_on_typing(page: Page) -> None:
    explore = Explore(page).open()
    explore.insert(WRONG)
    expect(explore.stale).to_be_visible()
    explore = Explore(later(page, "/?program=x+%3D+1.0"))
    expect(explore.program).to_have_value("x = 1.0")
    expect(offer(explore.page)).to_have_count(0)
    explore = Explore(later(explore.page))
    expect(offer(explore.page)).to_be_visible()
    explore.canvas.click()  # to look is not to choose
    explore.press("Home")
    explore.slider("c").press("End")
    expect(offer(explore.page)).to_be_visible()
    explore.area.press("Control+End")
    explore.page.keyboard.type("\nM = L")
    expect(offer(explore.page)).to_have_count(0)


def test_tabs_do_not_write_over_each_other(page: Page) -> None:
    """Nor does a tab that was doubled, and so began with what the other one held."""
    explore = Explore(page).open(EXAMPLE)
    explore.insert(WRONG)
    expect(explore.stale).to_be_visible()
    with page.expect_popup() as opened:
        page.evaluate("open(location.href)")
    double = Explore(opened.value).ready()
    double.page.reload()
    is_wrong_over_the_example(double.ready())
    double.insert(RIGHT)
    double.shows("c", 5.5, -2)
    page.goto("about:blank")
    double = Explore(later(double.page))
    chips = offer(double.page).locator(".chip")
    expect(chips).to_have_count(2)
    assert set(chips.all_text_contents()) == {LAST, LAST.replace("g", "f")}
    double.page.get_by_role("button", name="Discard").click()
    expect(offer(double.page)).to_have_count(0)
    double.page.reload()
    expect(offer(double.ready().page)).to_have_count(0)


def test_full_storage_does_no_harm(page: Page) -> None:
    explore = Explore(page).open()
    page.evaluate(
        """() => {
          for (let size = 2 ** 22; size >= 1; size /= 2) {
            try { localStorage.setItem(`fill${size}`, 'x'.repeat(size)) } catch {}
          }
        }"""
    )
    explore.insert(WRONG)
    expect(explore.stale).to_be_visible()
    page.reload()
    is_wrong_over_the_example(explore.ready())


def test_pages_go_on_by_themselves_when_the_server_is_back(
    own: OwnServer, open_page: OpenPage
) -> None:
    """Explore with right text and with invalid text over an older picture, and Train."""
    explore, other = (Explore(open_page(new=True)).go(f"{own.address}/explore") for _ in range(2))
    train = Train(open_page(new=True))
    train.go(f"{own.address}/train?data=moons&layers=2-3-1&steps=100")
    explore.press("End")
    explore.page.evaluate("window.marked = true")
    other.press("End")
    other.insert(WRONG)
    expect(other.error_mark()).to_have_text("g")
    own.kill()
    train.field("seed").fill("77")
    train_waits_for_the_server(train)
    explore_keeps_text_and_picture(explore)
    other.slider("c").focus()
    other.press("End")  # c = 20, of the picture behind
    expect(other.problem).to_contain_text("cannot be reached")
    own.start()
    train_takes_what_was_typed(train)
    explore_draws_what_was_typed(explore)
    expect(other.problem).to_contain_text("NameError: name 'g' is not defined")
    expect(other.program).to_have_value(WRONG)
    other.shows("c", 20, -2)


def train_waits_for_the_server(train: Train) -> None:
    """It says so, also when a step is asked for."""
    expect(train.notice).to_contain_text("This setting needs the server, which does not respond")
    train.drag_to(9)


def train_takes_what_was_typed(train: Train) -> None:
    """The setting, from the first step on."""
    train.page.wait_for_url("**seed=77**")
    expect(train.notice).to_be_hidden()
    expect(train.page.locator("#stat-step")).to_have_text("0")
    train.press("One step")
    train.is_at(1, 100)


def explore_keeps_text_and_picture(explore: Explore) -> None:
    """The picture needs no server."""
    explore.insert(RIGHT)
    expect(explore.problem).to_contain_text("cannot be reached. Your text is kept. Trying again")
    expect(explore.stale).to_be_visible()
    assert explore.numbers() == as_shown(chain())
    explore.press("Escape")
    explore.press("Home")
    explore.is_at(0, 8)


def explore_draws_what_was_typed(explore: Explore) -> None:
    """On the same page."""
    expect(explore.problem).to_be_empty()
    expect(explore.stale).to_be_hidden()
    explore.press("End")
    explore.shows("c", 5.5, -2)
    assert explore.page.evaluate("window.marked")


def test_refused_settings_and_pasted_rows_survive(page: Page) -> None:
    train = Train(page).go("/train")
    train.take("rows")
    page.wait_for_url(re.compile("data=rows"))
    train.field("rows").fill(ROWS)
    train.field("learning_rate").fill("much")
    expect(train.error("rows")).to_be_visible()
    page.reload()
    train.ready()
    expect(train.field("rows")).to_have_value(ROWS)
    expect(train.field("learning_rate")).to_have_value("much")
    expect(train.error("rows")).to_be_visible()
    expect(train.notice).to_contain_text("Showing the previous run")
    train = Train(later(page, "/train"))
    expect(train.field("learning_rate")).not_to_have_value("much")
    offer(train.page).get_by_role("button", name="rows").click()
    expect(train.field("rows")).to_have_value(ROWS)
    expect(train.field("learning_rate")).to_have_value("much")
    expect(train.error("rows")).to_be_visible()
    train.field("rows").fill(ROWS.replace("one", "1"))
    train.field("learning_rate").fill("0.1")
    train.page.wait_for_url("**learning_rate=0.1**")
    expect(train.notice).to_be_hidden()


def test_reload_while_a_run_plays_shows_its_step_and_a_link_its_own(page: Page) -> None:
    train = Train(page).go("/train?data=moons&layers=2-3-1&steps=5000")
    train.press("Play")
    train.is_past(10)
    page.reload()
    train.ready().is_past(10)
    page.wait_for_url(re.compile(r"step=\d\d"))
    assert train.complete()["step"] > 10
    train.go("/train?data=moons&layers=2-3-1&steps=5000&step=4").is_at(4, 5000)


def test_settings_typed_a_moment_before_the_tab_was_closed_and_weights_survive(page: Page) -> None:
    train = Train(page).go("/train")
    train.neuron(1, 0).click()
    field = train.inspector.locator("input").first
    field.fill("2.5")
    field.press("Enter")
    page.wait_for_url("**set=*:2.5**")
    train.field("seed").fill("4711")
    train = Train(later(page, "/train"))
    expect(train.page.locator("#edits-list")).to_be_hidden()
    offer(train.page).get_by_role("button").first.click()
    train.page.wait_for_url(re.compile("(?=.*seed=4711).*set=[^&]*(:|%3A)2.5"))
    expect(train.field("seed")).to_have_value("4711")
    expect(train.page.locator("#edits-list")).to_contain_text("2.5")


# Text reaches the editor in a mutation of the document, and is read from it a moment later.
INSERT_AND_LEAVE = """text => {
  document.querySelector('#editor .code').shadowRoot.querySelector('.cm-content').focus()
  document.execCommand('selectAll')
  document.execCommand('insertText', false, text)
  window.dispatchEvent(new PageTransitionEvent('pagehide'))
  return JSON.parse(sessionStorage.getItem('seegrad.draft.explore') ?? '{}').typed
}"""


def test_text_inserted_in_the_moment_of_a_reload_and_steps_during_an_answer(page: Page) -> None:
    explore = Explore(page).open(EXAMPLE, frame=2)
    assert "5.5" in page.evaluate(INSERT_AND_LEAVE, RIGHT)
    explore.shows("c", 5.5, "·")
    step_while_an_answer_is_on_its_way(explore)
    page.unroute_all()
    reload_overtakes_the_address_of_an_answer(explore)


# The browser reloads the address before the last one, as it does if the reload began before that.
OVERTAKE = """() => {
  const key = 'seegrad.draft.explore'
  const kept = sessionStorage.getItem(key)
  window.addEventListener('pagehide', () => sessionStorage.setItem(key, kept))
  history.replaceState({}, '', '/?program=' + encodeURIComponent(window.earlier))
}"""


def reload_overtakes_the_address_of_an_answer(explore: Explore) -> None:
    page, last = explore.page, EXAMPLE.replace("10.0", "7.5")
    page.evaluate("program => { window.earlier = program }", RIGHT)
    explore.paste(last)
    expect(page).to_have_url(re.compile("7.5"))
    page.evaluate(OVERTAKE)
    page.reload()
    explore.ready()
    expect(explore.program).to_have_value(last)


def step_while_an_answer_is_on_its_way(explore: Explore) -> None:
    page = explore.page
    explore.press("Escape")
    held: list[Route] = []
    page.route("**/graph", lambda route: held.append(route))  # noqa: PLW0108  it is given a name
    direction = {"LR": "TB", "TB": "LR"}[explore.picture.get_attribute("data-direction") or ""]
    page.locator(f"input[value={direction}]").dispatch_event("click")
    explore.is_at(2, 8)
    explore.press("ArrowRight")
    explore.press("ArrowRight")
    explore.is_at(4, 8)
    assert len(held) == 1
    held[0].continue_()
    expect(explore.picture).to_have_attribute("data-direction", direction)
    explore.is_at(4, 8)
    explore.shows("L", -2 * (-6 + 5.5), 1)

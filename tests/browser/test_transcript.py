"""The transcript says every frame in words, for those who cannot see the picture."""

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.browser.explore_page import Explore
from tests.support.each import Cases, for_each

CHANGED = "Forward: a × b = 4.0 × (-3.0) = -12.0."
LINES = [
    "Given: a = 2.0, b = -3.0, c = 10.0, f = -2.0.",
    "Forward: a × b = 2.0 × (-3.0) = -6.0.",
    "Forward: a*b + c = -6.0 + 10.0 = 4.0.",
    "Forward: L = (a*b + c) × f = 4.0 × (-2.0) = -8.0.",
    "Backward starts at the output: the derivative of L with respect to itself is 1.0.",
    (
        "Backward through (a*b + c) × f: "
        "a*b + c receives 1.0 × -2.0 = -2.0; f receives 1.0 × 4.0 = 4.0."
    ),
    "Backward through a*b + c: a*b receives -2.0 × 1.0 = -2.0; c receives -2.0 × 1.0 = -2.0.",
    "Backward through a × b: a receives -2.0 × -3.0 = 6.0; b receives -2.0 × 2.0 = -4.0.",
]


def unfold(explore: Explore) -> None:
    """Open the transcript."""
    explore.closer("transcript")
    expect(explore.lines.first).to_be_visible()


def current(explore: Explore, text: str) -> None:
    """Expect the line of the frame that is shown."""
    expect(explore.page.locator("#transcript-list [aria-current=step]")).to_have_text(text)


words = Cases()


@for_each("case", words)
def test_words_of_the_example(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.press("End")
    if explore.lines.first.is_visible():
        explore.page.locator("#transcript > summary").click()
    if explore.page.locator("#reset").is_visible():
        explore.page.locator("#reset").click()
    explore.shows("a", 2, 6)
    case(explore)


@words.add
def every_frame_in_words(explore: Explore) -> None:
    expect(explore.lines.first).to_be_hidden()
    unfold(explore)
    expect(explore.lines).to_have_text(LINES)
    current(explore, LINES[7])


@words.add
def line_leads_to_its_frame_and_frames_mark_their_line(explore: Explore) -> None:
    unfold(explore)
    explore.page.get_by_role("button", name=LINES[5]).click()
    explore.is_at(5, 8)
    current(explore, LINES[5])
    explore.press("ArrowLeft")
    explore.is_at(4, 8)
    current(explore, LINES[4])


@words.add
def opens_and_leads_by_keyboard(explore: Explore) -> None:
    explore.page.locator("#closer > summary").press("Enter")
    explore.page.get_by_role("button", name="Transcript").press("Enter")
    expect(explore.lines.first).to_be_visible()
    explore.press("Tab")
    explore.press("Tab")
    explore.press("Enter")
    explore.is_at(1, 8)


@words.add
def words_follow_a_leaf(explore: Explore) -> None:
    unfold(explore)
    explore.type_leaf("a", "4")
    explore.shows("a", 4, 6)
    explore.press("Tab")
    expect(explore.lines.nth(1)).to_have_text(CHANGED)
    expect(explore.lines.nth(7)).to_contain_text("b receives -2.0 × 4.0 = -8.0")
    current(
        explore,
        "Backward through a × b: a receives -2.0 × -3.0 = 6.0; b receives -2.0 × 4.0 = -8.0.",
    )


@words.add
def words_follow_a_leaf_that_is_left_before_the_numbers_come(explore: Explore) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    unfold(explore)
    explore.page.route("**/numbers", hold)
    with explore.page.expect_request("**/numbers"):
        explore.type_leaf("a", "4")
    explore.press("Tab")
    held[0].continue_()
    explore.page.unroute("**/numbers")
    explore.shows("a", 4, 6)
    expect(explore.lines.nth(1)).to_have_text(CHANGED)


@words.add
def words_follow_a_reset(explore: Explore) -> None:
    unfold(explore)
    explore.type_leaf("a", "4")
    explore.shows("a", 4, 6)
    explore.press("Tab")
    expect(explore.lines.nth(1)).to_have_text(CHANGED)
    explore.page.get_by_role("button", name="Reset").click()
    expect(explore.lines).to_have_text(LINES)


@words.add
def words_are_new_when_opened_after_a_change(explore: Explore) -> None:
    explore.type_leaf("a", "4")
    explore.shows("a", 4, 6)
    unfold(explore)
    expect(explore.lines.nth(1)).to_have_text(CHANGED)


@words.add
def announcement_after_a_change_has_the_new_numbers(explore: Explore) -> None:
    explore.type_leaf("a", "4")
    explore.shows("a", 4, 6)
    explore.press("Escape")
    explore.press("ArrowLeft")
    explore.press("ArrowRight")
    said = explore.page.locator("#announcer")
    expect(said).to_contain_text("frame 8 of 8, backward")
    expect(said).to_contain_text(re.compile(r"[-−]8\.0"))  # what b receives: f a
    expect(said).not_to_contain_text(re.compile(r"[-−]4\.0"))


def test_transcript_stays_open_for_other_programs_and_has_sums_and_full_numbers(
    explore: Explore,
) -> None:
    unfold(explore)
    explore.paste("x = 3.0\ny = x*x + x")
    expect(explore.lines.last).to_contain_text(
        "x receives 1.0 × 3.0 = 3.0, in total 1.0 + 3.0 = 4.0"
    )
    expect(explore.lines.last).to_contain_text("in total 4.0 + 3.0 = 7.0")
    explore.paste("x = 1.0\ny = x / 3")
    expect(explore.lines.nth(1)).to_contain_text("= 0.3333333333333333.")
    expect(explore.lines).to_have_count(4)
    expect(explore.lines.first).to_be_visible()

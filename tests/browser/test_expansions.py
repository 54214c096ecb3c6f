"""Operations opened in place: by their sign, their cross, the section, and by keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.explore_page import Explore
from tests.support.each import Cases, for_each

TANH = "x = Value(0.7)\ny = x.tanh()\nL = y * 3\nL.backward()"  # 6 frames, 14 with tanh open


@pytest.fixture
def explore(page: Page) -> Explore:
    return Explore(page).open(TANH)


def sign(explore: Explore) -> Locator:
    return explore.page.get_by_role("button", name="tanh of y: open")


def cross(explore: Explore) -> Locator:
    return explore.page.get_by_role("button", name=re.compile(r"^tanh\(x\) = .*: close$"))


tanh = Cases()


@for_each("case", tanh)
def test_tanh(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    if cross(explore).count():
        cross(explore).click()
    explore.press("End")
    explore.press("0")
    explore.press("Escape")
    expect(explore.where).to_have_text("frame 6 of 6")
    case(explore)


@tanh.add
def an_op_opens_in_place_and_closes_again(explore: Explore) -> None:
    sign(explore).click()
    expect(explore.where).to_have_text("frame 14 of 14")
    expect(explore.card("exp(2*x)").locator("text.data")).to_have_text("4.0552")
    expect(explore.card("x").locator("text.grad")).to_have_text("1.9042")
    expect(explore.page).to_have_url(re.compile("expand=v2"))
    cross(explore).click()
    expect(explore.where).to_have_text("frame 6 of 6")
    expect(explore.card("exp(2*x)")).to_have_count(0)
    expect(explore.page).not_to_have_url(re.compile("expand="))


@tanh.add
def a_picture_seen_as_a_whole_is_so_again_when_an_op_is_opened(explore: Explore) -> None:
    assert explore.is_whole()
    before = explore.box(explore.picture)
    sign(explore).click()
    expect(explore.card("exp(2*x)")).to_be_visible()
    assert explore.is_whole()
    cross(explore).click()
    expect(explore.card("exp(2*x)")).to_have_count(0)
    assert explore.is_whole()
    assert explore.box(explore.picture)[2:] == pytest.approx(before[2:], abs=1)


@tanh.add
def a_view_that_was_chosen_stays_when_an_op_is_opened(explore: Explore) -> None:
    explore.press("+")
    explore.still()
    width, height = explore.box(explore.card("L"))[2:]
    x, y = explore.middle(sign(explore))
    sign(explore).click()
    expect(explore.card("exp(2*x)")).to_be_visible()
    explore.still()
    assert explore.box(explore.card("L"))[2:] == pytest.approx((width, height), abs=1)
    left, top, wide, high = explore.box(explore.picture.locator(".cluster .frame"))
    assert left <= x <= left + wide
    assert top <= y <= top + high


@tanh.add
def by_keyboard_the_focus_stays_on_the_control(explore: Explore) -> None:
    sign(explore).focus()
    explore.page.keyboard.press("Enter")
    expect(cross(explore)).to_be_focused()
    explore.page.keyboard.press("Space")
    expect(sign(explore)).to_be_focused()
    expect(explore.where).to_have_text("frame 6 of 6")


@tanh.add
def the_moment_of_the_pass_stays(explore: Explore) -> None:
    explore.press("Home")
    for _ in range(4):
        explore.press("ArrowRight")
    expect(explore.where).to_have_text("frame 5 of 6")
    words = explore.explanation.text_content() or ""
    sign(explore).click()
    expect(explore.where).to_have_text("frame 9 of 14")
    expect(explore.explanation).to_have_text(words)
    explore.press("ArrowRight")  # the last of the five operations inside, backwards
    explore.press("ArrowRight")
    expect(explore.where).to_have_text("frame 11 of 14")
    cross(explore).press("Enter")
    expect(explore.where).to_have_text("frame 6 of 6")


@tanh.add
def the_section_opens_an_op_and_says_both_numbers(explore: Explore) -> None:
    section = explore.look("expand")
    section.get_by_role("link", name="Open tanh").click()
    expect(section).to_contain_text("by the op 0.604367777117; they differ by 1.1e-16")
    expect(explore.card("exp(2*x)")).to_be_visible()
    expect(section.get_by_role("link", name="Close tanh")).to_be_focused()


@tanh.add
def a_leaf_that_makes_the_expansion_overflow_closes_it_and_says_why(explore: Explore) -> None:
    sign(explore).click()
    expect(explore.card("exp(2*x)")).to_be_visible()
    explore.type_leaf("x", "400")
    expect(explore.page.locator("#numbers .notice")).to_contain_text("exp(2*x) is inf here")
    explore.page.keyboard.press("Tab")  # a new picture waits until the leaf is left
    expect(explore.card("exp(2*x)")).to_have_count(0)
    expect(explore.card("y").locator("text.data")).to_have_text("1.0000")

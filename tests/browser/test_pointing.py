"""Pointing at a card, and choosing a value: full numbers, neighbours, source."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import NETWORK, Explore


def test_full_numbers_of_a_card_are_shown_by_pointer_and_by_focus(page: Page) -> None:
    explore = Explore(page).open("x = 1.0\ny = x / 3")
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_be_hidden()
    explore.card("y").hover()
    expect(tooltip).to_contain_text("0.3333333333333333")
    explore.card("x").hover()
    expect(tooltip).to_contain_text("0.3333333333333333")  # dy/dx
    expect(tooltip).to_contain_text("1.0")
    page.mouse.move(2, 2)
    expect(tooltip).to_be_hidden()
    explore.button("y").focus()
    expect(tooltip).to_contain_text("0.3333333333333333")
    explore.press("Escape")
    expect(tooltip).to_be_hidden()
    explore.release()
    explore.button("y").focus()
    expect(tooltip).to_be_visible()
    explore.press("Home")
    explore.is_at(0, 4)
    expect(tooltip).to_contain_text("not yet computed")


def test_tooltip_stays_on_the_screen(page: Page) -> None:
    explore = Explore(page).open(NETWORK, grouped=0)
    cards = explore.cards.all()
    for card in cards[:: len(cards) // 5]:
        card.get_by_role("button").focus()
        tooltip = page.get_by_role("tooltip")
        expect(tooltip).to_be_visible()
        expect(tooltip).to_be_in_viewport(ratio=1)


def test_a_value_is_chosen_by_pointer_and_by_keyboard(explore: Explore) -> None:
    explore.card("a*b").click()
    expect(explore.picture).to_have_class(re.compile(r"\bchoosing\b"))
    assert explore.names("chosen") == {"a*b"}
    assert explore.names("near") == {"a", "b", "a*b + c"}
    mark = explore.page.locator("#editor mark.chosen")
    expect(mark).to_have_text("a*b")
    explore.card("a*b").click()
    expect(explore.picture.locator(".chosen, .near")).to_have_count(0)
    expect(mark).to_have_count(0)
    explore.page.mouse.move(2, 2)
    explore.button("c").focus()
    explore.press("Enter")
    assert explore.names("chosen") == {"c"}
    expect(explore.page.locator("#sentence")).to_have_text(
        "If c grows by 0.01, L falls by about 0.02."
    )
    explore.press("Escape")
    expect(explore.picture.locator(".chosen")).to_have_count(0)
    expect(explore.button("c")).to_be_focused()
    explore.press("Space")
    assert explore.names("chosen") == {"c"}
    expect(explore.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_linked_copies_light_up_together(page: Page) -> None:
    """A leaf used in many places stands near each of them."""
    uses = " + ".join(f"x*w{i}" for i in range(6))
    explore = Explore(page).open(
        "x = 2.0\n" + "\n".join(f"w{i} = {i}.5" for i in range(6)) + f"\ny = {uses}"
    )
    copies = explore.picture.locator(f".value.copy[data-node={explore.id('x')}]")
    expect(copies).to_have_count(6)
    copies.nth(2).hover()
    expect(explore.picture.locator(".value.copy.pointed")).to_have_count(6)
    page.mouse.move(2, 2)
    expect(explore.picture.locator(".pointed")).to_have_count(0)
    copies.nth(4).click()
    expect(explore.picture.locator(".value.copy.chosen")).to_have_count(6)
    total = sum(i + 0.5 for i in range(6))
    for copy in copies.all():
        expect(copy.locator("text.grad")).to_have_text(f"{total:.4f}")  # dy/dx = the sum of all w
    explore.type_leaf("x", "4")
    explore.shows("y", 4 * total, 1)
    for copy in copies.all():
        expect(copy.locator("text.data")).to_have_text("4.0000")

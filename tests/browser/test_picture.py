"""The picture: what is drawn."""

import re
from itertools import combinations

from playwright.sync_api import Page, expect

from tests.browser.explore_page import NETWORK, Explore
from tests.support.each import for_each


def test_square_has_two_edges(page: Page) -> None:
    explore = Explore(page).open("x = 3.0\ny = x * x")
    edges = explore.picture.locator(
        f".edge.in[data-from={explore.id('x')}][data-to={explore.id('y')}]"
    )
    expect(edges).to_have_count(2)
    assert {edge.get_attribute("data-slot") for edge in edges.all()} == {"0", "1"}
    lines = {edge.locator(".line").get_attribute("d") for edge in edges.all()}
    assert len(lines) == 2
    assert len(explore.lit("flow-backward")) == 3  # both edges and the one from op to card
    explore.shows("x", 3, 6)


def test_no_two_cards_overlap_and_edges_lead_from_left_to_right(page: Page) -> None:
    explore = Explore(page).open(NETWORK, grouped=0, direction="LR")
    boxes, edges = page.evaluate(
        """() => [
          [...document.querySelectorAll('#picture .value')].map(card => {
            const {left, top, right, bottom} = card.querySelector('.card').getBoundingClientRect()
            return {of: card.dataset.copy ? '' : card.dataset.node, left, top, right, bottom}
          }),
          [...document.querySelectorAll('#picture .edge.in')].map(({dataset}) =>
            [dataset.from, dataset.to]),
        ]"""
    )
    assert len(boxes) == explore.cards.count() > 50
    for one, other in combinations(boxes, 2):
        beside = one["right"] <= other["left"] or other["right"] <= one["left"]
        assert beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
    left = {box["of"]: box["left"] for box in boxes}
    for source, to in edges:
        assert source not in left or left[source] < left[to]


@for_each(
    "label", ["<b>x</b>", "<img src=x onerror=alert(1)>", "]]>&lt;\"'", "x" * 200, "\u202eevil"]
)
def test_any_label_is_only_text(page: Page, label: str) -> None:
    explore = Explore(page).open(f"a = Value(2.0, label={label!r})\nL = a * 3")
    expect(explore.cards).to_have_count(3)
    expect(page.locator("#picture, #explanation, #leaves").locator("b, img")).to_have_count(
        page.locator("#explanation .pill > b, #explanation b.sign").count()
    )
    card = explore.cards.first
    name = re.compile(r"leaf: data 2, gradient 3$")
    expect(card.get_by_role("button")).to_have_accessible_name(name)
    text = card.locator("text.label")
    if label.isprintable() and len(label) < 12:
        expect(text).to_have_text(label)
    left, _, width, _ = explore.box(text)
    card_left, _, card_width, _ = explore.box(card.locator("rect.card"))
    assert left + width <= card_left + card_width

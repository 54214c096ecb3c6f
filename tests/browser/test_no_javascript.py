"""Without JavaScript every frame is a page: the form draws, links step, errors are marked."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import EXAMPLE, LAST, Explore, shown


@pytest.fixture
def explore(open_page: OpenPage) -> Explore:
    """The first page in a browser without JavaScript."""
    page = open_page(javascript=False)
    page.goto(f"/?frame={LAST}")
    return Explore(page)


def follow(page: Page, name: str) -> None:
    """Follow one of the links that step."""
    step = page.get_by_role("navigation", name="Step")
    with page.expect_navigation():
        step.get_by_role("link", name=name, exact=True).click()


def draw(explore: Explore) -> None:
    """Send the form, and wait for the page that it leads to."""
    with explore.page.expect_navigation():
        explore.page.get_by_role("button", name="Draw", exact=True).click()


def numbers(explore: Explore) -> dict[str, tuple[str, str]]:
    """Data and gradient on every card with a name."""
    found: list[list[str]] = explore.cards.evaluate_all(
        """cards => cards.filter(card => card.querySelector('.label')).map(card =>
          ['.label', 'text.data', 'text.grad'].map(part => card.querySelector(part).textContent))"""
    )
    return {name: (data, grad) for name, data, grad in found}


def test_example_is_drawn_and_links_step(explore: Explore) -> None:
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.cards).to_have_count(7)
    assert numbers(explore) == as_shown(chain())
    expect(explore.picture).to_be_in_viewport(ratio=1)
    nothing_is_offered_that_needs_scripts(explore)
    last_frame_is_explained(explore)
    links_step(explore)
    transcript_leads_to_its_frames(explore)
    examples_and_pictures_are_links(explore)


def nothing_is_offered_that_needs_scripts(explore: Explore) -> None:
    """Neither buttons nor words."""
    for name in ("Play", "Copy link", "Fit", "Larger", "Light or dark colours", "Reset"):
        expect(explore.page.get_by_role("button", name=name)).to_have_count(0)
    expect(explore.page.get_by_role("slider")).to_have_count(0)


def last_frame_is_explained(explore: Explore) -> None:
    """By its contributions."""
    rows = explore.explanation.locator(".contribution")
    assert [row.locator(".pill b").all_text_contents() for row in rows.all()] == [
        [shown(-2), shown(-3), shown(6)],
        [shown(-2), shown(2), shown(-4)],
    ]


def links_step(explore: Explore) -> None:
    """To the ends, and by one frame; tests/app/explore/test_frames.py reads what each shows."""
    page = explore.page
    follow(page, "First")
    expect(page.locator(".where")).to_have_text("frame 1 of 8")
    expect(page.locator("#pass")).to_have_text("forward")
    expect(explore.explanation).to_contain_text("4 leaves and constants")
    assert numbers(explore)["L"] == ("·", "·")
    follow(page, "Forward")
    expect(page.locator(".where")).to_have_text("frame 2 of 8")
    follow(page, "Last")
    expect(page.locator(".where")).to_have_text("frame 8 of 8")
    for name in ("Forward", "Last"):
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    follow(page, "Back")
    expect(page.locator(".where")).to_have_text("frame 7 of 8")
    assert numbers(explore)["a"] == ("2.0000", "·")


def transcript_leads_to_its_frames(explore: Explore) -> None:
    """Its lines are buttons."""
    expect(explore.lines).to_have_count(8)
    expect(explore.lines.nth(7)).to_be_visible()
    expect(explore.lines.nth(5)).to_contain_text("a*b + c receives 1.0 × -2.0 = -2.0")
    explore.lines.nth(2).get_by_role("button").click()
    expect(explore.page.locator(".where")).to_have_text("frame 3 of 8")
    expect(explore.page.locator("#transcript-list [aria-current=step]")).to_contain_text("= 4.0")


def examples_and_pictures_are_links(explore: Explore) -> None:
    """And so is the gradient check."""
    page = explore.page
    href = page.locator("#svg-link").get_attribute("href") or ""
    assert parse_qs(urlsplit(href).query)["program"] == [EXAMPLE]
    page.locator(".more > summary").click()
    page.get_by_role("link", name="a + a", exact=True).click()
    follow(page, "Last")
    assert numbers(explore)["a"] == ("3.0000", "2.0000")
    explore.exports()
    with page.expect_download() as download:
        page.locator("#svg-link").click()
    assert download.value.suggested_filename.endswith(".svg")
    page.locator("#share-menu > summary").click()
    check = page.locator("#lens-check")
    check.locator("summary").click()
    check.get_by_role("link", name="Show").click()
    expect(page.locator("#check tr[data-key=a] td:not(.error)")).to_have_text(
        ["2.0000", "2.0000", re.compile("agrees")]
    )


def test_form_draws_what_is_typed(explore: Explore) -> None:
    leaf_fields_change_leaves(explore)
    explore.page.goto("/explore")
    explore.area.fill(EXAMPLE.replace("2.0", "5.0", 1))
    draw(explore)
    assert numbers(explore) == as_shown(chain(a=5))  # where no field overrides it
    text_can_be_read(explore)
    explore.area.fill("import numpy as np\na = 2.0\nx = 0.0\ny = relu(x)\nprint('y is', y.data)")
    draw(explore)
    expect(explore.explanation.locator(".kink")).to_be_visible()
    expect(explore.page.locator(".printed pre")).to_have_text("y is 0.0")
    note = explore.page.locator("#numbers .notice")
    expect(note).to_have_text(["y does not depend on a: its gradient is 0."])
    explore.area.fill("x = 1.0\ny = relu(x) * 2")
    draw(explore)
    expect(explore.explanation.locator(".kink")).to_be_hidden()
    expect(explore.explanation.locator(".so-far:visible")).to_have_count(0)


def leaf_fields_change_leaves(explore: Explore) -> None:
    """They stay through a step and through an edit of the program, until they are emptied."""
    explore.field("a").fill("4")
    explore.field("f").fill("0.5")
    draw(explore)
    assert numbers(explore) == as_shown(chain(a=4, f=0.5))
    assert float(explore.field("a").input_value()) == 4
    follow(explore.page, "Back")
    assert numbers(explore)["a"] == ("4.0000", "·")
    explore.area.fill(EXAMPLE + " * 3")
    draw(explore)
    assert numbers(explore)["a"] == ("4.0000", shown(3 * -3 * 0.5))
    explore.area.fill(EXAMPLE)
    explore.field("a").fill("")
    draw(explore)
    assert numbers(explore) == as_shown(chain(f=0.5))


def text_can_be_read(explore: Explore) -> None:
    """The letters are not left to a mirror that scripts would draw."""
    before = explore.area.screenshot()
    explore.area.fill("")
    assert explore.area.screenshot() != before


def test_direction_and_groups(explore: Explore) -> None:
    explore.area.fill("x = 2.0\nfor i in range(3):\n    x = x * 3 + 1\nL = x * 2")
    explore.switches()
    explore.page.get_by_title("Top to bottom").click()
    draw(explore)
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    expect(explore.page.locator("input[value=TB]")).to_be_checked()
    explore.switches()
    explore.page.get_by_text("boxes", exact=True).click()
    draw(explore)
    expect(explore.picture.locator(".group")).to_have_count(3)
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    follow(explore.page, "Back")
    expect(explore.picture.locator(".group")).to_have_count(3)
    expect(explore.picture).to_have_attribute("data-direction", "TB")


def test_error_page_marks_the_place_and_keeps_the_text(explore: Explore) -> None:
    """Also its first empty lines, the first of which HTML swallows, and its markup."""
    wrong = "\n\na = 2.0  # </textarea><b id='x'>\nb = 3.0\nL = a * (b + g)"
    explore.area.fill(wrong)
    with explore.page.expect_response(re.compile("program=")) as answer:
        draw(explore)
    assert answer.value.status == 422
    expect(explore.program).to_have_value(wrong)
    expect(explore.page.locator("#x")).to_have_count(0)
    expect(explore.area).to_have_attribute("aria-invalid", "true")
    expect(explore.problem).to_contain_text("line 5, column 14")
    wording = "NameError: name 'g' is not defined"
    expect(explore.area).to_have_accessible_description(re.compile(wording))
    traceback = explore.page.get_by_role("group", name="Traceback")
    expect(traceback).to_contain_text('File "<program>", line 5, in <module>')
    expect(traceback).to_contain_text(wording)
    marked = explore.page.locator(".blank .marked")
    expect(marked.locator("mark")).to_have_text("g")
    expect(marked).to_contain_text("L = a * (b + g)")
    explore.area.fill(wrong.replace("+ g", "+ a"))
    draw(explore)
    assert numbers(explore)["L"] == ("10.0000", "1.0000")


def test_page_fits_a_phone(open_page: OpenPage) -> None:
    """Nothing is cut off at the side: each control lies within the width of the window."""
    page = open_page(width=320, height=700, javascript=False)
    page.goto("/explore")
    controls = page.locator(
        "a:visible, button:visible, input:visible, textarea:visible, summary:visible"
    )
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        sides = controls.evaluate_all(SIDES)
        assert len(sides) > 20
        for name, left, right in sides:
            assert left >= 0 or "Skip" in name
            assert right <= width + 0.5, name


SIDES = """all => all.map(one => {
  const {left, right} = one.getBoundingClientRect()
  return [one.textContent, left, right]
})"""

"""Without JavaScript every frame is a page: the form draws, links step, errors are marked."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.explore_page import EXAMPLE, LAST, Explore, as_shown, chain, shown


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
    cards = explore.cards.filter(has=explore.page.locator("text.label"))
    return {
        card.locator(".label").text_content() or "": (
            card.locator("text.data").text_content() or "",
            card.locator("text.grad").text_content() or "",
        )
        for card in cards.all()
    }


def test_example_is_drawn(explore: Explore) -> None:
    expect(explore.program).to_have_value(EXAMPLE)
    expect(explore.cards).to_have_count(7)
    assert numbers(explore) == as_shown(chain())
    expect(explore.picture).to_be_in_viewport(ratio=1)


def test_nothing_is_offered_that_needs_scripts(explore: Explore) -> None:
    for name in ("Play", "Copy link", "Fit", "Larger", "Light or dark colours", "Reset"):
        expect(explore.page.get_by_role("button", name=name)).to_have_count(0)
    expect(explore.page.get_by_role("slider")).to_have_count(0)
    expect(explore.page.get_by_text("runs as you type")).to_be_hidden()


def test_form_draws_what_is_typed(explore: Explore) -> None:
    explore.area.fill("x = 3.0\ny = x*x + x")
    draw(explore)
    expect(explore.program).to_have_value("x = 3.0\ny = x*x + x")
    assert numbers(explore) == as_shown({"x": (3, 7), "x*x": (9, 1), "y": (12, 1)})


def test_typed_text_can_be_read(explore: Explore) -> None:
    """The letters are not left to a mirror that scripts would draw."""
    before = explore.area.screenshot()
    explore.area.fill("")
    assert explore.area.screenshot() != before


def test_links_step_through_all_frames(explore: Explore) -> None:
    page = explore.page
    follow(page, "First")
    for frame in range(8):
        expect(page.locator(".where")).to_have_text(f"frame {frame + 1} of 8")
        expect(page.locator("#pass")).to_have_text("forward" if frame < 4 else "backward")
        known = numbers(explore)
        assert (known["L"][0] == "·") is (frame < 3)
        assert (known["L"][1] == "·") is (frame < 4)
        assert (known["f"][1] == "·") is (frame < 5)
        assert (known["a"][1] == "·") is (frame < 7)
        if frame < 7:
            follow(page, "Forward")
    assert numbers(explore) == as_shown(chain())
    for name in ("Forward", "Last"):
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    follow(page, "Back")
    expect(page.locator(".where")).to_have_text("frame 7 of 8")
    follow(page, "First")
    follow(page, "Last")
    expect(page.locator(".where")).to_have_text("frame 8 of 8")


def test_explanation_is_there(explore: Explore) -> None:
    rows = explore.explanation.locator(".contribution")
    assert [row.locator(".pill b").all_text_contents() for row in rows.all()] == [
        [shown(-2), shown(-3), shown(6)],
        [shown(-2), shown(2), shown(-4)],
    ]
    follow(explore.page, "First")
    expect(explore.explanation).to_contain_text("4 leaves and constants")


def test_explanation_leaves_out_what_does_not_hold(explore: Explore) -> None:
    explore.area.fill("x = 1.0\ny = relu(x) * 2")
    draw(explore)
    expect(explore.explanation.locator(".kink")).to_be_hidden()
    expect(explore.explanation.locator(".so-far:visible")).to_have_count(0)
    explore.area.fill("x = 0.0\ny = relu(x)")
    draw(explore)
    expect(explore.explanation.locator(".kink")).to_be_visible()


def test_leaf_field_changes_the_leaf(explore: Explore) -> None:
    explore.field("a").fill("4")
    explore.field("f").fill("0.5")
    draw(explore)
    assert numbers(explore) == as_shown(chain(a=4, f=0.5))
    assert float(explore.field("a").input_value()) == 4
    # They stay through a step and through an edit of the program.
    follow(explore.page, "Back")
    assert numbers(explore)["a"] == ("4.0000", "·")
    explore.area.fill(EXAMPLE + " * 3")
    draw(explore)
    assert numbers(explore)["a"] == ("4.0000", shown(3 * -3 * 0.5))


def test_emptied_leaf_field_gives_the_program_s_number_back(explore: Explore) -> None:
    explore.field("a").fill("4")
    draw(explore)
    explore.field("a").fill("")
    draw(explore)
    assert numbers(explore) == as_shown(chain())


def test_number_in_the_program_counts_once_no_field_overrides_it(explore: Explore) -> None:
    explore.area.fill(EXAMPLE.replace("2.0", "5.0", 1))
    draw(explore)
    assert numbers(explore) == as_shown(chain(a=5))


def test_direction_and_groups(explore: Explore) -> None:
    explore.area.fill("x = 2.0\nfor i in range(3):\n    x = x * 3 + 1\nL = x * 2")
    explore.page.get_by_title("Top to bottom").click()
    draw(explore)
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    expect(explore.page.get_by_role("radio", name="Top to bottom")).to_be_checked()
    explore.page.get_by_text("boxes", exact=True).click()
    draw(explore)
    expect(explore.picture.locator(".group")).to_have_count(3)
    expect(explore.picture).to_have_attribute("data-direction", "TB")
    follow(explore.page, "Back")
    expect(explore.picture.locator(".group")).to_have_count(3)
    expect(explore.picture).to_have_attribute("data-direction", "TB")


def test_error_page_marks_the_place_and_keeps_the_text(explore: Explore) -> None:
    wrong = "a = 2.0\nb = 3.0\nL = a * (b + g)"
    explore.area.fill(wrong)
    draw(explore)
    expect(explore.program).to_have_value(wrong)
    expect(explore.area).to_have_attribute("aria-invalid", "true")
    expect(explore.problem).to_contain_text("line 3, column 14")
    wording = "NameError: name 'g' is not defined"
    expect(explore.area).to_have_accessible_description(re.compile(wording))
    traceback = explore.page.get_by_role("group", name="Traceback")
    expect(traceback).to_contain_text('File "<program>", line 3, in <module>')
    expect(traceback).to_contain_text(wording)
    marked = explore.page.locator(".blank .marked")
    expect(marked.locator("mark")).to_have_text("g")
    expect(marked).to_contain_text("L = a * (b + g)")
    explore.area.fill(wrong.replace("g", "a"))
    draw(explore)
    assert numbers(explore)["L"] == ("10.0000", "1.0000")


def test_refusal_has_its_status(explore: Explore) -> None:
    answer = explore.page.goto("/?program=L+%3D+a")
    assert answer is not None
    assert answer.status == 422


def test_markup_in_the_program_is_only_text(explore: Explore) -> None:
    text = "</textarea><b id='x'>\nL = <b>g</b>"
    explore.area.fill(text)
    draw(explore)
    expect(explore.program).to_have_value(text)
    expect(explore.page.locator("#x, .report b >> text=g")).to_have_count(0)


def test_first_empty_line_is_kept(explore: Explore) -> None:
    """HTML swallows the first line end of a textarea; the places of errors depend on it."""
    explore.area.fill("\n\na = 2.0\nL = a * g")
    draw(explore)
    expect(explore.program).to_have_value("\n\na = 2.0\nL = a * g")
    expect(explore.problem).to_contain_text("line 4, column 9")


def test_transcript_is_there_and_leads_to_its_frames(explore: Explore) -> None:
    expect(explore.lines).to_have_count(8)
    expect(explore.lines.nth(7)).to_be_visible()
    expect(explore.lines.nth(5)).to_contain_text("a*b + c receives 1.0 × -2.0 = -2.0")
    explore.lines.nth(2).get_by_role("button").click()
    expect(explore.page.locator(".where")).to_have_text("frame 3 of 8")
    expect(explore.page.locator("#transcript-list [aria-current=step]")).to_contain_text("= 4.0")


def test_printed_output_and_notes(explore: Explore) -> None:
    explore.area.fill("import numpy as np\na = 2.0\nb = 1.0\nL = a * 3\nprint('L is', L.data)")
    draw(explore)
    expect(explore.page.locator(".printed pre")).to_have_text("L is 6.0")
    note = explore.page.locator("#numbers .notice")
    expect(note).to_have_text(["L does not depend on b: its gradient is 0."])


def test_gradient_check_opens_by_a_link(explore: Explore) -> None:
    check = explore.page.locator("#lens-check")
    check.locator("summary").click()
    check.get_by_role("link", name="Show").click()
    expect(explore.page.locator("#check tr[data-key=a] td:not(.error)")).to_have_text(
        ["6.0000", "6.0000", re.compile("agrees")]
    )


def test_examples_and_picture_as_svg(explore: Explore) -> None:
    href = explore.page.locator("#svg-link").get_attribute("href") or ""
    assert parse_qs(urlsplit(href).query)["program"] == [EXAMPLE]
    explore.page.get_by_role("link", name="a + a", exact=True).click()
    follow(explore.page, "Last")
    assert numbers(explore)["a"] == ("3.0000", "2.0000")
    explore.page.locator("#export-menu summary").click()
    with explore.page.expect_download() as download:
        explore.page.locator("#svg-link").click()
    assert download.value.suggested_filename.endswith(".svg")


@pytest.mark.parametrize("width", [390, 320])
def test_page_fits_a_phone(open_page: OpenPage, width: int) -> None:
    """Nothing is cut off at the side: each control lies within the width of the window."""
    page = open_page(width=width, height=700, javascript=False)
    page.goto("/explore")
    for control in page.locator(
        "a:visible, button:visible, input:visible, textarea:visible, summary:visible"
    ).all():
        box = control.bounding_box()
        assert box is not None
        assert box["x"] >= 0 or "skip" in (control.get_attribute("class") or "")
        assert box["x"] + box["width"] <= width + 0.5

"""Finding a Value by name, text or number."""

import math
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.explore_page import Explore
from tests.browser.test_grains import LOOP
from tests.support.each import for_each

NETWORK = "random.seed(3)\nn = MLP(3, [8, 8, 1])\ny = n([0.5, -1.0, 2.0])\ny.backward()\n"


@pytest.fixture
def loop(page: Page) -> Explore:
    return Explore(page).open(LOOP)


def rows(page: Page) -> list[str]:
    return page.locator("#find-list li b").all_text_contents()


def find(page: Page, text: str) -> Locator:
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Find a Value")
    expect(field).to_be_focused()
    field.fill(text)
    return field


@for_each(
    ("text", "names"),
    [
        ("L1", ["L₁"]),
        ("l", ["L₁", "L₂", "L₃", "L₄", "L₅"]),
        ("w", ["w", "w*w", "w*w", "L₂", "L₄"]),
        ("0.2449", ["L₃"]),
        (repr(math.tanh(0.25)), ["L₃"]),
        ("tanh", ["L₃", "L₅"]),
        ("0.2500", ["w*w", "L₂", "w*w"]),
        ("nothing of the kind", []),
    ],
)
def test_values_are_found(loop: Explore, text: str, names: list[str]) -> None:
    page = loop.page
    page.locator("#player").focus()
    find(page, text)
    expect(page.locator("#find-count")).to_have_text(
        f"{len(names)} Value{'' if len(names) == 1 else 's'}"
    )
    assert sorted(rows(page)) == sorted(names)
    page.keyboard.press("Escape")
    expect(page.locator("#find")).to_be_hidden()


def test_a_gradient_is_found_and_its_value_chosen_by_keyboard_alone(page: Page) -> None:
    """dL₅/dw = 1.53287…: with s = 1 − L₅² and t = 1 − L₃², it is s·(w + w) + s·t·(w + w)."""
    first = math.tanh(0.25)
    outer, inner = 1 - math.tanh(first + 0.25) ** 2, 1 - first**2
    explore = Explore(page).open(LOOP)
    explore.page.locator("#player").focus()
    page.keyboard.press("Control+k")
    page.keyboard.type(f"{outer + outer * inner:.5f}")
    assert rows(page) == ["w"]
    page.keyboard.press("Enter")
    expect(page.locator("#find")).to_be_hidden()
    expect(page.locator("#value-title")).to_have_text("w")
    expect(page.locator("#value-title")).to_be_focused()
    expect(explore.card("w")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("value=v1"))


def test_arrows_choose_among_the_results_and_escape_leaves(page: Page) -> None:
    explore = Explore(page).open(LOOP, frame=3)
    page.locator("#player").focus()
    field = find(page, "l")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    chosen = page.locator("#find-list [aria-selected=true]")
    expect(chosen.locator("b")).to_have_text("L₂")
    assert field.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    page.keyboard.press("Escape")
    expect(page.locator("#find")).to_be_hidden()
    expect(page.locator("#value-card")).to_be_hidden()
    explore.is_at(3, 14)
    explore.area.press("Control+End")
    page.keyboard.type("# a/b")
    expect(page.locator("#find")).to_be_hidden()
    assert explore.program.input_value().endswith("# a/b")


def test_a_value_in_closed_boxes_is_opened_and_shown(page: Page) -> None:
    explore = Explore(page).open(NETWORK, grouped="1", open="")
    assert explore.card("l1.n3.w2").count() == 0
    explore.page.locator("#player").focus()
    find(page, "l1.n3.w2")
    assert rows(page)[0] == "l1.n3.w2"
    page.keyboard.press("Enter")
    expect(page.locator("#value-title")).to_have_text("l1.n3.w2")
    chosen = page.locator("#picture .value.chosen").first
    expect(chosen).to_be_in_viewport()


def test_by_touch_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(width=390, height=844)
    Explore(page).open(LOOP).closer("find-open")
    page.get_by_role("combobox", name="Find a Value").fill("L5")
    page.get_by_role("option", name=re.compile("L₅")).click()
    expect(page.locator("#value-title")).to_have_text("L₅")


def test_the_dialog_and_the_breakpoints_are_accessible(open_page: OpenPage, axe: Axe) -> None:
    page = open_page()
    explore = Explore(page).open(LOOP, by="line", frame=5, stops="line:4,value:v1", value="v1")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []
        explore.page.locator("#player").focus()
        find(page, "l")
        assert axe(page) == []
        page.keyboard.press("Escape")

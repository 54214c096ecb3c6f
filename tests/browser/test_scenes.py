"""Scenes and written gradients in the page: chosen by hand and by keyboard, kept by links."""

import re

from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore, shown
from tests.support.own_classes import RIGHT, STEPS, TWO_PASSES, WRONG

PROGRAM = RIGHT + TWO_PASSES


def chosen(explore: Explore, scene: int) -> None:
    """Expect a scene in the chooser."""
    drawn = explore.page.locator("#scene option:checked")
    expect(drawn).to_have_text(re.compile(rf"^Scene {scene} ·"))


def test_scenes_are_chosen_from_the_list_and_by_the_buttons(page: Page) -> None:
    explore = Explore(page).open(STEPS)
    chosen(explore, 300)
    expect(page.get_by_role("button", name="Next scene")).to_be_disabled()
    page.get_by_role("combobox", name="Scene").select_option("2")
    explore.shows("a", 1.96, 3.92)
    chosen(explore, 2)
    expect(page).to_have_url(re.compile(r"scene=2(&|$)"))
    back = page.get_by_role("button", name="Previous scene")
    back.press("Enter")
    explore.shows("a", 2.0, 4.0)
    chosen(explore, 1)
    expect(page.get_by_role("combobox", name="Scene")).to_be_focused()  # the button is disabled
    page.keyboard.press("End")
    chosen(explore, 300)
    expect(page).not_to_have_url(re.compile("scene="))
    page.get_by_role("combobox", name="Scene").select_option("2")
    chosen(explore, 2)
    a_scene_survives_a_drag_a_step_and_a_reload(explore)
    the_curve_is_scrubbed(Explore(page).open(STEPS))


def the_curve_is_scrubbed(explore: Explore) -> None:
    """L = a² with a = 2·0.98ᵏ: the words and the mark move at once, the picture follows."""
    page = explore.page
    slider, mark = page.locator("#scene-at"), page.locator(".scene-curve .now")
    before = mark.get_attribute("cx")
    slider.fill("149")
    chosen(explore, 150)
    explore.shows("a", 2 * 0.98**149, 4 * 0.98**149)
    expect(page.locator("#scene-words")).to_have_text(f"{shown(4 * 0.98**298)} in scene 150")
    expect(mark).not_to_have_attribute("cx", before or "")
    slider.press("Home")
    chosen(explore, 1)
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "4.0000 in scene 1")


def a_scene_survives_a_drag_a_step_and_a_reload(explore: Explore) -> None:
    page = explore.page
    explore.type_leaf("a", "5")
    explore.shows("a", 4.9, 9.8)
    page.locator("#back").click()
    expect(page).to_have_url(re.compile(r"a=5&scene=2&at=\d"))
    page.reload()
    explore.ready()
    chosen(explore, 2)
    expect(explore.card("a").locator("text.data")).to_have_text(shown(4.9))


def test_frames_of_an_own_class_are_drawn_alike_by_browser_and_server(page: Page) -> None:
    program = WRONG + TWO_PASSES
    Explore(page).open(program).is_drawn_alike_by_browser_and_server(program)


def test_the_line_that_sets_a_gradient_is_marked(page: Page) -> None:
    explore = Explore(page).open(PROGRAM, scene=1)
    expect(page.locator("#editor mark.backward")).to_have_text("other.grad += self.data * out.grad")
    explore.press("ArrowLeft")
    expect(page.locator("#editor mark.backward")).to_have_text("self.grad += other.data * out.grad")
    expect(explore.explanation).to_contain_text("adds to the gradient of a")


def test_a_leaf_that_gives_another_graph_is_drawn_anew(page: Page) -> None:
    explore = Explore(page).open("a = Value(2.0)\nL = a*3 if a.data > 0 else a*a*5\nL.backward()")
    explore.type_leaf("a", "-2")
    page.keyboard.press("Enter")
    explore.shows("L", 20.0, 1.0)
    explore.shows("a", -2.0, -20.0)

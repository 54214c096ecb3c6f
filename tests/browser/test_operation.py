"""The page of an operation: its point is dragged, moved by keys, and kept in the address."""

import math
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Axe, OpenPage


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="x")


def reads(page: Page, x: str, y: float, slope: float) -> None:
    """The page shows a point with these numbers."""
    expect(page.locator("#at-x")).to_have_text(x)
    expect(page.locator("#at-y")).to_have_text(f"{y:.4f}".replace("-", "−"))
    expect(page.locator("#at-slope")).to_have_text(f"{slope:.4f}".replace("-", "−"))


def is_tanh_at(page: Page, x: float) -> None:
    text = f"{x:g}".replace("-", "−")
    reads(page, text, math.tanh(x), 1 - math.tanh(x) ** 2)
    words = f"x = {text}, y = {math.tanh(x):.4f}, slope".replace("-", "−")
    expect(slider(page)).to_have_attribute("aria-valuetext", re.compile(f"^{words}"))


def middle(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_point_moves_by_keys_and_by_the_pointer(page: Page) -> None:
    page.goto("/reference/tanh?x=0.5")
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    is_tanh_at(page, 0.52)
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    is_tanh_at(page, 0.44)
    page.keyboard.press("Home")
    is_tanh_at(page, -4)
    tangent_touches_the_curve_at_its_end(page)
    page.goto("/reference/tanh?x=0")
    point_is_dragged_by_the_pointer_and_then_by_keys(page)


def point_is_dragged_by_the_pointer_and_then_by_keys(page: Page) -> None:
    x, y = middle(page.locator("#dot"))
    plot = page.locator("#plot").bounding_box()
    assert plot is not None
    unit = plot["width"] * (640 - 44 - 12) / 640 / 8  # pixels of 1, of −4 to 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2 * unit, y + 30, steps=4)
    page.mouse.up()
    is_tanh_at(page, 2)
    at_x, _ = middle(page.locator("#dot"))
    assert at_x == pytest.approx(x + 2 * unit, abs=1.5)
    expect(slider(page)).to_be_focused()
    page.keyboard.press("ArrowRight")
    is_tanh_at(page, 2.02)


def tangent_touches_the_curve_at_its_end(page: Page) -> None:
    path = page.locator("#tangent").get_attribute("d")
    page.keyboard.press("End")
    expect(page.locator("#tangent")).not_to_have_attribute("d", path or "")
    line = page.locator("#tangent").get_attribute("d") or ""
    ax, ay, bx, by = (float(part) for part in re.findall(r"-?[\d.]+", line))
    assert abs((by - ay) / (bx - ax)) < 0.01  # 1 − tanh² 4 is 0.0013


def test_script_draws_the_point_as_the_server(open_page: OpenPage) -> None:
    without = open_page(javascript=False)
    page = open_page()
    for op, x in (("tanh", 0.7), ("relu", -1), ("divide", 1.5)):
        without.goto(f"/reference/{op}?x={x}")
        page.goto(f"/reference/{op}?x={x}")
        page.get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        for part in ("at-x", "at-y", "at-slope"):
            expect(page.locator(f"#{part}")).to_have_text(without.locator(f"#{part}").inner_text())
        for dot in ("dot", "dot-slope"):
            for side in ("cx", "cy"):
                there = float(without.locator(f"#{dot}").get_attribute(side) or "nan")
                here = float(page.locator(f"#{dot}").get_attribute(side) or "nan")
                assert here == pytest.approx(there, abs=0.06)


def test_example_and_address_follow_the_point(page: Page) -> None:
    page.goto("/reference/sigmoid?x=1")
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#example")).to_have_text("x = 1.02\ny = sigmoid(x)")
    expect(page).to_have_url(re.compile(r"x=1\.02"))
    page.get_by_role("link", name="Open in Explore").click()
    assert parse_qs(urlsplit(page.url).query)["program"] == ["x = 1.02\ny = sigmoid(x)"]
    expect(page.locator("#picture .op")).to_have_count(1)


def test_kink_is_named_on_it_alone(page: Page) -> None:
    page.goto("/reference/abs?x=0.02")
    kink = page.locator("#at-kink")
    expect(kink).to_be_hidden()
    slider(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(kink).to_be_visible()
    expect(kink).to_contain_text("kink at 0")


def test_input_to_plot_over_is_a_link(page: Page) -> None:
    page.goto("/reference/power")
    page.get_by_role("navigation", name="Plot over b").get_by_role("link", name="a = 3").click()
    expect(page.get_by_role("slider", name="b")).to_be_visible()
    expect(page.get_by_role("link", name="a = 3")).to_have_attribute("aria-current", "true")


def test_without_scripts_plot_and_tables_are_there(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto("/reference/tanh")
    expect(page.locator("#plot .curve")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_role("spinbutton").fill("2")
    page.get_by_role("button", name="Show").click()
    reads(page, "2", math.tanh(2), 1 - math.tanh(2) ** 2)
    expect(page.locator(".op-points tbody tr")).to_have_count(9)


def test_axe_finds_nothing_and_nothing_is_cut_off(page: Page, axe: Axe) -> None:
    for address in ("/reference/power", "/reference/leaky_relu", "/reference/hypot?over=b"):
        page.goto(address)
        for width in (1440, 1024, 390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            root = page.locator("html")
            assert root.evaluate("it => it.scrollWidth <= it.clientWidth"), (address, width)
            boxes = page.locator(".scroll")
            assert boxes.evaluate_all("all => all.every(it => it.scrollWidth <= it.clientWidth)")
        if "power" not in address:
            page.set_viewport_size({"width": 390, "height": 844})
            assert axe(page) == []
            page.set_viewport_size({"width": 1440, "height": 844})
            page.emulate_media(color_scheme="dark")
            assert axe(page) == []
            page.emulate_media(color_scheme="light")


def test_link_of_an_explanation_leaves_keys_to_stepping_and_leads_to_its_page(
    page: Page,
) -> None:
    page.goto("/?program=x+%3D+0.5%0Ay+%3D+tanh%28x%29&frame=1")
    link = page.locator("#explanation .sign a")
    link.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#frame-title")).to_have_text("Frame 3 of 4")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#frame-title")).to_have_text("Frame 2 of 4")
    expect(link).not_to_be_focused()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^tanh\(x\)"))

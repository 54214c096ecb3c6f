"""Explanations: scripts and server show the same case of a formula, with the same digits."""

from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.support.each import for_each

PROGRAMS = {
    "cases": "x = -0.5\nr = relu(x)\ns = sigmoid(x)\nt = abs(x)\nL = r + s*t",
    "powers": "x1 = 3.0\nb = 2.0\nL = x1**2 + x1**-1 + x1**0.5 + x1**b + 2**x1",
    "digits": "a = 0.00134279\nx = 6.0\nL = a*a*tanh(x) + log(x)/a",
    "network": "random.seed(1)\nn = MLP(2, [2])\ny = n([1.0, -2.0])\nL = y[0] - y[1]",
}


@for_each("name", PROGRAMS)
def test_scripts_explain_every_frame_as_the_server(page: Page, name: str) -> None:
    explore = Explore(page).open(PROGRAMS[name], frame=0)
    explore.is_drawn_alike_by_browser_and_server(PROGRAMS[name])


def test_case_follows_a_dragged_leaf_and_subscripts_are_elements(page: Page) -> None:
    explore = Explore(page).open("x1 = 2.0\nL = relu(x1)", frame=3)
    rule = explore.explanation.locator(".local-rule")
    expect(rule).to_have_text("∂L∂x1=1")
    subscript = explore.explanation.locator("msub").first
    expect(subscript.locator("mi")).to_have_text("x")
    expect(subscript.locator("mn")).to_have_text("1")
    page.get_by_role("spinbutton", name="x1", exact=True).fill("-1")
    expect(rule).to_have_text("∂L∂x1=0")

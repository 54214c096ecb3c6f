"""A visitor changes a leaf: every number follows at once, no node moves, the check agrees."""

import math
import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import EXAMPLE, NOT_YET, Explore, shown
from tests.support.each import Cases, for_each

LAST, COUNT = 7, 8


# Data and gradient on the cards by name, and the rows of the gradient check.
SEEN = """() => {
  const texts = (root, parts) => [...root.querySelectorAll(parts)].map(part => part.textContent)
  const cards = [...document.querySelectorAll('#picture .value:has(.label)')]
  const rows = [...document.querySelectorAll('#check tr[data-key]')]
  return {
    cards: Object.fromEntries(cards.map(card =>
      [texts(card, '.label')[0], texts(card, 'text.data, text.grad')])),
    check: Object.fromEntries(rows.map(row =>
      [row.dataset.key, texts(row, 'td:not(.error)').map(text => text.trim())])),
  }
}"""
IS_SEEN = f"""right => {{
  const {{cards, check}} = ({SEEN})()
  return Object.entries(right).every(([name, [data, grad]]) =>
    cards[name]?.join() === [data, grad].join() &&
    (!check[name] || check[name].slice(0, 2).join() === [grad, grad].join()))
}}"""


def follows(explore: Explore, **leaves: float) -> None:
    """Expect every number to be right for these leaves: on the cards and in the gradient check."""
    numbers = as_shown(chain(**leaves))
    with suppress(Error):
        explore.page.wait_for_function(IS_SEEN, arg=numbers)
    seen = explore.page.evaluate(SEEN)
    assert seen["cards"] == {name: list(both) for name, both in numbers.items()}
    for name in "abcf":
        *gradients, verdict = seen["check"][name]
        assert gradients == [numbers[name][1]] * 2
        assert "agrees" in verdict


@pytest.fixture
def explore(page: Page) -> Explore:
    """The example, with its gradient check."""
    return Explore(page).open(EXAMPLE, lens="check")


def value(explore: Explore, name: str) -> float:
    """The number in a leaf's field."""
    return float(explore.field(name).input_value())


leaves = Cases()


@for_each("case", leaves)
def test_leaves_of_the_example(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.press("End")
    if explore.page.locator("#reset").is_visible():
        explore.page.locator("#reset").click()
    follows(explore)
    case(explore)


@leaves.add
def controls_start_at_the_program_s_numbers(explore: Explore) -> None:
    for name, x in {"a": 2.0, "b": -3.0, "c": 10.0, "f": -2.0}.items():
        expect(explore.slider(name)).to_have_value(f"{x:g}")
        assert value(explore, name) == x
    follows(explore)


@leaves.add
def dragged_slider_changes_every_number_and_moves_nothing(explore: Explore) -> None:
    places = explore.places()
    x, y, width, height = explore.box(explore.slider("a"))
    low, high, thumb = -5.0, 5.0, 16
    mouse = explore.page.mouse
    mouse.move(x + thumb / 2 + (width - thumb) * (2.0 - low) / (high - low), y + height / 2)
    mouse.down()
    seen = set()
    for goal in (3.3, -1.0):
        mouse.move(
            x + thumb / 2 + (width - thumb) * (goal - low) / (high - low), y + height / 2, steps=3
        )
        now = value(explore, "a")
        assert now == pytest.approx(goal, abs=0.2)
        assert float(explore.slider("a").input_value()) == now
        follows(explore, a=now)  # while the button is still down
        assert explore.places() == places
        seen.add(now)
    mouse.up()
    assert len(seen) == 2
    follows(explore, a=value(explore, "a"))


@leaves.add
def slider_by_keyboard(explore: Explore) -> None:
    places = explore.places()
    slider = explore.slider("b")
    slider.focus()
    step = float(slider.get_attribute("step") or "nan")
    for presses in range(1, 4):
        explore.press("ArrowRight")
        follows(explore, b=-3.0 + presses * step)
    explore.press("End")
    follows(explore, b=float(slider.get_attribute("max") or "nan"))
    explore.is_at(LAST, COUNT)  # the keys were the slider's
    assert explore.places() == places


@leaves.add
def number_typed_in_the_field(explore: Explore) -> None:
    places = explore.places()
    for text, number in (("-0.25", -0.25), ("1e2", 100.0), ("123.5", 123.5)):
        explore.type_leaf("a", text)
        follows(explore, a=number)
        expect(explore.field("a")).to_have_value(text)
        expect(explore.slider("a")).to_have_value(f"{number:g}")  # its range grows with the number
        assert explore.places() == places


@leaves.add
def half_a_number_is_waited_for(explore: Explore) -> None:
    explore.type_leaf("a", "-")
    expect(explore.field("a")).to_be_focused()
    explore.page.keyboard.type("4")
    follows(explore, a=-4)
    explore.press("Control+a")
    explore.press("Delete")
    explore.press("Tab")
    expect(explore.field("a")).to_have_value("-4")
    follows(explore, a=-4)


@leaves.add
def enter_in_the_field_keeps_the_number(explore: Explore) -> None:
    explore.type_leaf("a", "4")
    with explore.page.expect_response("**/graph"):
        explore.press("Enter")
    follows(explore, a=4)
    assert value(explore, "a") == 4
    expect(explore.field("a")).to_be_focused()
    expect(explore.program).to_have_value(EXAMPLE)


def test_hidden_digits_are_neither_shown_nor_lost(page: Page) -> None:
    """A long number is shown short, and whole while it is edited."""
    x = 2.123456789012345
    explore = Explore(page).open(f"x = {x}\ny = x * 3")
    expect(explore.field("x")).to_have_value(shown(x))
    explore.field("x").focus()
    expect(explore.field("x")).to_have_value(repr(x))
    explore.press("Tab")
    expect(explore.field("x")).to_have_value(shown(x))
    explore.button("y").focus()
    expect(page.get_by_role("tooltip")).to_contain_text(repr(3 * x))


@leaves.add
def several_leaves_and_reset(explore: Explore) -> None:
    reset = explore.page.get_by_role("button", name="Reset")
    expect(reset).to_be_hidden()
    explore.type_leaf("a", "4")
    explore.type_leaf("f", "0.5")
    follows(explore, a=4, f=0.5)
    expect(explore.page.locator(".leaf.moved label")).to_have_text(["a", "f"])
    reset.click()
    follows(explore)
    for name, x in {"a": 2.0, "f": -2.0}.items():
        assert value(explore, name) == x
        assert float(explore.slider(name).input_value()) == x
    expect(reset).to_be_hidden()
    expect(explore.page).not_to_have_url(re.compile(r"[?&][af]="))


@leaves.add
def reset_by_keyboard_keeps_the_place(explore: Explore) -> None:
    explore.type_leaf("a", "4")
    reset = explore.page.get_by_role("button", name="Reset")
    reset.focus()
    explore.press("Enter")
    follows(explore)
    explore.press("Tab")
    expect(explore.slider("a")).to_be_focused()


@leaves.add
def change_keeps_the_frame_and_what_is_not_known_yet(explore: Explore) -> None:
    explore.press("Home")
    for _ in range(5):
        explore.press("ArrowRight")
    explore.is_at(5, COUNT)
    explore.type_leaf("a", "4")
    # a*b + c = -2, L = 4; dL/d(a*b + c) = f, dL/df = -2; nothing has come to a, b, c yet.
    explore.shows("a", 4, NOT_YET)
    explore.shows("b", -3, NOT_YET)
    explore.shows("a*b", -12, NOT_YET)
    explore.shows("a*b + c", -2, -2)
    explore.shows("f", -2, -2)
    explore.shows("L", 4, 1)
    explore.is_at(5, COUNT)
    assert explore.receipts() == [["1.0000", "−2.0000", "−2.0000"]] * 2
    explore.press("Escape")
    explore.press("End")
    follows(explore, a=4)


@leaves.add
def explanation_follows(explore: Explore) -> None:
    explore.type_leaf("b", "5")
    follows(explore, b=5)
    assert explore.receipts() == [
        ["−2.0000", "5.0000", "−10.0000"],
        ["−2.0000", "2.0000", "−4.0000"],
    ]


@leaves.add
def sentence_says_what_a_nudge_does(explore: Explore) -> None:
    sentence = explore.page.locator("#sentence")
    explore.type_leaf("f", "3")
    expect(sentence).to_have_text("If f grows by 0.01, L grows by about 0.04.")  # dL/df = 4
    explore.type_leaf("c", "-2")  # dL/df = -6 - 2 = -8, dL/dc = f = 3
    expect(sentence).to_have_text("If c grows by 0.01, L grows by about 0.03.")
    explore.type_leaf("b", "-7")  # dL/db = a f = 6
    expect(sentence).to_have_text("If b grows by 0.01, L grows by about 0.06.")


def test_kink_and_nan_are_shown_and_explained_where_a_leaf_is_dragged_onto_them(page: Page) -> None:
    explore = Explore(page).open("x = 1.0\ny = relu(x)", lens="check")
    kink = explore.explanation.locator(".kink")
    expect(kink).to_have_count(0)
    explore.type_leaf("x", "0")
    explore.shows("x", 0, 0)
    expect(kink).to_be_visible()
    expect(page.locator("#check tr[data-key=x] .verdict")).to_contain_text("kink")
    explore.paste("x = 1.5\ny = log(x)")
    explore.shows("x", 1.5, 1 / 1.5)
    explore.type_leaf("x", "-1")
    expect(explore.card("y").locator("text.data")).to_have_text("nan")
    warning = page.locator(".notice.warning")
    expect(warning).to_contain_text("log(-1.0)")
    expect(page.locator("#check .verdict.bad")).to_contain_text("not finite")
    explore.type_leaf("x", "2")
    explore.shows("y", math.log(2), 1)
    explore.shows("x", 2, 0.5)
    expect(warning).to_have_count(0)


def test_a_leaf_that_starts_as_nan_is_not_in_the_address(page: Page) -> None:
    """An address with x=nan would be refused by exports and frames."""
    explore = Explore(page).open("x = Value(float('nan'))\na = 1.0\ny = x*a")
    expect(page.locator("#reset")).to_be_disabled()
    explore.type_leaf("a", "2")
    expect(page).to_have_url(re.compile(r"&a=2"))
    expect(page).not_to_have_url(re.compile(r"&x="))


@leaves.add
def edit_elsewhere_keeps_the_leaf_and_an_edit_of_its_line_takes_over(explore: Explore) -> None:
    explore.type_leaf("a", "4")
    follows(explore, a=4)
    explore.area.press("Control+End")
    explore.page.keyboard.type(" * 3")
    explore.shows("L", 3 * (4 * -3 + 10) * -2, 1)
    assert value(explore, "a") == 4
    explore.area.press("Control+Home")
    explore.press("End")
    explore.page.keyboard.type("5")  # a = 2.05
    explore.shows("a", 2.05, 3 * -3 * -2)
    assert value(explore, "a") == 2.05
    expect(explore.page.get_by_role("button", name="Reset")).to_be_hidden()


def test_any_name_can_be_dragged_and_linked(page: Page) -> None:
    """Also names that the address uses itself; L = 3 (x0 + 10 x1 + ...) tells them apart."""
    names = ["frame", "program", "direction", "open", "a b", "é<&>", "leaf.x"]
    values = [f"x{i} = Value(2.0, label={name!r})" for i, name in enumerate(names)]
    total = " + ".join(f"x{i} * {10**i}" for i in range(len(names)))
    explore = Explore(page).open("\n".join([*values, f"L = ({total}) * 3"]))
    for i, name in enumerate(names):
        explore.type_leaf(name, str(i + 3))
        expect(page).to_have_url(re.compile(f"={i + 3}(&|$)"))
    exact = str(3 * sum((i + 3) * 10**i for i in range(len(names))))
    for is_again in (False, True):
        if is_again:
            page.reload()
            explore.ready()
        explore.button("L").focus()
        expect(page.get_by_role("tooltip")).to_contain_text(exact)
        assert [value(explore, name) for name in names] == [i + 3 for i in range(len(names))]


def test_filter_finds_a_leaf_among_many(page: Page) -> None:
    explore = Explore(page).open("random.seed(1)\nx = 2.0\nn = MLP(1, [4, 1])\ny = n([x])")
    rows = page.locator("#leaves .leaf:visible")
    expect(rows).to_have_count(14)
    search = page.get_by_role("searchbox")
    search.fill("n2.b")
    expect(rows).to_have_count(1)
    expect(rows.locator("label")).to_have_text("l0.n2.b")
    search.fill("x")
    expect(rows).to_have_count(1)
    explore.type_leaf("x", "1")
    explore.card("x").locator("text.data", has_text="1.0000").wait_for()
    expect(search).to_have_value("x")
    expect(rows).to_have_count(1)
    search.fill("")
    expect(rows).to_have_count(14)


def test_network_follows_a_dragged_weight(page: Page) -> None:
    """A neuron computed here: y = tanh(w0 x0 + w1 x1 + b), dy/dw0 = (1 - y²) x0."""
    explore = Explore(page).open(
        "x0 = 0.5; x1 = -1.5; w0 = 0.25; w1 = 1.0; b = 0.75\ny = tanh(w0*x0 + w1*x1 + b)"
    )
    for w0 in (-2.0, 3.0):
        explore.type_leaf("w0", str(w0))
        y = math.tanh(w0 * 0.5 + 1.0 * -1.5 + 0.75)
        explore.shows("y", y, 1)
        explore.shows("w0", w0, (1 - y * y) * 0.5)
        explore.shows("x0", 0.5, (1 - y * y) * w0)

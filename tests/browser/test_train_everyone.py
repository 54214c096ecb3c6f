"""Train for everyone: axe on each state, a phone, the keyboard alone, no JavaScript at all."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, OpenPage
from tests.browser.train_page import Train, address
from tests.support.each import Cases, for_each

PHONE: dict[str, Any] = {"width": 390, "height": 844, "touch": True}


def playing(train: Train) -> None:
    """While it plays, slowly; nothing is open."""
    train.open()
    train.speed("1,2")
    train.press("Play")
    train.is_past(0)


def all_open(train: Train) -> None:
    """A refused field, all tables, a mistake beside the correct run and a neuron's weights."""
    page = train.page
    train.open(samples="20", step=30)
    show_settings(train)
    page.get_by_label("Assign (=) instead").check()
    expect(page.locator("#pins tr[data-pin]")).to_have_count(1)
    train.press("log scale")
    for name in ("predictions", "losses", "norms", "doctor", "code"):
        page.locator(f"#{name} > summary").click()
    expect(page.locator("#code-text")).not_to_be_empty()
    train.neuron(1, 1).click()
    expect(train.inspector).to_be_visible()
    train.field("layers").fill("2 → x")
    expect(train.error("layers")).to_be_visible()
    train.complete()


def refused_alone(train: Train) -> None:
    """A refused address: no run at all."""
    train.go("/train?layers=2-x-1")


def close_up_and_points(train: Train) -> None:
    """A neuron that has the focus, beside points to be edited."""
    train.open()
    train.press("Edit points")
    train.neuron(0, 0).focus()
    train.page.keyboard.press("ArrowRight")
    expect(train.page.locator("#pointed")).to_be_visible()


def sweep(train: Train) -> None:
    """The results of a sweep."""
    train.open(steps="20")
    train.press("Sweep")
    train.page.locator("#sweep-rates").fill("0.1, 0.3")
    train.page.locator("#sweep-seeds").fill("1, 2")
    train.press("Train all")
    expect(train.page.locator("#sweep-result td")).to_have_count(4)


def curve_in_slow_motion(train: Train) -> None:
    """A fitted curve, and one step of it in slow motion."""
    train.open(data="sine", layers="1-5-1", step=20)
    train.press("Slow motion")
    expect(train.page.locator("#phase-words")).to_be_visible()


def no_picture(train: Train) -> None:
    """Three inputs."""
    train.open(data="four_points", layers="3-4-1", test_share="0", step=5)


def show_settings(train: Train) -> None:
    """On a phone the form is folded away."""
    if not train.field("layers").is_visible():
        train.page.locator(".fold-label").click()


STATES: list[Callable[[Train], None]] = [
    *(playing, all_open, refused_alone, close_up_and_points),
    *(sweep, curve_in_slow_motion, no_picture),
]
ON_PHONES = DARK = [all_open, sweep]
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that colours alone can break."""


@for_each("state", STATES)
def test_axe_finds_nothing(open_page: OpenPage, axe: Axe, state: Callable[[Train], None]) -> None:
    """Each state is made once; on the phone it is seen at its size, dark in its colours alone."""
    page = open_page()
    state(Train(page))
    assert axe(page) == []
    if state in ON_PHONES:
        page.set_viewport_size({"width": 390, "height": 844})
        if state is all_open:
            show_settings(Train(page))
        assert axe(page) == []
    if state in DARK:
        page.emulate_media(color_scheme="dark")
        assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert axe(page, COLOURS) == []


# A phone


@pytest.fixture
def phone(open_page: OpenPage) -> Train:
    """Train on a phone."""
    return Train(open_page(**PHONE))


on_a_phone = Cases()


@for_each("case", on_a_phone)
def test_run_on_a_phone(phone: Train, case: Callable[[Train], None]) -> None:
    if "/train" not in phone.page.url:
        phone.open(step=40)
    phone.page.evaluate("scrollTo(0, 0)")
    case(phone)


@on_a_phone.add
def nothing_is_wider_than_a_phone(phone: Train) -> None:
    for name in ("predictions", "losses", "norms", "doctor", "code"):
        phone.page.locator(f"#{name} > summary").click()
    phone.complete()
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390


@on_a_phone.add
def plays_and_scrubs_by_thumb(phone: Train) -> None:
    for name in ("Play", "Reset", "One step"):
        button = phone.page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
    phone.page.get_by_role("button", name="Play", exact=True).tap()
    phone.is_past(43)
    phone.page.get_by_role("button", name="Pause", exact=True).tap()
    phone.drag_to(3)
    phone.is_at(3)


@on_a_phone.add
def network_fits_a_phone(phone: Train) -> None:
    for layer, index in ((0, 0), (1, 4), (2, 0), (3, 0)):
        box = phone.neuron(layer, index).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["height"] >= 20


@on_a_phone.add
def settings_unfold_on_a_phone_and_folded_say_that_one_is_refused(phone: Train) -> None:
    expect(phone.field("layers")).to_be_hidden()
    expect(phone.page.locator("#gist")).to_contain_text("2 → 5 → 3 → 1")
    show_settings(phone)
    phone.field("layers").fill("2-4-1")
    phone.page.wait_for_url("**layers=2-4-1**")
    expect(phone.page.locator("#gist")).to_contain_text("2 → 4 → 1")
    fold = phone.page.locator(".fold-label")
    said = fold.get_by_text("a setting is invalid")
    expect(said).to_be_hidden()
    show_settings(phone)
    phone.field("steps").fill("1000000")
    expect(phone.error("steps")).to_be_visible()
    fold.click()
    expect(said).to_be_in_viewport(ratio=1)
    show_settings(phone)
    phone.field("steps").fill("100")
    expect(said).to_be_hidden()
    phone.go("/train?steps=1000000")
    fold.click()
    expect(said).to_be_in_viewport(ratio=1)


# The keyboard alone


def test_a_whole_visit_by_keyboard(page: Page) -> None:
    train = Train(page).open()

    def tab_to(selector: str) -> None:
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate("to => document.activeElement.matches(to)", selector):
                return
        raise AssertionError(f"Tab never leads to {selector}")

    tab_to("#field-learning_rate")
    page.keyboard.press("Control+a")
    page.keyboard.type("0.5")
    page.wait_for_url("**learning_rate=0.5**")
    tab_to("#play")
    page.keyboard.press("Enter")
    train.is_past(3)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    tab_to("#scrub")
    page.keyboard.press("Home")
    train.is_at(0)
    page.keyboard.press("ArrowRight")
    train.is_at(1)
    tab_to("#open")
    train.complete()
    page.keyboard.press("Enter")
    page.wait_for_url("**/?program=**")


def test_changes_are_announced(page: Page) -> None:
    train = Train(page).open()
    train.drag_to(20)
    expect(train.announcer).to_contain_text("Step 20: loss")
    expect(train.scrub).to_have_attribute("aria-valuetext", "step 20 of 300, loss " + loss(train))
    expect(train.page.locator("#boundary")).to_have_attribute(
        "aria-label",
        "The plane of the two inputs at step 20, coloured by the network's output,"
        " with 60 samples. " + percent(train) + " of the training data on the correct side.",
    )


def loss(train: Train) -> str:
    """The loss that is shown."""
    return train.loss.text_content() or ""


def percent(train: Train) -> str:
    """The accuracy that is shown."""
    return train.page.locator("#stat-accuracy").text_content() or ""


# No JavaScript


def test_without_javascript(open_page: OpenPage) -> None:
    page = open_page(javascript=False)
    page.goto(address(step=37))
    expect(page.locator("#network svg").first).to_be_visible()
    expect(page.locator("#loss svg").first).to_be_visible()
    expect(page.locator("#plot img:visible")).to_have_count(1)
    expect(page.locator(".where.no-js")).to_contain_text("step 37 of 300")
    expect(page.locator("#play")).to_be_hidden()
    page.get_by_role("navigation", name="Step").get_by_role("link", name="+10").click()
    expect(page.locator(".where.no-js")).to_contain_text("step 47 of 300")
    page.locator("#predictions > summary").click()
    expect(page.locator("#predictions-body tr").first).to_be_visible()
    page.locator("#field-seed").fill("5")
    page.get_by_role("button", name="Train", exact=True).click()
    assert "seed=5" in page.url
    page.locator("#field-layers").fill("2-x-1")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("#error-layers")).to_be_visible()
    expect(page.locator("#field-layers")).to_have_value("2-x-1")
    expect(page.locator("#field-seed")).to_have_value("5")
    page.goto(address(step=37))
    page.locator("#open").click()
    expect(page.locator("#picture")).to_be_visible()
    assert "program=" in page.url

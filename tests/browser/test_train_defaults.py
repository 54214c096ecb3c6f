"""What the form fits to other data and gives back, dice, presets, and own rows from a file."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.train_page import Train


@pytest.fixture
def train(page: Page) -> Train:
    """The page as it opens."""
    return Train(page).go("/train")


def test_other_data_take_their_settings_and_give_back_those_before(train: Train) -> None:
    says = train.page.locator("#fitted-says")
    train.take("four_points")
    expect(train.field("test_share")).to_have_value("0")
    expect(train.field("layers")).to_have_value("3 → 4 → 4 → 1")
    expect(says).to_have_text(re.compile("^Fitted to 4 points: .*layers, .*and test share"))
    train.take("spiral")
    expect(train.field("layers")).to_have_value("2 → 16 → 16 → 1")
    expect(train.field("steps")).to_have_value("1500")
    expect(train.field("test_share")).to_have_value("0.2")
    train.take("moons")
    expect(train.field("layers")).to_have_value("2 → 6 → 4 → 1")
    expect(train.field("test_share")).to_have_value("0.2")
    expect(train.field("steps")).to_have_value("400")
    expect(says).to_be_hidden()
    train.take("circles")
    train.page.wait_for_url("**data=circles**")
    expect(train.field("layers")).to_have_value("2 → 6 → 4 → 1")


def test_a_die_rolls_its_seed_alone_and_a_preset_says_what_to_watch(train: Train) -> None:
    watch = train.page.locator("#watch")
    expect(watch).to_contain_text("Two moons")
    parameters = train.complete()["parameters"]
    train.field("data_seed").fill("3000000")  # which a die never rolls
    train.page.wait_for_url("**data_seed=3000000**")
    expect(watch).to_be_hidden()
    train.press("Another data seed")
    expect(train.field("data_seed")).not_to_have_value("3000000")
    expect(train.field("seed")).to_have_value("3")
    train.page.wait_for_function("() => !location.search.includes('data_seed=3000000')")
    assert train.complete()["parameters"] == parameters
    train.page.locator("#presets > summary").click()
    train.page.evaluate("window.stayed = true")  # the run before stays until the preset is there
    train.page.get_by_role("link", name="Dead relu").click()
    expect(watch).to_contain_text("Two steps at rate 20")
    expect(train.field("learning_rate")).to_have_value("20")
    train.page.wait_for_url("**learning_rate=20**")
    assert train.page.evaluate("window.stayed")
    expect(train.page.locator("#presets ul").first).to_be_hidden()


def test_a_file_of_own_rows_keeps_its_words(train: Train) -> None:
    table = "x1,x2,kind\n1,2,cat\n-1,0.5,dog\n0.5,-2,cat\n-2,-1,cow\n"
    files = [{"name": "animals.csv", "mimeType": "text/csv", "buffer": table.encode()}]
    train.page.locator("#rows-file").set_input_files(files)  # type: ignore[arg-type]
    key = train.page.locator("#class-key li")
    expect(key).to_have_text(["cat", "dog", "cow"])
    expect(train.field("layers")).to_have_value("2 → 6 → 4 → 3")
    train.page.locator("#predictions summary").click()
    target = train.page.locator("#predictions-body tr").first.locator("td").nth(1)
    expect(target).to_have_text(re.compile("^(cat|dog|cow)$"))
    train.page.wait_for_url("**class_names=cat**")
    link = train.page.url
    train.go("/train").go(link)
    expect(key).to_have_text(["cat", "dog", "cow"])
    expect(train.field("rows")).to_have_value("1, 2, cat\n-1, 0.5, dog\n0.5, -2, cat\n-2, -1, cow")


def test_weights_of_a_file_begin_the_run_and_leave_with_their_network(train: Train) -> None:
    """And the check of a step compares the gradients that they have."""
    mine = [-0.5 + 0.1 * i for i in range(13)]
    train.go("/train?data=moons&layers=2-3-1&steps=40")
    files = [{"name": "w.json", "mimeType": "application/json", "buffer": str(mine).encode()}]
    train.page.locator("#weights-file").set_input_files(files)  # type: ignore[arg-type]
    train.page.wait_for_url("**initial=-0.5**")
    assert train.complete()["parameters"] == mine
    train.page.locator("#check > summary").click()
    body = train.page.locator("#check-body")
    expect(body.locator("tbody tr")).to_have_count(13)
    expect(body).to_contain_text(re.compile("agree in 1[4-7] digits, for 13 parameters"))
    train.field("l2").fill("0.01")
    train.page.wait_for_url("**l2=0.01**")
    assert train.complete()["parameters"] == mine
    train.field("layers").fill("2-4-1")
    train.page.wait_for_url("**layers=2-4-1**")
    expect(train.page.locator("#fitted-says")).to_contain_text("Your weights fit another network")
    expect(train.page.locator("#own-weights")).to_be_hidden()
    assert len(train.complete()["parameters"]) == 17
    files[0]["buffer"] = b"{}"
    train.page.locator("#weights-file").set_input_files(files)  # type: ignore[arg-type]
    expect(train.page.locator("#error-initial")).to_contain_text("No matrix of weights")
    assert len(train.complete()["parameters"]) == 17


def test_settings_scroll_within_their_column(page: Page) -> None:
    """What is hidden but read out, far down the form, must not make the page longer."""
    Train(page).go("/train?data=circles")
    heights = "[document.documentElement.scrollHeight, innerHeight]"
    whole, seen = page.evaluate(heights)
    assert whole == seen

"""The form: another run on the same page, refusals beside the control, the way back, own rows."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from engine.numbers import brief
from tests.browser.train_page import Train
from tests.browser.witness import Witness
from tests.support.each import Cases, for_each


@pytest.fixture
def train(page: Page) -> Train:
    """The run at step 0."""
    return Train(page).open()


def test_another_rate_is_another_run_on_the_same_page_and_plays_on(train: Train) -> None:
    train.page.evaluate("window.same = true")
    train.drag_to(20)
    train.is_at(20)
    train.field("learning_rate").fill("0.05")
    train.is_at(0)
    train.page.wait_for_url("**learning_rate=0.05**")
    train.drag_to(20)
    train.is_at(20)
    assert train.complete()["loss"] == train.state(20)["loss"]
    train.press("Play")
    train.is_past(22)
    train.field("seed").fill("8")
    train.page.wait_for_url("**seed=8**")
    train.is_past(2)
    train.press("Pause")
    shown = train.complete()
    assert shown["losses"][: shown["step"]] == train.state(shown["step"])["losses"]
    assert train.page.evaluate("window.same")


@for_each(
    ("name", "text", "message", "seed"),
    [
        ("layers", "2 → x", "Layers is", "5"),
        ("learning_rate", "much", "Learning rate is", "6"),
        ("steps", "0", "Steps is 0; give a whole number from 1 to 100,000.", "7"),
        ("batch", "99", "Batch is 99", "8"),
    ],
)
def test_refusal_stands_beside_its_control(
    train: Train, name: str, text: str, message: str, seed: str
) -> None:
    before = brief(train.state(0)["loss"])
    expect(train.loss).to_have_text(before)  # the run of the case before has come
    train.field(name).fill(text)
    expect(train.error(name)).to_contain_text(message)
    expect(train.field(name)).to_have_attribute("aria-invalid", "true")
    expect(train.field(name)).to_have_value(text)
    expect(train.loss).to_have_text(before)  # the run that there is stays
    train.field("seed").fill(seed)
    expect(train.error(name)).to_contain_text(message)
    train.field(name).fill({"layers": "2-4-1", "learning_rate": "1", "steps": "9"}.get(name, "9"))
    expect(train.error(name)).to_be_hidden()
    expect(train.field(name)).not_to_have_attribute("aria-invalid", "true")
    train.page.wait_for_url(f"**seed={seed}**")


@for_each(
    ("data", "layers", "title"),
    [
        ("three_spirals", "2 → 5 → 3 → 3", "Decision boundary"),
        ("sine", "1 → 5 → 3 → 1", "Fitted curve"),
        ("plane", "2 → 5 → 3 → 1", "Predicted plane"),
        ("four_points", "3 → 5 → 3 → 1", "Decision boundary"),
    ],
)
def test_the_network_fits_the_data(train: Train, data: str, layers: str, title: str) -> None:
    train.drag_to(0)
    train.is_at(0)
    train.take(data)
    expect(train.field("layers")).to_have_value(layers)
    train.page.wait_for_url(f"**data={data}**")
    expect(train.page.locator("#plot-title")).to_have_text(title)
    expect(train.plot).to_be_visible(visible=data != "four_points")
    train.press("One step")
    train.is_at(1)
    train.complete()


def test_nothing_typed_is_lost_while_the_server_is_away(train: Train, witness: Witness) -> None:
    witness.allowed.append("ERR_FAILED")
    away = True
    train.page.route(
        "**/train/setup?**", lambda route: route.abort() if away else route.continue_()
    )
    train.take("three_spirals")
    expect(train.notice).to_contain_text("does not respond")
    train.field("seed").fill("12")
    train.field("steps").press("End")
    train.field("steps").press_sequentially("0")
    expect(train.notice).to_contain_text("does not respond")
    expect(train.field("layers")).to_have_value("2 → 5 → 3 → 1")
    away = False
    expect(train.field("layers")).to_have_value("2 → 5 → 3 → 3")
    expect(train.field("seed")).to_have_value("12")
    expect(train.field("steps")).to_have_value("3000")
    expect(train.notice).to_be_hidden()
    train.page.wait_for_url(re.compile("data=three_spirals.*steps=3000.*seed=12"))


def test_layers_typed_while_the_server_thinks_stay(train: Train) -> None:
    held: list[Route] = []
    train.page.route("**/train/setup?**", lambda route: held.append(route))  # noqa: PLW0108
    with train.page.expect_request("**/train/setup?**"):
        train.take("three_spirals")
    train.field("layers").fill("2-7-3")
    train.page.unroute("**/train/setup?**")
    for route in held:
        with suppress(Error):  # the page may have given its request up for a newer one
            route.continue_()
    train.page.wait_for_url("**layers=2-7-3**")
    expect(train.field("layers")).to_have_value("2-7-3")


def test_back_button_brings_back_the_run_before(train: Train) -> None:
    def choose(seed: int) -> None:
        """Another run, whose history entry does not wait for its state."""
        held: list[Route] = []
        train.page.route("**/train/state?**", lambda route: held.append(route))  # noqa: PLW0108
        train.field("seed").fill(str(seed))
        train.page.wait_for_url(f"**seed={seed}**")
        train.page.unroute("**/train/state?**")
        for route in held:
            with suppress(Error):  # as above
                route.continue_()
        train.complete()

    choose(21)
    # Changes that follow each other closely are one: the page believes that 5 s have passed.
    train.page.evaluate(
        "() => { const now = performance.now.bind(performance)\n"
        "        performance.now = () => now() + 5000 }"
    )
    choose(22)
    train.page.go_back()
    expect(train.field("seed")).to_have_value("21")
    train.drag_to(12)
    train.is_at(12)
    assert "seed=21" in train.query()
    assert train.complete()["loss"] == train.state(12)["loss"]
    train.page.go_back()
    expect(train.field("seed")).to_have_value("3")


own_rows = Cases()


@for_each("case", own_rows)
def test_own_rows(train: Train, case: Callable[[Train], None]) -> None:
    case(train)


@own_rows.add
def own_rows_are_pasted(train: Train) -> None:
    train.take("rows")
    rows = train.field("rows")
    expect(rows).to_be_visible()
    assert len(rows.input_value().splitlines()) == 60  # they begin as the samples shown
    rows.fill("0, 0, 0\n0, 1, 1\n1, 0, 1\n1, 1, 0\n0.5, 0.5, 1")
    train.page.wait_for_url(re.compile("rows=0"))
    expect(train.field("layers")).to_have_value("2 → 5 → 3 → 1")
    train.press("One step")
    train.is_at(1)
    train.page.reload()
    train.ready()
    assert len(train.field("rows").input_value().splitlines()) == 5
    rows.fill("0, 0, 0\n0, one, 1")
    expect(train.error("rows")).to_be_visible()
    expect(rows).to_have_value("0, 0, 0\n0, one, 1")


def test_rows_with_words_are_classes_in_the_predictions_too(page: Page) -> None:
    train = Train(page).open(data="sine", layers="1-4-1", samples="12")
    page.locator("#predictions summary").click()
    off = page.locator("#predictions-off")
    expect(off).to_have_text("off by")
    train.take("rows")
    train.field("rows").fill("x;y;k\n0,5;1,5;ja\n1,0;-1;nein\n2;0;ja\n3;-2;nein\n4;1;ja")
    train.field("rows").blur()
    expect(page.locator("#plot-title")).to_have_text("Decision boundary")
    expect(page.locator("#stat-accuracy-box")).to_be_visible()
    expect(off).to_have_text("right")
    expect(page.locator("#predictions-body td").nth(1)).to_have_text(re.compile("^(ja|nein)$"))
    rows = [row.split("\t") for row in page.locator("#predictions-body").inner_text().split("\n")]
    pairs = [(row[2].strip(), row[3].split(": ")[1].strip()) for row in rows if len(row) > 3]
    names = ["ja", "nein"]
    counts = [[str(pairs.count((target, said))) for said in names] for target in names]
    confusion = page.locator("#confusion")
    expect(confusion.locator("th")).to_have_text([*names, *names])
    expect(confusion.locator("tbody td")).to_have_text([*counts[0], *counts[1]])
    assert len(pairs) >= 4
    train.take("sine")
    expect(off).to_have_text("off by")
    expect(confusion).to_be_hidden()
    expect(page.locator("#stat-accuracy-box")).to_be_hidden()


def test_a_batch_is_told_apart_from_all_training_data(train: Train) -> None:
    page = train.page
    box, words = page.locator("#stat-batch-box"), page.locator("#loss-words")
    expect(box).to_be_hidden()
    train.field("steps").fill("60")
    train.field("dropout").fill("0.5")
    page.wait_for_url("**dropout=0.5&**steps=60**")
    expect(box).to_have_attribute("title", re.compile("with dropout"))
    train.press("One step")
    expect(words).to_have_text(re.compile("^batch loss .*; over all training data"))
    expect(page.locator("#predictions-aside")).to_contain_text("without dropout")
    expect(page.locator("#key-batch")).to_be_visible()
    said = train.state(1)
    expect(page.locator("#stat-loss")).to_have_text(brief(said["train_loss"]))
    expect(page.locator("#stat-batch")).to_have_text(brief(said["loss"]))
    over, under = page.locator("#loss .u-over"), page.locator("#loss .under")
    width = (over.bounding_box() or {"width": 0})["width"]
    over.hover(position={"x": 0, "y": 20})
    expect(under).to_contain_text(f"step 0 · batch {brief(train.state(0)['loss'])} · test")
    page.get_by_role("slider", name="Step").press("End")
    last = train.state(60)
    over.hover(position={"x": width - 1, "y": 21})
    numbers = [brief(last[name]) for name in ("loss", "test_loss", "train_loss")]
    expect(under).to_have_text("step 60 · batch {} · test {} · loss {}".format(*numbers))
    train.press("Pin")
    expect(page.locator("#pins tr[data-pin] td:nth-child(2)")).to_have_text(numbers[2])
    train.field("dropout").fill("0")
    expect(box).to_be_hidden()
    expect(words).not_to_contain_text("batch")
    train.field("l2").fill("0.1")
    expect(page.locator("#key-penalty")).to_be_visible()
    page.wait_for_url("**l2=0.1**")
    train.is_at(0, 60)
    over.hover(position={"x": 0, "y": 22})
    expect(under).to_contain_text(f" · penalty {brief(train.state(0)['penalty'])}")


@own_rows.add
def rows_between_spaces_are_a_run(train: Train) -> None:
    train.take("rows")
    train.field("rows").fill("0 0 -1\n0 1 1\n1 0 1\n1 1 -1\n.5 .5 1\n2 2 -1")
    train.page.wait_for_url(re.compile("rows=0.0,0.0,-1.0%3B"))
    assert len(train.complete()["predictions"]) == 5  # one is kept aside for testing


def test_refused_address_is_corrected_in_the_form_and_regression_gets_a_loss(page: Page) -> None:
    train = Train(page).go("/train?data=moons&layers=2-x-1&loss=hinge")
    expect(train.error("layers")).to_be_visible()
    expect(train.field("layers")).to_have_value("2-x-1")
    train.field("layers").fill("2-3-1")
    page.wait_for_url("**layers=2-3-1**")
    expect(page.locator(".neuron")).to_have_count(6)
    train.ready()
    train.take("sine")
    expect(train.field("loss")).to_have_value("mse")
    page.wait_for_url("**data=sine**")


def test_pinned_runs_and_log_scale_are_part_of_the_address(train: Train) -> None:
    train.press("Pin")
    expect(train.page.locator("#pins tr[data-pin]")).to_have_count(1)
    for count, rate in enumerate(("0.001", "0.05"), 2):
        train.field("learning_rate").fill(rate)
        train.page.wait_for_url(f"**learning_rate={rate}**")
        train.press("Pin")
        expect(train.page.locator("#pins tr[data-pin]")).to_have_count(count)
    said = train.state(int(train.field("steps").input_value()))
    heads = ["learning rate", "loss", "test loss", "accuracy"]  # what differs, and the ends
    expect(train.page.locator("#pins thead th")).to_have_text(heads)
    expect(train.page.locator("#pins tr[data-pin] td:nth-child(2)")).to_have_text(
        ["0.3", "0.001", "0.05"]
    )
    expect(train.page.locator("#pins tr[data-pin] td:nth-child(3)").last).to_have_text(
        brief(said["loss"])
    )
    train.page.wait_for_function(
        "() => new URLSearchParams(location.search).getAll('pin').length === 3"
    )
    train.drag_to(100)
    train.is_at(100)
    linear = train.pixels("#loss canvas")
    log = train.page.get_by_role("button", name="log scale")
    log.click()
    assert train.pixels("#loss canvas") != linear
    train.page.wait_for_url("**scale=log**")
    train.page.reload()
    train.ready()
    expect(train.page.locator("#pins tr[data-pin]")).to_have_count(3)
    expect(log).to_have_attribute("aria-pressed", "true")
    train.page.get_by_role("button", name="Unpin learning rate 0.001").click()
    expect(train.page.locator("#pins tr[data-pin]")).to_have_count(2)
    train.page.locator("#smoothing").fill("0.9")
    train.page.wait_for_url("**smooth=0.9**")
    train.page.locator("#loss").hover(position={"x": 120, "y": 40})
    told = train.page.locator("#loss .under").inner_text()
    step = int(re.match(r"step (\d+)", told)[1])  # type: ignore[index]
    assert 0 < step < 100
    before = [
        0.1 * 0.9 ** (step - i) * x for i, x in enumerate(train.complete()["losses"][: step + 1])
    ]
    shown = float(re.search(r"smoothed ([\d.]+)", told)[1])  # type: ignore[index]
    assert shown == pytest.approx(sum(before) / (1 - 0.9 ** (step + 1)), rel=1e-3)


def test_hidden_controls_stay_hidden(page: Page) -> None:
    train = Train(page).open(hide="layers,sweep,chart,boundary")
    expect(page.locator("#field-layers")).to_have_count(0)
    expect(page.locator("#sweep-open")).to_have_count(0)
    train.field("seed").fill("11")
    page.wait_for_url(re.compile("seed=11.*hide=layers"))
    train.press("One step")
    train.is_at(1)
    assert "layers=2-5-3-1" in page.url


def test_a_refusal_says_which_run_plays(train: Train) -> None:
    train.field("learning_rate").fill("much")
    expect(train.notice).to_contain_text("Showing the previous run (moons")
    train.press("Play")
    train.is_past(2)
    expect(train.notice).to_be_visible()
    train.press("Pause")
    expect(train.notice).to_be_visible()
    train.take("three_spirals")  # the data are fitted beside the refused setting
    expect(train.field("layers")).to_have_value("2 → 5 → 3 → 3")
    expect(train.error("learning_rate")).to_be_visible()
    train.field("learning_rate").fill("0.2")
    expect(train.notice).to_be_hidden()
    train.page.wait_for_url("**data=three_spirals**")


def test_a_refusal_is_seen_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    train = Train(page).open()
    page.locator(".fold-label").click()
    field = train.field("seed")
    field.evaluate("field => field.scrollIntoView({block: 'end'})")
    field.fill("much")
    expect(train.error("seed")).to_be_visible()
    page.wait_for_function(
        """() => {
          const error = document.getElementById('error-seed').getBoundingClientRect()
          const player = document.getElementById('player').getBoundingClientRect()
          return error.y > 0 && error.bottom <= player.y
        }"""
    )


@own_rows.add
def a_pasted_table_with_a_header_and_words_is_a_run(train: Train) -> None:
    train.take("rows")
    train.field("rows").fill("height;animal\n1,5;cat\n-1,0;dog\n0,5;cat\n-0,3;cow\n0,9;dog")
    train.field("rows").press("Tab")
    train.page.wait_for_url(re.compile("rows=1.5,0.0%3B"))
    shown = train.complete()
    assert train.field("layers").input_value() == "1 → 5 → 3 → 3"
    assert shown["loss"] == train.state(0)["loss"]
    expect(train.error("rows")).to_be_hidden()


def test_the_four_points_keep_all_four_and_are_stripes(train: Train) -> None:
    train.field("test_share").fill("0.25")
    train.page.wait_for_url(re.compile("test_share=0.25"))
    train.take("four_points")
    train.page.wait_for_url(re.compile("data=four_points"))
    train.is_at(0)
    assert train.field("test_share").input_value() == "0"
    expect(train.page.locator("#key-stripes")).to_be_visible()
    assert len(train.complete()["predictions"]) == 4


def test_mistake_and_too_large_a_rate_are_explained_beside_the_right_run(train: Train) -> None:
    train.page.get_by_label("Forget to zero the gradients").check()
    train.page.wait_for_url("**zero_grad=false**")
    expect(train.page.locator("#pins")).to_contain_text("the correct run")
    expect(train.page.locator("#mistake")).to_contain_text("adds up the gradients of all previous")
    train.page.get_by_label("Forget to zero the gradients").uncheck()
    expect(train.page.locator("#pins")).not_to_contain_text("the correct run")
    expect(train.page.locator("#mistake")).to_be_empty()
    rate = float(train.field("learning_rate").input_value())
    train.page.locator("#large-rate").click()
    expect(train.field("learning_rate")).to_have_value("9")
    train.page.wait_for_url("**learning_rate=9**")
    train.page.wait_for_url(re.compile(f"right={rate:g}"))
    expect(train.page.locator("#mistake")).to_contain_text("The learning rate is too large.")
    expect(train.page.locator("#pins")).to_contain_text("the correct run")
    train.page.reload()
    train.ready()
    expect(train.page.locator("#mistake")).to_contain_text("The learning rate is too large.")
    train.field("learning_rate").fill(f"{rate:g}")
    expect(train.page.locator("#mistake")).to_be_empty()

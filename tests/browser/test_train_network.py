"""Neurons and weights close up, in numbers, changed by hand."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page, expect

from engine.numbers import brief
from engine.training.spec import TrainSpec
from engine.training.textbook import answer, network
from tests.browser.train_page import PLAYER, Train, address
from tests.support.each import Cases, for_each

POINTED = "#pointed"


@pytest.fixture
def train(page: Page) -> Train:
    """The run at step 40."""
    return Train(page).open_at(40)


at_step_40 = Cases()


@for_each("case", at_step_40)
def test_network_at_a_step(train: Train, case: Callable[[Train], None]) -> None:
    page = train.page
    page.set_viewport_size({"width": 1440, "height": 860})
    page.mouse.move(5, 5)
    close = train.inspector.get_by_role("button", name="Close")
    if close.is_visible():
        close.click()
    train.drag_to(40)
    train.is_at(40)
    train.complete()
    case(train)


@at_step_40.add
def pointing_at_a_neuron_shows_its_map_in_place_of_the_output(train: Train) -> None:
    said, title = train.page.locator(POINTED), train.page.locator("#plot-title")
    output = train.pixels("#boundary")
    train.neuron(1, 2).hover()
    expect(said).to_contain_text("Neuron 3 of layer 1")
    expect(said).to_contain_text("bias")
    expect(title).to_have_text("Neuron 3 of layer 1")
    first = train.pixels("#boundary")
    train.neuron(2, 1).hover()
    expect(said).to_contain_text("Neuron 2 of layer 2")
    assert len({output, first, train.pixels("#boundary")}) == 3
    network, box = train.page.locator("#links").bounding_box(), said.bounding_box()
    assert network
    assert box
    assert box["y"] >= network["y"] + network["height"]  # below the network, not over it
    train.page.mouse.move(5, 5)
    expect(said).to_be_hidden()
    expect(title).to_have_text("Decision boundary")
    assert train.pixels("#boundary") == output


@at_step_40.add
def pointing_at_a_link_shows_its_weight(train: Train) -> None:
    here, there = train.neuron(0, 0).bounding_box(), train.neuron(1, 0).bounding_box()
    assert here
    assert there
    train.page.mouse.move(here["x"] + here["width"] + 12, here["y"] + here["height"] / 2)
    train.page.mouse.move(there["x"] - 3, there["y"] + there["height"] / 2)
    tip = train.page.locator(POINTED)
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("→ Neuron 1 of layer 1")
    expect(tip).to_contain_text("gradient")
    expect(train.page.locator("#links .pointed")).to_have_count(1)
    train.page.mouse.click(there["x"] - 3, there["y"] + there["height"] / 2)
    field = train.inspector.get_by_role("spinbutton").and_(train.page.locator(":focus"))
    expect(field).to_have_count(1)
    name = field.get_attribute("aria-label") or ""
    index = int(name.removeprefix("weight from x")) - 1
    assert float(field.input_value()) == pytest.approx(train.shown()["parameters"][index], rel=1e-3)


@at_step_40.add
def inspector_is_below_the_network(train: Train) -> None:
    for width in (1440, 1024, 390):
        train.page.set_viewport_size({"width": width, "height": 844})
        for layer in (1, 2, 3):
            train.neuron(layer, 0).click()
            expect(train.inspector).to_be_visible()
            panel, network = (
                train.inspector.bounding_box(),
                train.page.locator("#links").bounding_box(),
            )
            assert panel
            assert network
            assert panel["y"] >= network["y"] + network["height"]
            train.inspector.get_by_role("button", name="Close").click()


def test_weight_is_changed_by_hand(train: Train) -> None:
    before = train.state(60)["loss"]
    train.press("Pin")
    expect(train.page.locator("#pins")).to_contain_text("this run")
    train.neuron(1, 2).click()
    expect(train.inspector).to_be_visible()
    field = train.inspector.get_by_label("weight from x2")
    index = 2 * 3 + 1  # of layer 1's third neuron: after two neurons with two weights and a bias
    shown = train.shown()
    assert float(field.input_value()) == pytest.approx(shown["parameters"][index], rel=1e-3)
    field.fill("2.5")
    field.press("Enter")
    train.page.wait_for_url(re.compile(r"set=7(:|%3A)2\.5&at=40"))
    expect(field).to_be_focused()
    expect(train.page.locator("#pins")).to_contain_text(re.compile("by hand.*1 change.*none"))
    assert train.complete()["parameters"][index] == 2.5
    train.drag_to(60)
    train.is_at(60)
    after = train.complete()
    assert after["loss"] == train.state(60)["loss"] != before
    own = train.page.locator("#pins tbody tr").first
    expect(own).to_contain_text(train.page.locator("#stat-loss").inner_text())
    assert after["losses"][:60] == train.state(60)["losses"]
    train.drag_to(39)
    train.is_at(39)
    assert train.complete()["parameters"][index] != 2.5
    train.page.reload()
    train.ready()
    train.drag_to(40)
    train.is_at(40)
    assert train.complete()["parameters"][index] == 2.5


def test_weights_by_keyboard_alone(train: Train) -> None:
    page = train.page
    train.neuron(0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert re.fullmatch(r"Neuron \d of layer 1", name)
    train.is_at(40)  # arrows lead about in the network and do not step
    page.keyboard.press("Enter")
    expect(train.inspector).to_be_visible()
    expect(train.inspector).to_contain_text(name)
    field = train.inspector.get_by_label("bias")
    field.focus()
    own = float(field.input_value())
    for _ in range(3):  # from its own number, whatever that is
        page.keyboard.press("ArrowUp")
    assert float(field.input_value()) == pytest.approx(own + 0.3)
    page.keyboard.press("Control+a")
    page.keyboard.type("-1")
    page.wait_for_url("**set=**")
    page.keyboard.press("Escape")
    expect(train.inspector).to_be_hidden()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == name


@at_step_40.add
def weight_has_a_history(train: Train) -> None:
    train.neuron(1, 0).click()
    train.page.wait_for_function(f"async () => ({PLAYER}).snapshots.kept.size > 20")


@at_step_40.add
def slow_motion_goes_frame_by_frame(train: Train) -> None:
    page, network = train.page, train.page.locator("#network")
    words, title = page.locator("#phase-words"), page.locator("#frames h2")
    train.press("Slow motion")
    expect(title).to_have_text("Input")
    expect(words).to_contain_text("Sample")
    said = train.found("frames", step=40)
    for frame in said["frames"]:
        expect(title).to_have_text(frame["title"])
        expect(words).to_have_text(frame["sentence"])
        expect(network).to_have_attribute("data-phase", frame["phase"])
        page.keyboard.press("ArrowRight")
    expect(page.locator("#frames .aside")).to_have_text("step 41, frame 1 of 11")
    train.is_at(41)
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text("Update, layer 3")
    train.is_at(40)
    page.keyboard.press("Escape")
    expect(page.locator("#frames")).to_be_hidden()
    expect(network).not_to_have_attribute("data-phase", re.compile("."))
    expect(page.locator(".neuron .number")).to_have_count(0)
    expect(page.get_by_role("button", name="Slow motion")).to_have_attribute(
        "aria-pressed", "false"
    )


def test_slow_motion_takes_a_sample_and_a_neuron(train: Train) -> None:
    page, words = train.page, train.page.locator("#phase-words")
    train.press("Slow motion")
    expect(words).to_contain_text("Sample 1 ")
    x, y = train.sample(4)
    train.plot.click(position={"x": x, "y": y})
    expect(words).to_contain_text("Sample 5 ")
    train.neuron(2, 1).click()
    expect(train.inspector).to_be_hidden()
    expect(words).to_contain_text("Forward, layer 2")
    said = train.found("frames", step=40, sample=4, neuron="0,1")["frames"][2]
    expect(words).to_have_text(said["sentence"])
    expect(train.neuron(2, 1)).to_contain_text(said["numbers"][2]["texts"][1])
    expect(page.locator("#links text")).to_have_text(said["links"])
    expect(page.locator(".frame-lines p")).to_have_text([line.strip() for line in said["lines"]])
    page.wait_for_url("**phase=forward-2%2C1%2C4**")
    page.reload()
    train.ready()
    expect(words).to_have_text(said["sentence"])


@at_step_40.add
def pictures_are_labelled(train: Train) -> None:
    page = train.page
    titles = ["Features", "layer 1, tanh", "layer 2, tanh", "output, tanh"]
    expect(page.locator(".layer-name")).to_have_text(titles)
    sizes = page.locator(":is(.layer-size, .layer-count) output")
    expect(sizes).to_have_text(["5", "3", "2"])
    expect(page.locator(".feature.neuron span")).to_have_text(["x₁", "x₂"])
    expect(page.locator("#scale")).to_have_text("output ≤ −10≥ 1")
    state = train.state(40)
    over = page.locator("#loss .u-over")
    box = over.bounding_box()
    assert box
    over.hover(position={"x": box["width"] * 30 / 300, "y": 20})
    loss, test = brief(state["losses"][30]), brief(state["test_losses"][30])
    expect(page.locator("#loss .under")).to_have_text(f"step 30 · loss {loss} · test {test}")
    train.plot.hover(position={"x": 5, "y": 40})
    words = page.locator("#plot .under")
    expect(words).to_have_text(re.compile(r"^x₁ \S+ · x₂ \S+ · output ≈ \S+$"))
    *place, output = [
        float(word.replace("−", "-").removeprefix("≈ "))
        for word in re.findall(r"(?:≈ )?−?[\d.]+(?= ·|$)", words.text_content() or "")
    ]
    spec = TrainSpec.from_query(parse_qsl(train.query()))
    (exact,) = answer(network(spec, state["parameters"]), place)
    assert output == pytest.approx(exact.data, abs=0.02)


def test_doctor_speaks_up(page: Page) -> None:
    train = Train(page).open(learning_rate="50", output_activation="linear", step=50)
    expect(page.locator("#doctor [data-count]")).to_have_text("2")  # of which one is on two layers
    page.locator("#doctor > summary").click()
    expect(page.locator("#doctor-list")).to_contain_text("rate too large")
    train.field("learning_rate").fill("0.3")
    train.is_at(0)
    expect(page.locator("#doctor-list .well")).to_be_attached()


@at_step_40.add
def exports_follow_the_step(train: Train) -> None:
    page = train.page
    train.drag_to(12)
    train.is_at(12)
    for name in ("svg-link", "png-link", "network-link"):
        expect(page.locator(f"#{name}")).to_have_attribute("href", re.compile("step=12"))
        href = page.locator(f"#{name}").get_attribute("href")
        assert page.request.get(href or "").ok


@at_step_40.add
def an_emptied_weight_says_what_to_do(train: Train) -> None:
    train.neuron(1, 0).click()
    field = train.inspector.get_by_label("weight from x1")
    before = field.input_value()
    field.fill("")
    field.press("Enter")
    expect(train.inspector.get_by_role("alert")).to_contain_text("Enter a number")
    field.press("Tab")
    expect(train.inspector.get_by_role("alert")).to_be_hidden()
    expect(field).to_have_value(before)


@at_step_40.add
def norms_have_an_axis_and_names(train: Train) -> None:
    train.page.locator("#norms summary").click()
    expect(train.page.locator("#norms-words")).to_contain_text("g1, g2")
    train.page.wait_for_function(
        """() => document.getElementById('norms-canvas').getContext('2d')
          .getImageData(0, 0, 34, 100).data.some(Boolean)"""
    )
    expect(train.page.locator("#updates-words")).to_contain_text("the last update over")
    expect(train.page.locator("#norms-body tr").first.locator("td").last).to_have_text(
        re.compile(r"\d")
    )
    train.page.locator("#histograms summary").click()
    train.page.wait_for_function(
        """() => { const { width, height } = document.getElementById('histograms-canvas')
          const context = document.getElementById('histograms-canvas').getContext('2d')
          const half = start => context.getImageData(start, 0, width / 2 - 60, height).data
          return [60, width / 2 + 40].every(start => half(start).some(Boolean)) }"""
    )


@at_step_40.add
def export_menu_closes_on_escape(train: Train) -> None:
    menu = train.page.locator("#exports")
    menu.locator("summary").click()
    expect(menu.locator("ul")).to_be_visible()
    train.page.keyboard.press("Tab")
    train.page.keyboard.press("Escape")
    expect(menu.locator("ul")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_changes_by_hand_are_listed_and_taken_back(page: Page) -> None:
    train = Train(page)
    train.go(f"{address(step=20)}&set=0:1.5&at=10")
    changes = page.locator("#edits")
    words = "layer 1, neuron 1, weight 1 is 1.5 from step 10 on"
    expect(changes).to_contain_text(words)
    changed = train.complete()["loss"]
    train.field("learning_rate").fill("0.25")  # the change stays with other settings
    page.wait_for_url(re.compile(r"learning_rate=0\.25.*set=0(:|%3A)1\.5&at=10"))
    expect(changes).to_contain_text(words)
    train.drag_to(20)
    train.is_at(20)
    assert train.complete()["loss"] == train.state(20)["loss"]
    train.field("layers").fill("4")
    expect(changes).to_contain_text("One change was dropped")
    page.wait_for_url(re.compile("^(?!.*set=)"))
    train.go(f"{address(step=20)}&set=0:1.5&at=10")
    changes.get_by_role("button", name="Remove").click()
    expect(changes).to_be_hidden()
    page.wait_for_url(re.compile("^(?!.*set=)"))
    train.is_at(20)
    shown = train.complete()
    assert shown["loss"] == train.state(20)["loss"] != changed


def test_features_and_sizes_are_chosen_on_the_page(train: Train) -> None:
    page, layers = train.page, train.field("layers")
    page.get_by_role("button", name="x₁²").press("Enter")
    expect(page).to_have_url(re.compile("features=x1,x2,x1_squared&layers=3-"))
    expect(train.neuron(0, 2)).to_have_attribute("aria-label", "Input x₁²")
    expect(layers).to_have_value(re.compile("^3 → "))
    layers.fill("8,8")
    expect(page).to_have_url(re.compile("layers=3-8-8-1"))
    page.get_by_role("button", name="Remove a neuron from hidden layer 1").press("Enter")
    expect(page).to_have_url(re.compile("layers=3-7-8-1"))
    page.get_by_role("button", name="Add a hidden layer").click()
    expect(page).to_have_url(re.compile("layers=3-7-8-8-1"))
    expect(layers).to_have_value("3 → 7 → 8 → 8 → 1")
    layers.fill("3,128,2,2,2,2,2,2,1")  # the largest layer and the most of them
    page.get_by_label("Hidden layer to change").select_option("layer 7")
    more = page.get_by_role("button", name="Add a neuron to hidden layer 7")
    more.click()
    expect(page).to_have_url(re.compile("layers=3-128-2-2-2-2-2-3-1"))
    expect(more).to_be_enabled()
    expect(page.get_by_role("button", name="Add a hidden layer")).to_be_disabled()
    page.get_by_label("Hidden layer to change").select_option("layer 1")
    expect(page.get_by_role("button", name="Add a neuron to hidden layer 1")).to_be_disabled()
    layers.fill("3,7,8,8,1")
    expect(page).to_have_url(re.compile("layers=3-7-8-8-1"))
    train.take("sine")
    expect(page).to_have_url(re.compile("layers=1-7-8-8-1"))
    expect(page.locator("#features")).to_be_hidden()
    assert "features" not in train.query()
    problem, moons = (
        page.get_by_label("Type of the problem"),
        page.locator(".card", has_text="moons"),
    )
    problem.select_option("classification")
    expect(page).to_have_url(re.compile("data=four_points"))
    problem.select_option("regression")
    expect(page).to_have_url(re.compile("data=sine"))
    expect(moons).to_be_hidden()
    page.go_back()
    expect(moons).to_be_visible()
    expect(problem).to_have_value("")


def test_the_plot_is_flat_and_without_test_points_by_its_address(train: Train) -> None:
    page = train.page
    smooth = train.pixels("#boundary")
    page.locator("#flat").click()
    expect(page).to_have_url(re.compile("flat=1"))
    flat = train.pixels("#boundary")
    assert flat != smooth
    page.locator("#exports summary").click()
    expect(page.locator("#png-link")).to_have_attribute("href", re.compile("step=40&flat=1$"))
    page.reload()
    train.ready().is_at(40)
    expect(page.locator("#flat")).to_have_attribute("aria-pressed", "true")
    train.complete()
    assert train.pixels("#boundary") == flat

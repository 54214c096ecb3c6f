"""The first sight of Train: data, features, network and output, with few controls and no fold."""

import re
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.train_page import PLAYER, Train, address, state_of
from tests.browser.witness import Witness

MOST = 40
SAME = (
    "samples=120&noise=0.12&test_share=0.2&activation=tanh&output_activation=tanh&loss=mse&l2=0.0"
    "&learning_rate=0.2&schedule=constant&steps=400&seed=3"
)
"""The run that the page opens with, apart from its layers."""

# What every link, button, field, menu and list to choose from is called, as far as it is seen, and
# where it ends. The neurons are options of one list.
CONTROLS = """() => {
  const wanted = 'a[href], button, input, select, textarea, summary, [role=listbox]'
  return [...document.querySelectorAll(wanted)].filter(one => {
    const {width, height} = one.getBoundingClientRect()
    return width > 1 && height > 1 && one.checkVisibility({visibilityProperty: true})
      && !one.matches('.skip')
  }).map(one => [
    one.getAttribute('aria-label') || (one.labels?.[0] ?? one).innerText.trim(),
    one.getBoundingClientRect().bottom, one.getBoundingClientRect().right,
  ])
}"""
NAMED = [
    *("seegrad", "Learn", "Explore", "Train", "Reference", "Copy link", "Light or dark colours"),
    *("Presets", "Activation", "Learning rate", "Regularisation (L2)", "More settings"),
    *("XOR", "moons", "circles", "spiral", "Noise", "Test share"),
    *("Input x₁", "Input x₂", "x₁²", "x₂²", "x₁x₂", "sin x₁", "sin x₂", "Neurons"),
    *("Remove a neuron from hidden layer 1", "Add a neuron to hidden layer 1"),
    *("Remove a neuron from hidden layer 2", "Add a neuron to hidden layer 2"),
    *("Remove the last hidden layer", "Add a hidden layer"),
    *("Reset", "Play", "One step", "Step", "Speed", "Open step 0 in Explore"),
]


def box(part: Locator) -> FloatRect:
    """Where a part of the page is."""
    found = part.bounding_box()
    assert found
    return found


def first_sight(page: Page, path: str = "/train") -> Train:
    """The page as a first visitor sees it."""
    page.goto(path)
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    return Train(page)


def test_first_sight_is_calm_and_whole(page: Page) -> None:
    train = first_sight(page)
    controls: list[tuple[str, float, float]] = page.evaluate(CONTROLS)
    assert sorted(re.sub(r"\s+", " ", name) for name, _, _ in controls) == sorted(NAMED)
    assert len(controls) <= MOST
    assert all(bottom <= 860 and right <= 1440 for _, bottom, right in controls)
    from_left_to_right(page)
    output = box(train.plot)
    pictures = [box(each) for each in page.locator("canvas:visible, svg:visible").all()]
    others = [each for each in pictures if each["width"] < 0.5 * output["width"]]
    assert len(others) > 20  # the maps of neurons among them
    assert output["width"] * output["height"] > 160_000
    assert page.evaluate("document.documentElement.scrollHeight") == 860
    pictures_follow_sliders(train)
    more_settings_are_remembered(page)


def from_left_to_right(page: Page) -> None:
    """Data, features, neurons, output."""
    parts = (".cards", ".feature >> nth=0", ".neurons .neuron >> nth=0", ".neuron.dot", "#plot")
    places = [box(page.locator(part))["x"] for part in parts]
    assert places == sorted(places)
    dot, plot = box(page.locator(".neuron.dot")), box(page.locator("#plot"))
    assert 0 <= plot["x"] - (dot["x"] + dot["width"]) < 30  # beside the last layer
    assert plot["y"] < dot["y"] < plot["y"] + plot["height"]


def pictures_follow_sliders(train: Train) -> None:
    """The data follow their sliders, and the sliders the keys."""
    page = train.page
    points = train.pixels("#points")
    noise = page.get_by_role("slider", name="Noise")
    noise.press("ArrowRight")
    page.wait_for_url("**noise=0.14**")
    expect(page.locator(".field-noise .amount")).to_have_text("0.14")
    train.is_at(0, 400)
    assert train.pixels("#points") != points
    page.get_by_role("slider", name="Test share").press("End")
    page.wait_for_url("**test_share=0.9**")
    expect(page.locator(".field-test_share .amount")).to_have_text("90 %")


def more_settings_are_remembered(page: Page) -> None:
    """One disclosure shows all else, also at the next visit."""
    more = page.get_by_label("More settings")
    hidden = [page.locator(part) for part in ("#field-batch", "#phases", "#norms", "#exports")]
    for part in hidden:
        expect(part).to_be_hidden()
    more.press("Space")
    for part in hidden:
        expect(part).to_be_visible()
    page.reload()
    for part in hidden:
        expect(part).to_be_visible()
    more.press("Space")
    page.reload()
    expect(hidden[0]).to_be_hidden()


def test_phone_shows_output_and_network_first(open_page: OpenPage) -> None:
    phone: dict[str, Any] = {"width": 390, "height": 844, "touch": True}
    page = open_page(**phone)
    train = first_sight(page)
    end = box(page.locator("#player"))["y"]
    assert box(train.plot)["width"] > 340
    for part in (train.plot, *page.locator(".neuron").all()):
        place = box(part)
        assert 0 < place["y"] < place["y"] + place["height"] <= end
        assert place["x"] + place["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    told = page.locator("#stat-loss").text_content(), page.locator("#stat-test").text_content()
    brief = page.locator("#in-brief")
    expect(brief).to_have_text(f"loss {told[0]} · test {told[1]}")
    place = box(brief)
    assert end < place["y"] < place["y"] + place["height"] <= 844


def test_nothing_is_cut_on_a_small_screen(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    first_sight(page, address(batch="10", step="3"))
    expect(page.locator("#stat-batch-box")).to_be_visible()
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.bar, .bar *, .player *, .stats *, .column label')]
          .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth
            && one.checkVisibility()
            && !one.matches('.visually-hidden, input, select, option, .presets *'))
          .map(one => one.outerHTML.slice(0, 120))"""
    )
    assert cut == []
    assert page.evaluate("document.documentElement.scrollWidth") == 1024


def test_what_is_hidden_leaves_no_hole(page: Page) -> None:
    first_sight(page, address(hide="data,network,training,mistakes"))
    assert box(page.locator("#network"))["x"] < 10
    expect(page.locator(".column")).to_be_hidden()
    expect(page.locator("#rate")).to_have_count(0)
    expect(page.locator("#train-on")).to_have_count(0)
    first_sight(page, address(hide="boundary"))
    network = box(page.locator("#network"))
    assert network["x"] + network["width"] > 1430


def test_an_offer_of_drafts_covers_nothing(page: Page) -> None:
    train = first_sight(page)
    page.get_by_role("button", name="Add a neuron to hidden layer 1").click()
    page.wait_for_url("**layers=2-7-4-1**")
    page.goto("/reference")
    first_sight(page)
    offer = box(page.get_by_role("region", name="Drafts"))
    others = (page.locator("#network"), train.plot, page.locator(".cards"), page.locator("#player"))
    for part in others:
        other = box(part)
        assert (
            offer["x"] + offer["width"] <= other["x"]
            or offer["y"] >= other["y"] + other["height"]
            or offer["y"] + offer["height"] <= other["y"]
        )


def test_each_edit_is_one_step_back_and_playing_goes_on(page: Page) -> None:
    train = first_sight(page)
    more = page.get_by_role("button", name="Add a neuron to hidden layer 1")
    for layers in ("2-7-4-1", "2-8-4-1"):
        more.click()
        page.wait_for_url(f"**layers={layers}**")
    page.get_by_role("button", name="Add a hidden layer").click()
    page.wait_for_url("**layers=2-8-4-4-1**")
    train.press("Play")
    train.is_past(3)
    for layers in ("2-8-4-1", "2-7-4-1"):
        page.go_back()
        page.wait_for_url(f"**layers={layers}**")
        expect(page.locator(".layer-size output").first).to_have_text(layers[2])
        page.wait_for_function(f"async () => {PLAYER}.playing && {PLAYER}.snapshot")
    page.go_back()
    expect(page.locator(".layer-size output").first).to_have_text("6")


def test_sizes_around_the_present_one_need_no_server(page: Page, witness: Witness) -> None:
    witness.allowed.append("ERR_INTERNET_DISCONNECTED")
    train = first_sight(page)
    more = page.get_by_role("button", name="Add a neuron to hidden layer 1")
    less = page.get_by_role("button", name="Remove a neuron from hidden layer 1")
    with page.expect_request(re.compile("/train/kernels")) as all_:
        train.press("Play")
        train.trains_here()
    assert all_.value.response()
    page.context.set_offline(True)
    try:
        expect(page.get_by_role("button", name="Add a hidden layer")).to_be_disabled()
        more.click()
        expect(page.locator(".layer-size output").first).to_have_text("7")
        expect(page.locator(".neurons .neuron")).to_have_count(7 + 4 + 1)
        train.is_past(20)
        train.press("Pause")
        shown = train.complete()
        expect(more).to_be_disabled()  # said before it is shown
        less.click()
        expect(page.locator(".neurons .neuron")).to_have_count(6 + 4 + 1)
    finally:
        page.context.set_offline(False)
    said = state_of(page.url.split("/train")[0], "layers=2-7-4-1&" + SAME, shown["step"])
    assert shown["parameters"] == said["parameters"]
    assert shown["losses"][: shown["step"]] == said["losses"]

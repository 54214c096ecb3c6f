"""Changes in mid-run on the page: from the step shown on, in the address, and undone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.train_page import PLAYER, Train

PAUSES = f"""async () => {{
  const player = {PLAYER}
  window.pauses = []
  player.watch({{onPlaying: () => queueMicrotask(() => window.pauses.push(player.playing))}})
}}"""


def change_of(page: Page) -> int:
    """The step of the only change in the address."""
    expect(page).to_have_url(re.compile(r"[?&]at=\d+:"))
    found = re.search(r"[?&]at=(\d+):", page.url)
    assert found
    return int(found[1])


def test_settings_act_from_the_step_on_while_it_plays(page: Page) -> None:
    train = Train(page).open(learning_rate="0.1", steps="2000")
    train.drag_to(1999)
    train.is_at(1999, 2000)
    before = train.complete()
    train.drag_to(0)
    train.is_at(0, 2000)
    train.press("Play")
    train.trains_here()
    page.evaluate(PAUSES)
    rate = page.get_by_role("slider", name="Learning rate")
    rate.fill("17")  # its stops begin with 0.0001, five to a power of ten
    changes = page.locator("#changes")
    expect(changes).to_contain_text("rate 0.3 from step")
    start = change_of(page)
    train.is_past(start + 5)
    expect(page.locator("#rate-now")).to_have_text("0.3")
    expect(train.field("learning_rate")).to_have_value("0.3")
    assert False not in page.evaluate("window.pauses")
    the_other_control_of_a_change_is_refused_beside_it(train)
    train.press("Pause")
    shown = train.complete()
    assert shown["losses"][:start] == before["losses"][:start]
    assert shown["losses"][start + 2] != before["losses"][start + 2]
    said = train.state(shown["step"])
    assert shown["parameters"] == said["parameters"]
    assert shown["losses"][: shown["step"]] == said["losses"]
    ticks = page.locator(".slider-ticks i").all()
    shares = [tick.evaluate("tick => tick.style.getPropertyValue('--at')") for tick in ticks]
    assert [round(float(share) * 2000) for share in shares] == [start]
    the_form_shows_what_is_in_force(train, start)
    page.get_by_role("link", name="restart with it").click()
    page.wait_for_url(re.compile(r"[?&]learning_rate=0\.3"))
    assert "at=" not in page.url
    train.is_past(3)
    train.press("Pause")
    page.go_back()
    page.wait_for_url("**at=**")
    train.is_at(start, 2000)
    page.reload()
    train.ready().is_at(start, 2000)
    expect(train.field("learning_rate")).to_have_value("0.3")
    assert "learning_rate=0.1&" in train.query()


def the_other_control_of_a_change_is_refused_beside_it(train: Train) -> None:
    """A batch that is too large; the run plays on as it was."""
    train.field("batch").fill("99")
    expect(train.error("batch")).to_contain_text("batch is 99")
    train.field("batch").fill("all")
    expect(train.error("batch")).to_be_hidden()
    assert train.shown()["playing"]


def the_form_shows_what_is_in_force(train: Train, start: int) -> None:
    """At each step; the run still begins with its own rate."""
    train.drag_to(start - 1)
    train.is_at(start - 1, 2000)
    expect(train.field("learning_rate")).to_have_value("0.1")
    train.drag_to(start)
    train.is_at(start, 2000)
    expect(train.field("learning_rate")).to_have_value("0.3")


def test_a_setting_that_began_the_run_anew_can_be_changed_in_mid_run_instead(page: Page) -> None:
    train = Train(page).open(learning_rate="0.1", steps="60", step="20")
    before = train.complete()
    train.field("learning_rate").fill("0.5")
    train.is_at(0, 60)
    page.get_by_role("link", name="from step 20 on instead").click()
    changes = page.locator("#changes")
    expect(changes).to_contain_text("rate 0.5 from step 20 on")
    train.ready().is_at(20, 60)
    assert train.complete()["parameters"] == before["parameters"]
    train.drag_to(60)
    train.is_at(60, 60)
    after = train.complete()
    assert after["losses"][:60] == train.state(60)["losses"]

    page.locator("#train-on").click()
    train.is_at(90, 90)
    expect(changes).to_contain_text("train on to 90 from step 60 on")
    assert train.complete()["losses"][:60] == after["losses"][:60]
    page.get_by_role("button", name="Remove: rate 0.5").click()
    expect(changes).not_to_contain_text("rate 0.5")
    expect(train.where).to_have_text("step 90 of 90")

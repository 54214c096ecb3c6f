"""Changes in mid-run on the page: from the step shown on, in the address, and undone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.train_page import Train


def test_settings_change_from_the_step_shown_on(page: Page) -> None:
    train = Train(page).open(learning_rate="0.1", steps="60")
    train.drag_to(60)
    train.is_at(60, 60)
    before = train.complete()
    train.drag_to(20)
    train.is_at(20, 60)
    page.locator("#change-open").click()
    dialog = page.get_by_role("dialog", name="Change settings from step 20 on")
    dialog.get_by_label("Learning rate").fill("0.5")
    dialog.get_by_label("Batch").fill("99")
    dialog.get_by_role("button", name="Change and train on").click()
    expect(dialog.get_by_role("alert")).to_contain_text("From step 20 on: batch is 99")
    dialog.get_by_label("Batch").fill("7")
    dialog.get_by_role("button", name="Change and train on").click()
    expect(dialog).to_be_hidden()
    train.is_at(60, 60)
    expect(page).to_have_url(re.compile("at=20:learning_rate=0.5,batch=7"))
    expect(page.locator("#changes")).to_contain_text("rate 0.5, batch 7 from step 20 on")
    expect(page.locator("#rate-now")).to_have_text("0.5")
    after = train.complete()
    assert after["losses"][:20] == before["losses"][:20]
    assert after["losses"][21:] != before["losses"][21:]
    said = train.state(60)
    assert after["losses"][:60] == said["losses"]
    assert after["parameters"] == said["parameters"]

    page.locator("#train-on").click()
    train.is_at(90, 90)
    expect(train.where).to_have_text("step 90 of 90")
    expect(page.locator("#changes")).to_contain_text("train on to 90 from step 60 on")
    ticks = page.locator(".slider-ticks i").all()
    shares = [tick.evaluate("tick => tick.style.getPropertyValue('--at')") for tick in ticks]
    assert [round(float(share) * 90) for share in shares] == [20, 60]
    assert train.complete()["losses"][:60] == after["losses"][:60]

    page.get_by_role("button", name="Remove: rate 0.5").click()
    expect(page.locator("#changes")).not_to_contain_text("rate 0.5")
    expect(train.where).to_have_text("step 90 of 90")


def test_a_setting_that_began_the_run_anew_can_be_changed_in_mid_run_instead(page: Page) -> None:
    train = Train(page).open(learning_rate="0.1", steps="60", step="20")
    before = train.complete()
    train.field("learning_rate").fill("0.5")
    train.is_at(0, 60)
    page.get_by_role("link", name="from step 20 on instead").click()
    expect(page.locator("#changes")).to_contain_text("rate 0.5 from step 20 on")
    train.is_at(20, 60)
    assert train.complete()["parameters"] == before["parameters"]

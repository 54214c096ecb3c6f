"""The race: boards at one step with the server's numbers, in a column on a phone."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from engine.numbers import brief, percent
from tests.browser.conftest import Axe, OpenPage

RACE = (
    "/train/race?data=circles&samples=60&test_share=0.2&layers=2-5-1&activation=tanh"
    "&output_activation=tanh&loss=mse&l2=0&learning_rate=0.2&schedule=constant&steps=40&seed=3"
    "&run=&run=optimizer%3Dadam&run=at%3D20:learning_rate%3D0.05,batch%3D7,40:steps%3D50"
)
STATES = """async () => {
  const {race} = await import(document.querySelector('script[src*="train/race"]').src);
  return race.boards.map(({run, snapshot}) => ({
    query: run.query, step: snapshot.step, loss: snapshot.loss, known: run.losses.known,
    losses: [...run.losses.losses.slice(0, snapshot.step)], parameters: [...snapshot.parameters],
  }))
}"""


def boards(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(STATES)
    return found


def test_all_runs_play_from_one_start(open_page: OpenPage, axe: Axe) -> None:
    page = open_page()
    asked: list[str] = []
    page.goto(RACE)
    expect(page.locator("html[data-ready]")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#reset").click()
    expect(page.locator("#where")).to_have_text("step 0 of 50")
    starts = boards(page)
    assert [board["step"] for board in starts] == [0, 0, 0]
    assert starts[0]["parameters"] == starts[1]["parameters"] == starts[2]["parameters"]
    page.locator("#play").click()
    expect(page.locator("#where")).to_have_text("step 50 of 50")
    expect(page.locator("#leader")).to_contain_text("At step 50")
    assert not [url for url in asked if "/state" in url or "/stream" in url]
    for board, steps in zip(boards(page), (40, 40, 50), strict=True):
        assert board["step"] == steps
        told = page.evaluate(
            "path => fetch(path).then(answer => answer.json())",
            f"/train/state?{board['query']}&step={steps}&losses=1",
        )
        assert board["losses"] == told["losses"]
        assert board["parameters"] == told["parameters"]
    assert told["train_loss"] != told["loss"]  # of the last run, by batches
    expect(page.locator("#board-2 [data-loss]")).to_have_text(brief(told["train_loss"]))
    expect(page.locator("#board-2 [data-train]")).to_have_text(percent(told["train_accuracy"]))
    expect(page).to_have_url(re.compile("&step=50$"))
    assert axe(page) == []
    page.locator("#board-1 a[data-open]").click()
    expect(page.locator("#where")).to_have_text("step 40 of 40")
    expect(page.locator("#field-optimizer")).to_have_value("adam")


def test_boards_stand_in_a_column_on_a_phone_and_pins_race(open_page: OpenPage) -> None:
    page = open_page(width=390, height=844, touch=True)
    page.goto(RACE)
    expect(page.locator("html[data-ready]")).to_be_visible()
    lefts = page.locator(".board").evaluate_all(
        "all => all.map(x => x.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.goto("/train?data=circles&steps=60&pin=data%3Dcircles%26steps%3D60%26optimizer%3Dadam")
    link = page.locator("#race-open")
    expect(link).to_have_attribute("title", "The run and its pins side by side")
    page.locator(".fold-label").click()
    link.click()
    expect(page.locator(".board h2")).to_have_text(["unchanged", "adam, rate 1"])

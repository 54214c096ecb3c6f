"""A run goes on after its server was killed and started again: no step is missing, none twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.train_page import OwnServer, Train, address, state_of
from tests.browser.witness import Witness


@pytest.fixture
def own(tmp_path: Path) -> Iterator[OwnServer]:
    """A server that the test may kill."""
    server = OwnServer(tmp_path / "output.txt")
    server.start()
    yield server
    server.kill()


def opened(page: Page, own: OwnServer, speed: str = "1,30") -> Train:
    """A long run on the server of the test's own."""
    train = Train(page).go(own.address + address(steps="2000"))
    train.speed(speed)
    return train


def test_pages_go_on_after_the_server_was_killed(
    own: OwnServer, open_page: OpenPage, witness: Witness
) -> None:
    """One that the server trains, one that waits for a step, and one that trains by itself."""
    witness.allowed += [
        "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY|net::ERR_"
    ]
    playing, waiting, local = (open_page(new=True) for _ in range(3))
    playing.add_init_script("delete globalThis.WebAssembly")  # the server has to train
    waits = opened(waiting, own)
    waits.drag_to(10)
    waits.is_at(10, 2000)
    trains = opened(local, own)
    shown = plays_until_it_trains_by_itself(trains)
    plays = opened(playing, own, "1,10")
    plays.press("Play")
    plays.is_past(3)
    own.kill()
    waits.drag_to(50)
    expect(plays.notice).to_contain_text("Trying again")
    stood = plays.shown()
    assert stood["playing"]
    assert stood["step"] > 3
    shown += plays_scrubs_and_takes_other_numbers(trains)
    waits_for_what_needs_another_kernel(trains)
    expect(waits.notice).to_contain_text("The server does not respond.")
    own.start()
    plays_on_without_a_gap(plays, stood["step"], own)
    missing_steps_are_requested(waits, own)
    takes_what_it_waited_for(trains)
    for run, state in shown:
        said = state_of(own.address, run, state["step"])
        assert state["parameters"] == said["parameters"]
        assert state["losses"][: state["step"]] == said["losses"]


def plays_on_without_a_gap(train: Train, step: int, own: OwnServer) -> None:
    """The stream goes on where it broke, with the server's numbers."""
    train.is_past(step + 3)
    expect(train.notice).to_be_hidden()
    train.press("Pause")
    after = train.complete()
    said = train.state(after["step"], own.address)
    for name in ("parameters", "gradient", "loss", "test_loss", "predictions"):
        assert after[name] == said[name], name
    for name in ("losses", "test_losses", "accuracies"):
        assert after[name][: after["step"]] == said[name], name


def missing_steps_are_requested(train: Train, own: OwnServer) -> None:
    """Of a page that asked for a step in vain."""
    train.drag_to(60)
    train.is_at(60, 2000)
    expect(train.notice).to_be_hidden()
    assert train.complete()["losses"][:60] == train.state(60, own.address)["losses"]


Shown = list[tuple[str, dict[str, Any]]]  # a run, as in an address, and a state of it


def plays_until_it_trains_by_itself(train: Train) -> Shown:
    """Which needs no server from there on."""
    train.press("Play")
    train.trains_here()
    train.press("Pause")
    return [(train.query(), train.complete())]


def plays_scrubs_and_takes_other_numbers(train: Train) -> Shown:
    """A run that was begun needs no server."""
    page, first = train.page, train.query()
    train.drag_to(40)
    train.is_at(40, 2000)
    there = train.complete()
    train.drag_to(4)
    train.is_at(4, 2000)
    early = train.complete()
    train.field("learning_rate").fill("0.05")
    train.is_at(0, 2000)
    train.field("steps").fill("120")
    train.is_at(0, 120)
    train.speed("fast")
    train.press("Play")
    train.is_at(120, 120)
    expect(train.field("learning_rate")).to_have_value("0.05")
    page.locator("#train-on").click()
    train.is_at(180, 180)
    revised, query = train.complete(), train.query()
    assert "learning_rate=0.05" in query
    expect(page.locator("#doctor-list")).to_contain_text("No diagnosis of this step yet")
    expect(train.notice).to_be_hidden()
    return [(first, there), (first, early), (query, revised)]


def waits_for_what_needs_another_kernel(train: Train) -> None:
    """It says so, and shows what there is."""
    train.field("learning_rate").fill("0.1")
    expect(train.notice).to_contain_text("This setting needs the server")
    train.field("layers").fill("2-4-1")
    expect(train.notice).to_contain_text("These settings need the server")
    train.is_at(180, 180)


def takes_what_it_waited_for(train: Train) -> None:
    """By itself."""
    train.page.wait_for_url("**layers=2-4-1**")
    expect(train.notice).to_be_hidden()
    train.is_at(0, 120)

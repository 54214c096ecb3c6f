"""A run goes on after its server was killed and started again: no step is missing, none twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

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


@pytest.fixture
def train(own: OwnServer, open_page: OpenPage, witness: Witness) -> Train:
    """A long run at a moderate pace, on the server of the test's own."""
    witness.allowed.append("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY")
    witness.allowed.append("net::ERR_")
    page = open_page(new=True)
    train = Train(page).go(own.address + address(steps="2000"))
    train.speed("1,30")
    return train


def test_resumes_after_the_server_was_killed(own: OwnServer, train: Train) -> None:
    train.page.add_init_script("delete globalThis.WebAssembly")  # the server has to train
    train.page.reload()
    train.ready().speed("1,30")
    train.press("Play")
    train.is_past(20)
    own.kill()
    expect(train.notice).to_contain_text("Trying again")
    shown = train.shown()
    assert shown["playing"]
    assert shown["step"] >= 20
    own.start()
    train.is_past(shown["step"] + 20)
    expect(train.notice).to_be_hidden()
    train.press("Pause")
    after = train.complete()
    said = train.state(after["step"], own.address)
    for name in ("parameters", "gradient", "loss", "test_loss", "predictions"):
        assert after[name] == said[name], name
    for name in ("losses", "test_losses", "accuracies"):
        assert after[name][: after["step"]] == said[name], name


def test_missing_steps_are_requested_when_the_server_is_back(own: OwnServer, train: Train) -> None:
    train.drag_to(10)
    train.is_at(10, 2000)
    own.kill()
    train.drag_to(50)
    expect(train.notice).to_contain_text("The server does not respond.")
    own.start()
    train.drag_to(60)
    train.is_at(60, 2000)
    expect(train.notice).to_be_hidden()
    assert train.complete()["losses"][:60] == train.state(60, own.address)["losses"]


def test_a_run_that_was_begun_needs_no_server(own: OwnServer, train: Train) -> None:
    """It plays, scrubs, and takes other numbers; what needs another kernel waits by itself."""
    page = train.page
    train.press("Play")
    expect(page.locator("#local")).to_have_attribute("aria-pressed", "true")
    own.kill()
    train.is_past(40)
    train.press("Pause")
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
    page.locator("#change-open").click()
    expect(page.locator("#change-fields [name=learning_rate]")).to_have_value("0.05")
    page.keyboard.press("Escape")
    page.locator("#train-on").click()
    train.is_at(180, 180)
    revised, query = train.complete(), train.query()
    expect(train.notice).to_be_hidden()
    train.field("learning_rate").fill("0.1")
    expect(train.notice).to_contain_text("This setting needs the server")
    train.field("layers").fill("2-4-1")
    expect(train.notice).to_contain_text("These settings need the server")
    train.is_at(180, 180)
    own.start()
    page.wait_for_url("**layers=2-4-1**")
    expect(train.notice).to_be_hidden()
    train.is_at(0, 120)
    assert "learning_rate=0.05" in query
    first = address(steps="2000").partition("?")[2]
    for shown, run in ((there, first), (early, first), (revised, query)):
        said = state_of(own.address, run, shown["step"])
        assert shown["parameters"] == said["parameters"]
        assert shown["losses"][: shown["step"]] == said["losses"]

"""This browser goes on with the generated WebAssembly, with the very bits of the server."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.train_page import PLAYER, Train, address
from tests.support.each import for_each

RUNS: dict[str, dict[str, Any]] = {
    "batches with dropout": {
        "batch": "7",
        "dropout": "0.3",
        "optimizer": "adam",
        "learning_rate": "0.01",
        "l2": "0.001",
    },
    "three classes": {
        "data": "three_spirals",
        "layers": "2-8-3",
        "output_activation": "linear",
        "loss": "cross_entropy",
    },
    "one input": {"data": "sine", "layers": "1-6-1", "test_share": "0"},
    "three inputs": {"data": "four_points", "layers": "3-4-1", "test_share": "0"},
}
FORBIDDEN = "WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError('no'))"
KEPT = f"async () => [...{PLAYER}.snapshots.kept.keys()]"
STATE = (
    "step",
    "loss",
    "test_loss",
    "accuracy",
    "parameters",
    "gradient",
    "predictions",
    "curve",
    "activations",
)
LOGS = ("losses", "test_losses", "accuracies", "penalties")
DECODE = "text => text && [...atob(text)].map(letter => letter.charCodeAt(0))"


def is_as_on_the_server(train: Train) -> None:
    """The same bits in everything that is shown, and in the losses of all steps."""
    shown = train.complete()
    said = train.state(shown["step"])
    for name in STATE:
        assert shown[name] == said[name], name
    for name in ("grid", "maps"):
        assert shown[name] == train.page.evaluate(DECODE, said[name]), name
    for name in LOGS:
        assert (shown[name] or [])[: shown["step"]] == said.get(name, []), name
    updates = [row["updates"] for row in said["norms"]]
    assert shown["updates"] == (pytest.approx(updates, rel=1e-12) if shown["step"] else updates)


@for_each("changes", RUNS.values(), ids=RUNS)
def test_same_bits(page: Page, changes: dict[str, Any]) -> None:
    """From step 20 on, which the server has sent, up to the last and back."""
    train = Train(page).open(**{"steps": "60", "step": "20", **changes})
    train.complete()
    train.take_over()
    train.speed("fast")
    train.press("Play")
    train.is_at(60, 60)
    is_as_on_the_server(train)
    train.drag_to(33)
    train.is_at(33, 60)
    is_as_on_the_server(train)


def test_no_state_is_requested(page: Page) -> None:
    train = Train(page).open()
    train.take_over()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    train.speed("fast")
    train.press("Play")
    train.is_at(300)
    assert not [url for url in asked if "/state" in url or "/stream" in url]


def test_playback_goes_over_to_the_browser_without_a_seam(page: Page) -> None:
    """Of every step, the losses are the server's; and of those shown, the parameters."""
    train = Train(page).open()
    with page.expect_request("**/train/stream?*") as asked:
        train.press("Play")
    train.trains_here()
    assert "form=lean" in asked.value.url
    train.is_past(int(page.locator("#stat-step").text_content() or 0) + 20)
    train.press("Pause")
    is_as_on_the_server(train)
    steps = page.evaluate(KEPT)
    assert len(steps) > 5  # of those drawn
    for step in (steps[0], steps[len(steps) // 2]):
        train.drag_to(step)
        train.is_at(step)
        is_as_on_the_server(train)


@pytest.mark.parametrize("lacking", ["delete globalThis.WebAssembly", FORBIDDEN])
def test_server_trains_where_webassembly_is_missing_or_forbidden(
    open_page: OpenPage, lacking: str
) -> None:
    page = open_page(new=True)
    page.add_init_script(lacking)
    train = Train(page).open(steps="30")
    train.press("Play")
    train.is_at(30, 30)
    train.trains_here(here=False)
    expect(train.notice).to_be_hidden()
    is_as_on_the_server(train)


def test_changes_in_mid_run_pass_from_kernel_to_kernel(page: Page) -> None:
    """Each part of the run has its own; a weight set by hand ends one as well."""
    changes = "at=20:learning_rate=0.1,batch=7,60:optimizer=adam&set=0:0.5&at=40"
    train = Train(page).go(f"{address(steps=80)}&{changes}")
    train.take_over()
    train.speed("fast")
    train.press("Play")
    train.is_at(80, 80)
    is_as_on_the_server(train)
    train.drag_to(30)
    train.is_at(30, 80)
    is_as_on_the_server(train)

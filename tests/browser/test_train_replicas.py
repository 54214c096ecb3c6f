"""A page plays on while the replicas behind its proxy are killed, one after the other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from benchmarks.replicas import HOST, Cluster, Replica
from scripts.find_nginx import advice, find
from tests.browser.conftest import OpenPage
from tests.browser.train_page import Train, address
from tests.browser.witness import Witness


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Two replicas behind nginx; a missing nginx fails the test."""
    if find() is None:
        pytest.fail(advice(), pytrace=False)
    found = Cluster.in_folder(tmp_path)
    try:
        found.start()
        yield found
    finally:
        found.stop()


def test_plays_on_while_its_replica_is_killed(
    cluster: Cluster, open_page: OpenPage, witness: Witness
) -> None:
    witness.allowed.append("net::ERR_(INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)")
    server = f"http://{HOST}:{cluster.proxy.port}"
    page = open_page(new=True)
    page.add_init_script("delete globalThis.WebAssembly")  # the replicas have to train
    train = Train(page).go(server + address(steps="2000"))
    train.speed("1,10")
    train.press("Play")
    first, second = cluster.replicas  # whichever of them serves the page's stream
    train.is_past(3)
    _plays_on_without(first, train)
    first.start()
    _plays_on_without(second, train)
    expect(train.notice).to_be_hidden()
    train.press("Pause")
    after = train.complete()
    said = train.state(after["step"], server)
    for name in ("parameters", "gradient", "loss", "test_loss", "predictions"):
        assert after[name] == said[name], name
    for name in ("losses", "test_losses", "accuracies"):
        assert after[name][: after["step"]] == said[name], name


def _plays_on_without(replica: Replica, train: Train) -> None:
    """The page does not stop, whether the replica served it or not."""
    replica.kill()
    train.is_past(train.shown()["step"] + 5)
    assert train.shown()["playing"]

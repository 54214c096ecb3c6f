"""Two replicas behind nginx, each file's own. A missing nginx fails the tests: none is skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.replicas import Cluster
from scripts.find_nginx import advice, find

WAIT_SECONDS = "60"
"""A loaded machine makes requests wait; it must not make the replicas refuse them."""


@pytest.fixture(scope="session")
def nginx() -> None:
    """There is one; or how to come by it."""
    if find() is None:
        pytest.fail(advice(), pytrace=False)


@pytest.fixture(scope="module")
def _cluster(nginx: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    cluster = Cluster.in_folder(folder, SEEGRAD_WAIT_SECONDS=WAIT_SECONDS)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def cluster(_cluster: Cluster) -> Cluster:
    """nginx and two replicas, both alive, whatever the test before did to them."""
    _cluster.revive()
    return _cluster

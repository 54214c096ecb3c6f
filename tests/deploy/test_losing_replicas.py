"""Replicas are killed and started again while visitors watch and ask: nothing is lost."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchmarks.losing import KILLS, STREAMS, Watcher, all_go_on, asking, kills, undisturbed
from benchmarks.replicas import Cluster
from tests.app.serving.test_hostile_wire import children


def test_streams_move_between_replicas_that_are_killed(cluster: Cluster) -> None:
    watchers, asked, there = kills(cluster)
    assert there == STREAMS, "some were over before the last kill"
    expected = undisturbed()
    for watcher in watchers:
        assert watcher.wrong == []
        assert watcher.done
        assert watcher.losses == expected
        assert watcher.lost >= KILLS / 2
        assert not watcher.refused
    assert set(asked.answers) <= {"right", "again"}
    assert asked.answers["again"] < asked.answers["right"] / 10


def test_a_rolling_restart_is_not_noticed(cluster: Cluster) -> None:
    hurry = threading.Event()
    watcher = Watcher(cluster.proxy.port, hurry)
    watcher.start()
    with asking(cluster) as asked:
        for replica in cluster.replicas:
            all_go_on([watcher])
            assert replica.stop() == 0
            all_go_on([watcher])
            replica.start()
        hurry.set()
        watcher.join(120)
    assert set(asked.answers) <= {"right", "again"}
    assert asked.answers["again"] < asked.answers["right"] / 10
    assert watcher.done
    assert watcher.losses == undisturbed()
    assert watcher.lost >= 1
    assert not watcher.refused


FREEZE = """import operator
a = [1]; b = [1]
for i in range(60):
    a = [a, a]; b = [b, b]
print(operator.countOf([a], b))"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_ended_a_replica_does_not_reach_the_next(
    method: str, nginx: None, tmp_path: Path
) -> None:
    two = Cluster.in_folder(tmp_path, SEEGRAD_SILENT_SECONDS="5", SEEGRAD_WAIT_SECONDS="60")
    try:
        two.start()
        before = serving(two)
        assert len(before) == 2
        form = urlencode({"program": FREEZE})
        if method == "GET":
            assert two.ask(f"/graph?{form}").status == 502
        else:
            head = {"content-type": "application/x-www-form-urlencoded"}
            assert two.ask("/graph", "POST", head, form.encode()).status == 502
        end = time.monotonic() + 120
        while len(before & serving(two)) > 1:
            assert time.monotonic() < end, "no replica was ended"
            time.sleep(0.1)
        time.sleep(6)  # longer than a frozen one lives
        assert len(before & serving(two)) == 1
        for one in range(4):
            assert two.ask(f"/graph?program=a+%3D+{one}.0").status == 200
    finally:
        two.stop()


def serving(cluster: Cluster) -> set[int]:
    """The processes that serve; one that is replaced is missing until the other has started."""
    parents = [one.process.pid for one in cluster.replicas if one.process]
    return set().union(*map(children, parents))

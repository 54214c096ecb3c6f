"""Replicas are killed and started again while visitors watch and ask: nothing is lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchmarks.losing import Watcher, all_go_on, asking, kills, undisturbed
from benchmarks.replicas import Cluster
from tests.app.serving.test_hostile_wire import children

STREAMS, KILLS = 3, 3
PAUSE = 0.05
"""Seconds between the requests of each client: they are to be there, not to load the machine."""


def test_streams_move_between_replicas_that_are_killed(cluster: Cluster) -> None:
    watchers, asked, there = kills(cluster, STREAMS, KILLS, PAUSE)
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
    with asking(cluster, PAUSE) as asked:
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


PATIENCE = 120.0  # seconds
ENDLESS = "while True: pass"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_what_ended_a_replica_does_not_reach_the_next(nginx: None, tmp_path: Path) -> None:
    two = Cluster.in_folder(tmp_path, SEEGRAD_SECONDS="60", SEEGRAD_WAIT_SECONDS="60")
    form = urlencode({"program": ENDLESS})
    head = {"content-type": "application/x-www-form-urlencoded"}
    try:
        two.start()
        for asked in ((f"/graph?{form}",), ("/graph", "POST", head, form.encode())):
            before = both(two)
            with ThreadPoolExecutor() as pool:
                answer = pool.submit(two.ask, *asked)
                time.sleep(3)  # by then it is too late to pass it on
                (busy,) = before - idle(before)
                os.kill(busy, signal.SIGKILL)
                assert answer.result(PATIENCE).status == 502
            assert idle(before - {busy}) == before - {busy}, "the other replica has the request"
            for one in range(4):
                assert two.ask(f"/graph?program=a+%3D+{one}.0").status == 200
    finally:
        two.stop()


def idle(processes: set[int]) -> set[int]:
    """The one process of these that computes nothing for two seconds, while any other does.

    The machine decides how long another needs to compute for most of a second.
    """
    until = time.monotonic() + PATIENCE
    before = {one: computed(one) for one in processes}
    while True:
        time.sleep(2)
        taken = {one: computed(one) - before[one] for one in processes}
        most = max(taken.values())
        found = {one for one in processes if taken[one] < max(0.2, most / 4)}
        if len(found) == 1 and all(taken[one] > 0.8 for one in processes - found):
            return found
        if most > 0.8:
            before = {one: before[one] + taken[one] for one in processes}
        assert time.monotonic() < until, "all of them compute, or none does"


def computed(process: int) -> float:
    """The seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def both(cluster: Cluster) -> set[int]:
    """The processes that serve, once one that was ended is replaced."""
    parents = [one.process.pid for one in cluster.replicas if one.process]
    until = time.monotonic() + PATIENCE
    while len(found := set().union(*map(children, parents))) < 2:
        assert time.monotonic() < until, "no other process takes its place"
        time.sleep(0.05)
    return found

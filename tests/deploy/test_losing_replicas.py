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
        posted = ("/graph", "POST", head, form.encode())  # never passed on
        for late, asked in ((3, (f"/graph?{form}",)), (0, posted)):
            before = both(two)
            with ThreadPoolExecutor() as pool:
                until = time.monotonic() + late  # by then it is too late to pass it on
                answer = pool.submit(two.ask, *asked)
                (busy,) = before - idle(before, 0.5)
                time.sleep(max(0.0, until - time.monotonic()))
                os.kill(busy, signal.SIGKILL)
                assert answer.result(PATIENCE).status == 502
            assert idle(before - {busy}) == before - {busy}, "the other replica has the request"
            for one in range(4):
                assert two.ask(f"/graph?program=a+%3D+{one}.0").status == 200
    finally:
        two.stop()


def idle(processes: set[int], seconds: float = 2.0) -> set[int]:
    """The one process of these that computes nothing for so long, while any other does.

    The machine decides how long another needs to compute for half of the time.
    """
    until = time.monotonic() + PATIENCE
    before, enough = {one: computed(one) for one in processes}, 0.4 * seconds
    while True:
        time.sleep(seconds)
        taken = {one: computed(one) - before[one] for one in processes}
        most = max(taken.values())
        found = {one for one in processes if taken[one] < max(seconds / 10, most / 4)}
        if len(found) == 1 and all(taken[one] > enough for one in processes - found):
            return found
        if most > enough:
            before = {one: before[one] + taken[one] for one in processes}
        assert time.monotonic() < until, "all of them compute, or none does"


def computed(process: int) -> float:
    """The seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def both(cluster: Cluster) -> set[int]:
    """The processes that serve, once one that was ended is replaced, and computes nothing more."""
    parents = [one.process.pid for one in cluster.replicas if one.process]
    until = time.monotonic() + PATIENCE
    while len(found := set().union(*map(children, parents))) < 2:
        assert time.monotonic() < until, "no other process takes its place"
        time.sleep(0.05)
    for one in cluster.replicas:
        one.wait()
    return found

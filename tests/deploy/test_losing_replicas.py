"""Replicas are killed and started again while visitors watch and ask: nothing is lost."""

from __future__ import annotations

import threading

from benchmarks.losing import KILLS, STREAMS, Watcher, all_go_on, asking, kills, undisturbed
from benchmarks.replicas import Cluster


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
    assert set(asked.answers) == {"right"}


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
    assert set(asked.answers) == {"right"}
    assert watcher.done
    assert watcher.losses == undisturbed()
    assert watcher.lost >= 1
    assert not watcher.refused

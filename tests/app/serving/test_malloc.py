"""The memory that the server holds after many requests."""

from __future__ import annotations

import platform
from itertools import chain, islice
from pathlib import Path

import pytest

from app.serving import malloc
from benchmarks.load import _run
from benchmarks.load.crowd import ROOM
from benchmarks.load.machine import descriptors
from benchmarks.load.machine import memory as held
from benchmarks.load.mix import all_hostile, mixed
from benchmarks.load.soak import FIRST, GROWTH, _send
from benchmarks.serving import running

THEN = 2_000


def test_limit_of_arenas_is_passed_to_the_c_library() -> None:
    assert malloc.settle() is (platform.libc_ver()[0] == "glibc")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_nothing_is_left_behind_by_requests_of_all_kinds() -> None:
    """The first requests, every hostile program among them, fill the caches; then it is level."""
    order = mixed()
    hostile = list(all_hostile())
    with running(ROOM) as server:
        first = chain(islice(order, FIRST - len(hostile)), hostile)
        assert not _run(_send(server, first))
        before = held(server.process), descriptors(server.process)
        assert not _run(_send(server, islice(order, THEN)))
        after = held(server.process), descriptors(server.process)
    assert before[0] is not None
    assert after[0] is not None
    assert after[0] - before[0] <= GROWTH.most
    assert after[1] == before[1]

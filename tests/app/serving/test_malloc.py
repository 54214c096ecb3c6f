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
from benchmarks.load.soak import _send
from benchmarks.serving import running

FIRST, THEN = 250, 400
SMALL = {
    **ROOM,
    "SEEGRAD_SECONDS": "0.3",
    "SEEGRAD_ANSWERS_KEPT": "1048576",
    "SEEGRAD_TRAIN_KEPT": "4",
    "SEEGRAD_WAIT_SECONDS": "60",
}
"""Caches that are soon full, and programs that soon end; a loaded machine refuses none."""
GROWTH = 6.0
"""MiB that fragmentation takes; requests that leave their traces behind, 20 KiB each, take 8."""


def test_limit_of_arenas_is_passed_to_the_c_library() -> None:
    assert malloc.settle() is (platform.libc_ver()[0] == "glibc")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_nothing_is_left_behind_by_requests_of_all_kinds() -> None:
    """The first requests, every hostile program among them, fill the caches; then it is level."""
    order = mixed()
    hostile = all_hostile()
    with running(SMALL) as server:
        assert not _run(_send(server, chain(islice(order, FIRST), hostile)))
        before = held(server.process), descriptors(server.process)
        assert not _run(_send(server, islice(order, THEN)))
        after = held(server.process), descriptors(server.process)
    assert before[0] is not None
    assert after[0] is not None
    assert after[0] - before[0] <= GROWTH
    assert after[1] == before[1]

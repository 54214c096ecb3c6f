"""How the tests are shared out among processes, and in which order each runs them."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname
from typing import Any

from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser"
WAITING = {BROWSER, "tests/deploy", "tests/firefox"}
"""Folders whose tests wait for other programs for a part of their time."""

JUDGED_TWICE = {BROWSER, "tests/deploy", "tests/firefox"}

SECONDS = {
    "tests/browser/test_lesson_walk.py": 47,
    "tests/engine/verdict/test_fixes.py": 45,
    "tests/deploy/test_losing_replicas.py": 40,
    "tests/firefox/test_firefox.py": 35,
    "tests/engine/runs/test_sweep_cluster.py": 30,
    "tests/browser/test_train_settings.py": 22,
    "tests/app/learn/test_building.py": 22,
    "tests/browser/test_nothing_lost.py": 20,
    "tests/app/serving/test_malloc.py": 20,
    "tests/app/serving/test_silence.py": 20,
    "tests/engine/programs/test_corpus.py": 20,
    "tests/project/test_package.py": 20,
    "tests/app/serving/test_headers.py": 18,
    "tests/engine/trials/test_class_test.py": 18,
    "tests/engine/verdict/test_judge.py": 17,
    "tests/browser/test_train_everyone.py": 16,
    "tests/browser/test_axe.py": 16,
    "tests/project/test_benchmarks_load.py": 15,
    "tests/browser/test_typing.py": 14,
    "tests/browser/test_train_wire.py": 14,
    "tests/browser/test_train_network.py": 14,
    "tests/browser/test_lesson_dock.py": 14,
    "tests/app/serving/test_shutdown.py": 14,
    "tests/app/serving/test_hostile_wire.py": 14,
    "tests/app/api/test_openapi.py": 13,
    "tests/engine/doctor/test_over_seeds.py": 13,
    "tests/engine/kernel/test_agreement.py": 13,
    "tests/browser/test_editor.py": 12,
    "tests/app/learn/test_lessons.py": 12,
    "tests/app/learn/test_truth.py": 10,
    "tests/engine/by_hand/test_programs.py": 10,
    "tests/engine/export/test_exports.py": 10,
    "tests/engine/live/test_live_trace.py": 10,
    "tests/engine/sandbox/test_hostile.py": 10,
    "tests/seegrad/notebook/test_run.py": 10,
    "tests/app/train/test_open.py": 9,
    "tests/engine/sandbox/test_attacks.py": 9,
    "tests/app/test_cli.py": 8,
    "tests/engine/programs/test_stops.py": 8,
}
"""The files that keep a process busy for long, roughly; the order of the others hardly matters."""

BEGINNINGS = ("browser", "computing", "train")
"""The kind of tests with which a process begins, by its number modulo three."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Schedules whole files, so that a file's fixtures are computed once.

    A process that waits for a browser or a server leaves its core idle for a part of the time;
    beside it, another computes. Of three processes two therefore begin with the tests that wait,
    one with those of Train: the tests of a page share a server and a Chromium that know it. Who has
    nothing left of its kind helps with the rest. Long files come first, as no process must be left
    with one at the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        return file_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        file = next_file(self.workqueue, node.gateway.id)
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)


def next_file(left: Iterable[str], process: str) -> str:
    """The next file for a process, e.g. "gw0": the first of its kind, or of those that wait as it
    does, or else the first of all."""
    own = BEGINNINGS[int(process.removeprefix("gw")) % len(BEGINNINGS)]
    files = list(left)
    of_kind = (file for file in files if kind_of(file) == own)
    alike = (file for file in files if (kind_of(file) == "computing") is (own == "computing"))
    return next(of_kind, None) or next(alike, files[0])


def kind_of(file: str) -> str:
    """One of BEGINNINGS."""
    if dirname(file) not in WAITING:
        return "computing"
    return "train" if file.startswith(f"{BROWSER}/test_train") else "browser"


def file_of(nodeid: str) -> str:
    """A test's file."""
    return nodeid.partition("::")[0]


def is_judged_twice(nodeid: str) -> bool:
    """Whether a failed test is run again: it waits for programs that the machine may delay."""
    return dirname(file_of(nodeid)) in JUDGED_TWICE


def place(nodeid: str, in_parallel: bool) -> tuple[bool, int]:
    """What to sort tests by.

    In parallel the longest files come first, those of a folder that shares a server together. In a
    single process the tests of browsers and servers come last, as the fast ones find most failures.
    """
    file = file_of(nodeid)
    if in_parallel:
        return dirname(file) != BROWSER, -SECONDS.get(file, 0)
    return dirname(file) in WAITING, 0

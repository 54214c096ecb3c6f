"""Graphviz in its box: on time, within its memory, from any thread."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

import pytest

from app.picture import graphviz_wasm, time_limit
from app.picture.dot import dot_source
from app.picture.graphviz_wasm import (
    Graphviz,
    GraphvizBusy,
    GraphvizError,
    GraphvizStarved,
    GraphvizTimeout,
)
from tests.support.pictures import SLOW, graph

SMALL = "digraph { a -> b }"


@pytest.fixture(scope="module")
def graphviz() -> Graphviz:
    return Graphviz()


@cache
def slow() -> str:
    return dot_source(graph(SLOW), "LR")


def names(answer: bytes) -> list[str]:
    return [found["name"] for found in json.loads(answer)["objects"]]


def test_layout_gives_positions(graphviz: Graphviz) -> None:
    answer = json.loads(graphviz.render(SMALL, 20))
    places = [tuple(map(float, found["pos"].split(","))) for found in answer["objects"]]
    assert places[0][1] > places[1][1]  # a lies above b


def test_invalid_dot_is_an_error(graphviz: Graphviz) -> None:
    for source in ("", "no graph", "digraph {", "digraph { a -> }"):
        with pytest.raises(GraphvizError):
            graphviz.render(source, 20)
        assert names(graphviz.render(SMALL, 20)) == ["a", "b"]


def test_engine_is_interrupted_at_the_deadline_and_works_again(graphviz: Graphviz) -> None:
    graphviz.render(SMALL, 20)
    with pytest.raises(GraphvizTimeout, match=r"0\.3 s"):
        graphviz.render(slow(), 0.3)
    assert names(graphviz.render(SMALL, 20)) == ["a", "b"]


def test_engine_without_a_processor_is_interrupted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "thread_clock", lambda: lambda: 0.0)
    starved = Graphviz()
    with pytest.raises(GraphvizStarved):
        starved.render(slow(), 0.02)
    assert names(starved.render(SMALL, 20)) == ["a", "b"]


def test_a_late_interrupt_does_not_turn_a_timeout_into_a_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nothing interrupts, Graphviz ends by its memory, long after the deadline."""
    monkeypatch.setattr(graphviz_wasm, "TICK", 3600.0)
    monkeypatch.setattr(graphviz_wasm, "_watching", graphviz_wasm._Watch())
    with pytest.raises(GraphvizTimeout, match=r"0\.01 s"):
        Graphviz().render(slow(), 0.01)


def test_memory_that_runs_out_before_the_deadline_is_no_timeout(graphviz: Graphviz) -> None:
    with pytest.raises(GraphvizError) as caught:
        graphviz.render(slow(), 600)
    assert caught.type is GraphvizError


def keep_asking(graphviz: Graphviz, other: Future[None]) -> None:
    while not other.done():
        graphviz.render(SMALL, 0.05)


def test_call_that_waits_too_long_raises_busy(graphviz: Graphviz) -> None:
    def work() -> None:
        with pytest.raises(GraphvizError):
            graphviz.render(slow(), 0.5)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(work)
        with pytest.raises(GraphvizBusy):
            keep_asking(graphviz, first)
        first.result()


def test_its_memory_is_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphviz_wasm, "MEMORY", 3 * 2**20)
    capped = Graphviz()
    for source in (slow(), " " * 2**22):
        with pytest.raises(GraphvizError) as caught:
            capped.render(source, 20)
        assert caught.type is GraphvizError
    assert names(capped.render(SMALL, 20)) == ["a", "b"]


def test_an_instance_that_grew_is_not_kept(
    graphviz: Graphviz, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphviz.render(SMALL, 20)
    kept = graphviz._instance
    graphviz.render(SMALL, 20)
    assert graphviz._instance is kept
    monkeypatch.setattr(graphviz_wasm, "KEEP_MEMORY", 0)
    graphviz.render(SMALL, 20)
    assert graphviz._instance is None


def test_each_of_many_threads_gets_its_own_answer(graphviz: Graphviz) -> None:
    def work(number: int) -> bool:
        answer = graphviz.render(f"digraph {{ a{number} -> b{number} }}", 20)
        return names(answer) == [f"a{number}", f"b{number}"]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(160)))


def test_an_interpreter_that_used_it_ends_quietly() -> None:
    code = "from app.picture.graphviz_wasm import Graphviz; Graphviz().render('digraph {}', 20)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_engine_works_without_a_writable_cache() -> None:
    code = "from app.picture.graphviz_wasm import Graphviz; Graphviz().render('digraph {}', 20)"
    environment = {"PATH": "", "HOME": "/nonexistent", "XDG_CACHE_HOME": "/dev/null/none"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert done.returncode == 0

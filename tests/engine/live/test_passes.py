"""Passes of a program that runs as ever, and the graph of each as it was."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from engine.live.passes import Passes, watched
from engine.value import Value
from tests.support.live_classes import STYLES, cell

TRAINING = """

def train(w, x, turns):
    for _ in range(turns):
        w.grad = 0.0
        loss = w * w * x
        loss.backward()
        w.data -= 0.5 * w.grad

train(Value(1.0), Value(2.0), 3)
"""


def run(text: str, wanted: int = 0) -> Passes:
    passes = Passes(wanted)
    with watched(passes):
        cell(text)
    return passes


def drawn(passes: Passes) -> dict[str, tuple[float, float | None]]:
    assert passes.taken is not None
    trace, _ = passes.taken.drawn()
    return {node.label: (node.data, node.grad) for node in trace.nodes if node.label}


def test_the_last_pass_is_taken_before_the_update() -> None:
    passes = run(STYLES["tuple"] + TRAINING)
    assert (passes.count, passes.at) == (3, 3)
    # by hand: w' = w - 0.5 · 2wx = -w, so that w is 1, -1, 1 and its gradient 4w
    assert drawn(passes) == {"w": (1.0, 4.0), "x": (2.0, 1.0), "loss": (2.0, 1.0)}


def test_another_pass_is_taken_where_it_is_asked_for() -> None:
    passes = run(STYLES["tuple"] + TRAINING, wanted=2)
    assert (passes.count, passes.at) == (3, 2)
    assert drawn(passes)["w"] == (-1.0, -4.0)


def test_a_pass_that_calls_itself_is_one() -> None:
    text = STYLES["tuple"].partition("    def backward(self)")[0] + (
        "    def backward(self, is_first=True):\n"
        "        if is_first:\n"
        "            self.grad = 1.0\n"
        "        self._backward()\n"
        "        for child in self._prev:\n"
        "            child.backward(False)\n"
        "a = Value(3.0)\n"
        "L = a * Value(2.0)\n"
        "L.backward()\n"
    )
    passes = run(text)
    assert passes.count == 1
    assert drawn(passes)["a"] == (3.0, 2.0)


def test_the_built_in_value_is_seen() -> None:
    passes = Passes()
    with watched(passes):
        a = Value(3.0)
        (a * a).backward()
    assert passes.count == 1
    assert drawn(passes)["a"] == (3.0, 6.0)
    assert a.grad == 6.0


def test_other_methods_of_that_name_are_not() -> None:
    passes = run(
        "class Car:\n    def backward(self):\n        return 'beep'\nassert Car().backward()"
    )
    assert (passes.count, passes.taken) == (0, None)
    assert "a Car does not" in passes.why


def test_what_watched_before_goes_on() -> None:
    seen: list[str] = []

    def trace(frame: Any, event: str, arg: Any) -> Any:
        seen.append(frame.f_code.co_name)

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        passes = run(STYLES["tuple"] + TRAINING)
    finally:
        sys.settrace(before)
    assert passes.count == 3
    assert "train" in seen


def test_threads_are_watched_and_nothing_stays() -> None:
    passes = Passes()
    with watched(passes):
        a = Value(3.0)
        thread = threading.Thread(target=(a * a).backward)
        thread.start()
        thread.join()
    (a * a).backward()
    assert passes.count == 1
    assert sys.getprofile() is None


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="nothing is ended there")
def test_a_profiler_is_not_ended() -> None:
    def profile(*_: Any) -> None:
        """Count nothing."""

    sys.setprofile(profile)
    try:
        passes = run(STYLES["tuple"] + TRAINING)
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)
    assert passes.count == 0
    assert "profiler" in passes.why


def test_what_cannot_be_read_does_not_stop_the_program() -> None:
    text = (
        "class Odd:\n"
        "    data, grad, _prev = 1.0, 0.0, ()\n"
        "    def __hash__(self):\n"
        "        raise RuntimeError('no')\n"
        "    def __eq__(self, other):\n"
        "        raise RuntimeError('no')\n"
        "    def backward(self):\n"
        "        self.done = True\n"
        "x = Odd()\n"
        "x.backward()\n"
        "assert x.done\n"
    )
    run(text)


def test_the_arguments_of_a_pass_are_those_that_it_was_given() -> None:
    text = STYLES["tuple"].replace("def backward(self):", "def backward(self, seed=1.0):")
    text = text.replace("self.grad = 1.0\n        for", "self.grad = seed\n        for")
    passes = run(text + "a = Value(3.0)\nL = a * a\nL.backward(0.5)\n")
    assert drawn(passes) == {"a": (3.0, 3.0), "L": (9.0, 0.5)}

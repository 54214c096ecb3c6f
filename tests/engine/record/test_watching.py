"""A training loop is run once to count its passes and once to be judged, whatever is around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.record import session
from engine.record.session import RecordingSession, Wanted
from engine.record.source import Limits, Source

CLASS = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents
        self.push = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.push = push
        return out

    def backward(self):
        self.grad = 1.0
        self.push()
"""
DEMO = "c = Value(3.0)\nd = c * Value(2.0)\nd.backward()\n"
LOOP = """
w = Value(1.0)
for turn in range(50):
    w.grad = 0.0
    L = w * Value(0.5)
    L.backward()
    w.data -= 0.01 * w.grad
"""
AFTER = "a = Value(4.0)\nb = a * Value(2.0)\nb.backward()\nb = a * Value(5.0)\nb.backward()\n"
PROGRAMS = {
    "a loop": (CLASS + LOOP, 50, 2),
    "demonstrations before": (CLASS + DEMO + DEMO + LOOP, 52, 2),
    "passes after it that share an object": (CLASS + DEMO + LOOP + AFTER, 53, 2),
    "no loop": (CLASS + DEMO, 1, 1),
}


def test_two_runs_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[bool] = []
    end: Callable[[], None] = vars(session)["end_comparing"]

    def counted() -> None:
        runs.append(True)
        end()

    monkeypatch.setattr(session, "end_comparing", counted)
    for name, (text, scenes, most) in PROGRAMS.items():
        runs.clear()
        found = RecordingSession(Source(text, Limits()), Limits(), Wanted(judged=True)).live()
        assert (name, len(found.scenes), len(runs)) == (name, scenes, most)
        assert found.witness is not None, name

"""The pace of a stream: said where it is below the asked one, with its cause."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import node
from tests.support.each import for_each

SCRIPT = Path(__file__).parent / "carried.mjs"


def words(fps: int, period: float, every: int, late: float, seconds: float = 4) -> list[str | None]:
    """The words after each of the events that arrive with a period, in milliseconds."""
    events = [[i * period, i * every, late] for i in range(int(1000 * seconds / period))]
    found: list[str | None] = json.loads(node.run(SCRIPT, text=json.dumps([fps, events])))
    return found


@for_each(
    ("fps", "period", "every", "late", "said"),
    [
        (60, 16.7, 1, 0, None),
        (60, 19, 10, 0, None),
        (60, 50, 1, 0, "The line carries 20 steps a second."),
        (60, 25, 10, 2, "The line carries 400 steps a second."),
        (10, 400, 100, 0, "The line carries 250 steps a second."),
        (60, 50, 1, 33, "The server trains 20 steps a second."),
        (60, 900, 1, 0, "The line carries 1.1 steps a second."),
    ],
)
def test_pace_below_the_asked_one_is_said_once_it_lasts(
    fps: int, period: float, every: int, late: float, said: str | None
) -> None:
    found = words(fps, period, every, late)
    assert found[0] is None
    assert found[-1] == said
    assert set(found) == {None, said}


def test_pace_that_recovers_is_said_no_longer() -> None:
    slow = [[i * 100.0, i, 0] for i in range(30)]
    quick = [[3000 + i * 16.7, 30 + i, 0] for i in range(200)]
    found = json.loads(node.run(SCRIPT, text=json.dumps([60, slow + quick])))
    assert found[29] == "The line carries 10 steps a second."
    assert found[-1] is None


def test_browser_trains_if_it_keeps_the_asked_pace_or_beats_the_line() -> None:
    """Milliseconds of a frame, the asked pace, the pace that arrives."""
    asked = [[5, 60, 60], [45, 60, 58], [60, 60, 58], [60, 60, 8], [200, 60, 8], [200, 4, 4]]
    found = json.loads(node.run(SCRIPT, text=json.dumps({"keepsUp": asked})))
    assert found == [True, True, False, True, False, True]


def test_stream_is_asked_for_the_events_that_the_page_draws() -> None:
    """At first for a few, then for more until some are missed; the steps a second stay."""

    def asked(every: Any, fps: float, *missed: int) -> list[tuple[Any, float]]:
        text = json.dumps({"speed": {"every": every, "fps": fps}, "rounds": missed})
        found = [(each["every"], each["fps"]) for each in json.loads(node.run(SCRIPT, text=text))]
        assert every == "fast" or all(e * f == pytest.approx(every * fps) for e, f in found)
        return found

    assert asked(1, 60, 0, 0, 0, 0, 0) == [(12, 5), (6, 10), (3, 20), (2, 30), (1, 60), (1, 60)]
    assert asked(1, 60, 0, 0, 0, 9, 0, 2)[3:] == [(2, 30), (3, 20), (3, 20), (3, 20)]
    assert asked(1, 60, 0, 12, 12, 12)[1:] == [(6, 10), (7, 60 / 7), (8, 7.5), (9, 60 / 9)]
    assert asked(1, 60, *[20] * 3)[-1] == (12, 5)
    assert asked(10, 30, 4, 0) == [(60, 5), (60, 5), (30, 10)]
    assert asked("fast", 60, 0) == [("fast", 5), ("fast", 10)]
    assert asked(1, 10, 0) == [(1, 10)] * 2

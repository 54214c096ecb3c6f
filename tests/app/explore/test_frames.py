"""What every frame shows, in the page and in the scripts, is what an independent oracle says."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.picture.frame_state import state
from engine.numbers import in_equation
from engine.trace import trace_json
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.support import node
from tests.support.each import for_each
from tests.support.frames import Shown, cases, expected
from tests.support.pages import get
from tests.support.places import ROOT

CASES = {case["name"]: case for case in cases()}
EACH = for_each("name", CASES)
SCRIPT = Path(__file__).with_name("frames.mjs")


def same(found: list[dict[str, Shown]], name: str) -> None:
    """The frames are those of the file; numbers may differ in their last bits."""
    wanted = CASES[name]["frames"]
    assert len(found) == len(wanted)
    for frame, cards in zip(found, wanted, strict=True):
        assert set(frame) == set(cards)
        for key, (data, grad, lit) in cards.items():
            numbers = [None if x is None else float(x) for x in frame[key][:2]]
            assert numbers == [close(data), close(grad)]
            assert frame[key][2] == lit


def close(x: float | str | None) -> Any:
    return x if x is None else pytest.approx(float(x), rel=1e-12, nan_ok=True)


@cache
def in_the_scripts() -> dict[str, list[dict[str, Shown]]]:
    """What the browser's Trace shows of every case."""
    text = "\n".join(trace_json.write(trace(case["program"])) for case in CASES.values())
    lines = node.run(SCRIPT, ROOT / "static/js/explore/trace.js", text=text).splitlines()
    return dict(zip(CASES, map(json.loads, lines), strict=True))


def in_the_page(found: Trace) -> list[dict[str, Shown]]:
    """What the page without scripts shows."""
    frames = []
    for at in range(len(found.frames)):
        now = state(found, at)
        frames.append(
            {
                key: [
                    now.data.get(key),
                    now.grads.get(key),
                    "changed" if key in now.changed else "source" if key in now.sources else "",
                ]
                for key in (one.id for one in found.nodes)
            }
        )
    return frames


def test_the_file_says_what_the_oracle_says() -> None:
    for case in CASES.values():
        assert json.loads(json.dumps(expected(case))) == case["frames"]


BY_HAND: dict[str, dict[str, float | str]] = {
    "a leaf, twice": {"v1": 1.0},
    "a leaf tensor, twice": {"v1": 2.0},
    "the square, twice": {"v1": 108.0, "v3": 24.0},
    "the square, three times": {"v1": 216.0, "v3": 36.0},
    "the square of a tensor, retained": {"v1": 72.0, "v3": 12.0},
    "the square of a plain number, twice": {"v1": 36.0, "v3": 12.0},
    "only the leaf set to zero": {"v1": 72.0, "v3": 24.0},
    "an interior pass first": {"v1": 10.0, "v3": 2.0},
    "a pass from above first": {"v1": 39.0, "v3": 1.0},
    "a tie of max": {"v1": 2.0, "v2": 2.0},
    "relu at its kink": {"v1": 1.0},
    "a division by zero": {"v1": "-inf"},
}
"""The gradients after the last frame, worked out by hand."""


@for_each("name", BY_HAND)
def test_the_file_says_what_was_worked_out_by_hand(name: str) -> None:
    last = CASES[name]["frames"][-1]
    assert {key: last[key][1] for key in BY_HAND[name]} == BY_HAND[name]


@EACH
def test_frames_of_the_page(name: str) -> None:
    same(in_the_page(trace(CASES[name]["program"])), name)


@EACH
def test_frames_of_the_scripts(name: str) -> None:
    found = in_the_scripts()[name]
    same(found, name)
    for frame in found:
        for data, grad, _, *texts, due in frame.values():
            assert due == ""
            assert texts == ["·" if x is None else in_equation(float(x)) for x in (data, grad)]


def test_the_page_carries_the_same_changes() -> None:
    program = CASES["the square, twice"]["program"]
    assert get("/", program).trace["frames"] == trace(program).to_json()["frames"]

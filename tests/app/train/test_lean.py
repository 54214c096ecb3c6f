"""Lean events: what a full event says, exact in figures, within a shade in pictures, and less."""

from __future__ import annotations

import base64
import math
import zlib
from typing import Any
from urllib.parse import urlencode

import pytest

from app.serving.compression import GzipStream
from app.train import stream as module
from app.train.lean import LETTERS, LEVELS, change
from tests.support.learning import CURVE, SPECS, Event, ask, query, refused
from tests.support.learning import events as read
from tests.support.pages import client

EXACT = (
    *("step", "loss", "accuracy", "test_loss", "test_accuracy", "learning_rate"),
    *("losses_from", "losses", "test_losses", "accuracies"),
)
SHADE = 3  # of 255: half a level and rounding


@pytest.fixture(autouse=True)
def _(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EVENTS", 10_000)


def stream(name: str, **more: object) -> list[Event]:
    """The states of a stream."""
    answer = ask("/stream", SPECS[name], every=3, **more)
    assert answer.status_code == 200, answer.text
    return [event for event in read(answer.text) if event.name == "state"]


def followed(levels: list[int], letters: str | None) -> list[int]:
    """Levels after a change, as the format says."""
    if letters is None:
        return levels
    before = levels or [0] * len(letters)
    steps = [LETTERS.index(letter.encode()) for letter in letters]
    return [(level + step) % LEVELS for level, step in zip(before, steps, strict=True)]


def shades(levels: list[int]) -> list[float]:
    """The bytes that levels stand for."""
    return [1 + (level - 1) * 254 / 62 if level else 0 for level in levels]


def agree(found: list[int], text: str | None) -> bool:
    """Whether levels are the shades of a full event; equal for nan, 0 and the limits."""
    wanted = list(base64.b64decode(text)) if text else []
    return len(found) == len(wanted) and all(
        abs(shade - byte) <= SHADE and (shade == byte or byte not in (0, 1, 128, 255))
        for shade, byte in zip(shades(found), wanted, strict=True)
    )


@pytest.mark.parametrize("name", SPECS)
def test_lean_events_say_what_full_ones_say(name: str) -> None:
    full, lean = stream(name), stream(name, form="lean", see="plot,maps")
    levels: dict[str, list[int]] = {"grid": [], "maps": []}
    assert [event.id for event in lean] == [event.id for event in full]
    for (_, _, want), (_, _, found) in zip(full, lean, strict=True):
        assert {key: found[key] for key in EXACT} == {key: want[key] for key in EXACT}
        for picture, known in levels.items():
            levels[picture] = followed(known, found.get(f"{picture}_change"))
            assert agree(levels[picture], want[picture])
        for x, y in zip(found["parameters"], want["parameters"], strict=True):
            assert x == y or math.isclose(x, y, rel_tol=0.005)


def test_a_curve_is_drawn_within_a_thousandth_of_the_plot() -> None:
    low, high = found_bounds(CURVE)[2:]
    for (_, _, want), (_, _, found) in zip(
        stream("curve"), stream("curve", form="lean", see="plot"), strict=True
    ):
        for levels, ys in zip(found["curve_levels"], want["curve"][1:], strict=True):
            for level, y in zip(levels, ys, strict=True):
                assert abs(low + level * (high - low) / 1000 - y) <= (high - low) / 1900


def found_bounds(spec: Any) -> list[float]:
    """The bounds of a run's plot."""
    bounds: list[float] = ask("/setup", spec).json()["bounds"]
    return bounds


def test_nothing_unseen_is_sent_and_numbers_that_are_read_are_exact() -> None:
    pictures = {"grid", "curve", "maps", "grid_change", "curve_levels", "maps_change"}
    for event in stream("minibatch", form="lean"):
        assert not pictures & set(event.data)
    (plot, *_), (maps, *_) = (stream("minibatch", form="lean", see=x) for x in ("plot", "maps"))
    assert pictures & set(plot.data) == {"grid_change"}
    assert pictures & set(maps.data) == {"maps_change"}
    full, lean = stream("minibatch"), stream("minibatch", form="lean", see="numbers")
    for key in ("parameters", "norms"):
        assert [event.data[key] for event in lean] == [event.data[key] for event in full]


def test_a_level_that_grows_or_falls_leaves_its_neighbours_alone() -> None:
    before, levels = bytes([63, 0, 1, 32]), bytes([0, 63, 1, 31])
    assert change(levels, before).encode() == bytes(LETTERS[i] for i in (1, 63, 0, 63))


def test_each_piece_of_a_compressed_stream_can_be_read_as_it_arrives() -> None:
    stream, reader = GzipStream(), zlib.decompressobj(wbits=31)
    for text in (b"retry: 500\n\n", b"id: 1\n\n", 40 * b"data: 1\n"):
        assert reader.decompress(stream.piece(text)) == text


def test_lean_streams_are_compressed_for_whoever_takes_gzip() -> None:
    packed = ask("/stream", SPECS["small"], form="lean")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "accept-encoding"
    assert "content-encoding" not in ask("/stream", SPECS["small"]).headers
    path = f"/train/stream?{urlencode(query(SPECS['small'], form='lean'))}"
    plain = client().get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert [event.id for event in read(plain.text)] == [event.id for event in read(packed.text)]


@pytest.mark.parametrize(("name", "value"), [("form", "thin"), ("see", "plot,moon"), ("see", ",")])
def test_what_is_unknown_is_refused(name: str, value: str) -> None:
    assert refused("/stream", **{"form": "lean", name: value})["field"] == name

"""Runs to draw, their state as pages show it, and the pixels of a PNG."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from typing import Any

from app.train.live_run import LiveRun
from app.train.state import setup, state
from engine.training.spec import TrainSpec

SVG = "{http://www.w3.org/2000/svg}"
SINE = TrainSpec(
    data="sine", samples=30, test_share=0.2, layers=(1, 5, 1), activation="tanh", loss="mse",
    optimizer="adam", learning_rate=0.05, steps=200, l2=0.0,
)  # fmt: skip
SPIRALS = TrainSpec(
    data="three_spirals", samples=60, layers=(2, 8, 3), activation="tanh", loss="cross_entropy",
    optimizer="adam", learning_rate=0.05, steps=200,
)  # fmt: skip
FOUR = TrainSpec(
    data="four_points",
    layers=(3, 2, 1),
    activation="relu",
    output_activation="linear",
    loss="sum_squares",
    learning_rate=0.01,
    steps=9,
)
WIDE = TrainSpec(samples=10, layers=(2, 40, 3, 1), steps=2)
DIVERGING = TrainSpec(
    samples=10, layers=(2, 3, 1), activation="linear", loss="mse", learning_rate=500.0,
    schedule="constant", steps=200,
)  # fmt: skip


@cache
def shown(spec: TrainSpec, step: int) -> tuple[dict[str, Any], dict[str, Any]]:
    return setup(spec), state(LiveRun(spec), step, losses=True)


Pixels = list[list[tuple[int, int, int]]]


def decoded(png: bytes) -> Pixels:
    """The pixels of a PNG as `Raster` writes it; checks every chunk."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", png[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(name + content)
        chunks[name], at = content, at + 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *how = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert how == [8, 2, 0, 0, 0]
    rows, stride = zlib.decompress(chunks[b"IDAT"]), 3 * width + 1
    assert len(rows) == height * stride
    lines = [rows[y * stride : (y + 1) * stride] for y in range(height)]
    assert all(line[0] == 0 for line in lines)
    return [[(line[x], line[x + 1], line[x + 2]) for x in range(1, stride, 3)] for line in lines]

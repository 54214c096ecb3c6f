"""The picture as PNG."""

from __future__ import annotations

import re
import struct
import zlib
from collections import Counter

import pytest

from app.picture.palette import LIGHT, rgb
from tests.support.pages import EXAMPLE, client

Pixel = tuple[int, ...]


def decoded(png: bytes) -> tuple[int, int, list[Pixel]]:
    """Width, height and RGBA pixels of a PNG of 8 bits, without interlacing."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, head = 8, b"", (0, 0, 0, 0)
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(
            kind + body
        )
        if kind == b"IHDR":
            width, height, depth, colours, *_ = struct.unpack(">IIBBBBB", body)
            head = width, height, depth, colours
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    width, height, depth, colours = head
    assert (depth, colours) == (8, 6)
    rows, before, step = zlib.decompress(packed), bytes(4 * width), 4 * width + 1
    pixels: list[Pixel] = []
    for y in range(height):
        before = _unfiltered(rows[y * step], rows[y * step + 1 : (y + 1) * step], before)
        pixels += zip(*[iter(before)] * 4, strict=True)
    return width, height, pixels


def _unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    out = bytearray(row)
    for i in range(len(row)):
        left = out[i - 4] if i >= 4 else 0
        corner = above[i - 4] if i >= 4 else 0
        guess = [0, left, above[i], (left + above[i]) // 2, _nearest(left, above[i], corner)][kind]
        out[i] = (row[i] + guess) % 256
    return bytes(out)


def _nearest(a: int, b: int, c: int) -> int:
    p = a + b - c
    return min((a, b, c), key=lambda x: abs(p - x))


def test_the_picture_in_pixels() -> None:
    query = {"program": EXAMPLE, "frame": "6"}
    answer = client().get("/export/png", params=query)
    svg = client().get("/export/svg", params=query).text
    sides = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert sides
    width, height, pixels = decoded(answer.content)
    assert (width, height) == pytest.approx([2 * float(x) for x in sides.groups()], abs=1)
    seen = Counter(pixels)
    opaque = {
        name: (*map(round, rgb(getattr(LIGHT, name))), 255) for name in ("panel", "data", "grad")
    }
    assert pixels[width // 2 + 8 * width] == opaque["panel"]
    assert seen.most_common(1)[0][0] == opaque["panel"]
    # Text is the only thing in the colour of data in a backward frame: fonts were found.
    assert seen[opaque["data"]] > 100
    assert seen[opaque["grad"]] > 100


def test_a_frame_is_another_picture() -> None:
    one, other = (
        client().get("/export/png", params={"program": EXAMPLE, "frame": frame}).content
        for frame in ("1", "6")
    )
    assert one != other


def test_too_many_pixels() -> None:
    few = client(SEEGRAD_PNG_PIXELS="10000")
    answer = few.get("/export/png", params={"program": EXAMPLE})
    assert answer.status_code == 422
    assert "the limit is 10,000" in answer.text

"""Raster images with the standard library: interpolated cells, antialiased discs and lines, PNG.

Drawing blends a colour with the pixels beneath, in proportion to their coverage.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise

from app.picture.palette import Rgb

Point = tuple[float, float]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TRUE_COLOUR = 2
_FINE = 256  # fixed-point unit of interpolation weights


class Raster:
    """Pixels, three bytes each, row by row from the top."""

    def __init__(self, width: int, height: int, colour: Rgb) -> None:
        self.width, self.height = width, height
        self._pixels = bytearray(bytes(colour) * (width * height))

    def cells(self, rows: Sequence[bytes]) -> None:
        """Fill the picture with rows of colours, interpolated bilinearly."""
        wide = [_lanes(row) for row in self._widened(rows)]
        stride = 3 * self.width
        for y, (above, below, share) in enumerate(_between(len(rows), self.height)):
            mixed = wide[above] * (_FINE - share) + wide[below] * share
            high = mixed.to_bytes(2 * stride, "little")[1::2]  # high byte of each lane: ÷ 256
            self._pixels[y * stride : (y + 1) * stride] = high

    def _widened(self, rows: Sequence[bytes]) -> list[bytes]:
        """Rows interpolated to the width of the picture."""
        pixels = _between(len(rows[0]) // 3, self.width)
        table = [
            (3 * left + i, 3 * right + i, _FINE - share, share)
            for left, right, share in pixels
            for i in range(3)
        ]
        return [bytes([(row[a] * m + row[b] * n) >> 8 for a, b, m, n in table]) for row in rows]

    def disc(self, centre: Point, radius: float, colour: Rgb) -> None:
        """A filled disc."""
        x, y = centre
        reach = radius + 1
        for row in _span(y - reach, y + reach, self.height):
            for column in _span(x - reach, x + reach, self.width):
                cover = radius + 0.5 - math.hypot(column - x, row - y)
                if cover > 0:
                    self._blend(column, row, colour, min(cover, 1.0))

    def line(self, points: Sequence[Point], width: float, colour: Rgb) -> None:
        """A polyline, with the maximum coverage where segments overlap."""
        covers: dict[tuple[int, int], float] = {}
        for a, b in pairwise(points):
            for place, cover in self._segment(a, b, width / 2):
                covers[place] = max(cover, covers.get(place, 0.0))
        for (x, y), cover in covers.items():
            self._blend(x, y, colour, cover)

    def _segment(self, a: Point, b: Point, half: float) -> list[tuple[tuple[int, int], float]]:
        """The pixels of a segment with their coverage, from 0 to 1."""
        reach = half + 1
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = dx * dx + dy * dy or 1.0
        found = []
        for y in _span(min(a[1], b[1]) - reach, max(a[1], b[1]) + reach, self.height):
            for x in _span(min(a[0], b[0]) - reach, max(a[0], b[0]) + reach, self.width):
                t = min(max(((x - a[0]) * dx + (y - a[1]) * dy) / length, 0.0), 1.0)
                cover = half + 0.5 - math.hypot(a[0] + t * dx - x, a[1] + t * dy - y)
                if cover > 0:
                    found.append(((x, y), min(cover, 1.0)))
        return found

    def _blend(self, x: int, y: int, colour: Rgb, share: float) -> None:
        at = 3 * (y * self.width + x)
        pixels = self._pixels
        if share == 1.0:
            pixels[at : at + 3] = bytes(colour)
            return
        for i, wanted in enumerate(colour, at):
            pixels[i] += round((wanted - pixels[i]) * share)

    def png(self) -> bytes:
        """The picture as a PNG file."""
        stride = 3 * self.width
        rows = (self._pixels[y * stride : (y + 1) * stride] for y in range(self.height))
        unfiltered = b"".join(b"\x00" + row for row in rows)
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, _TRUE_COLOUR, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(unfiltered, 6)), (b"IEND", b""))
        return _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _span(low: float, high: float, size: int) -> range:
    """The pixels from `low` to `high`, clamped to 0..size."""
    return range(max(0, math.ceil(low)), min(size, math.ceil(high)))


def _lanes(row: bytes) -> int:
    """A row as one integer with a 16-bit lane per byte, so that one product scales all bytes."""
    spread = bytearray(2 * len(row))
    spread[::2] = row
    return int.from_bytes(spread, "little")


def _between(cells: int, pixels: int) -> list[tuple[int, int, int]]:
    """The two nearest cells of each pixel, and the weight of the second in units of 1/_FINE."""
    found = []
    for pixel in range(pixels):
        at = min(max((pixel + 0.5) * cells / pixels - 0.5, 0.0), cells - 1.0)
        first = int(at)
        found.append((first, min(first + 1, cells - 1), int((at - first) * _FINE)))
    return found


def _chunk(name: bytes, content: bytes) -> bytes:
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)

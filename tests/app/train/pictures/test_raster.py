"""The pixels of a raster, and of the PNG it becomes."""

from __future__ import annotations

from app.train.pictures.raster import Raster
from tests.support.train_pictures import decoded


def test_raster_blends_cells_and_keeps_their_colours() -> None:
    raster = Raster(8, 4, (9, 9, 9))
    red, blue = bytes((200, 0, 0)), bytes((0, 0, 200))
    raster.cells([red + blue, red + blue])
    rows = decoded(raster.png())
    assert rows[0] == rows[3]
    assert rows[0][0] == (200, 0, 0)
    assert rows[0][7] == (0, 0, 200)
    assert [pixel[0] for pixel in rows[0]] == sorted((p[0] for p in rows[0]), reverse=True)


def test_raster_draws_within_its_edges() -> None:
    raster = Raster(20, 20, (0, 0, 0))
    raster.disc((-1, -1), 5, (255, 255, 255))
    raster.line([(-50, 10), (50, 10)], 3, (0, 255, 0))
    rows = decoded(raster.png())
    assert rows[0][0] == (255, 255, 255)
    assert rows[10][0] == rows[10][19] == (0, 255, 0)
    assert rows[15][10] == (0, 0, 0)


def test_line_is_no_darker_where_its_parts_meet() -> None:
    raster = Raster(20, 9, (0, 0, 0))
    raster.line([(2, 4), (10, 4), (17, 4)], 2.4, (100, 100, 100))
    row = decoded(raster.png())[5]
    assert len({row[x] for x in range(4, 16)}) == 1

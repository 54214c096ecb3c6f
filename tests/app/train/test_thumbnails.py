"""Thumbnails of the data sets."""

from __future__ import annotations

import re

from lxml import etree

from app.train.thumbnails import thumbnail
from engine.training.datasets import DATASETS
from tests.support.each import for_each


@for_each("name", DATASETS)
def test_thumbnail_shows_the_points_of_a_data_set(name: str) -> None:
    text = thumbnail(name)
    svg = etree.fromstring(text)
    assert svg.get("aria-hidden") == "true"
    assert "style" not in text
    for place in re.findall(r"M([\d.]+) ([\d.]+)h0", text):
        assert 0 < float(place[0]) < 48
        assert 0 < float(place[1]) < 32
    classes = DATASETS[name].classes
    if classes:
        found = {p.get("class") for p in svg}
        assert found == {f"c{i}" for i in range(classes)}

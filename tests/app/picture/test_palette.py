"""Pictures that stand alone have the colours of the style sheet."""

from __future__ import annotations

import re

import pytest

from app.picture.inline_style import RULES
from app.picture.palette import DARK, LIGHT, Palette
from tests.support.places import ROOT


@pytest.mark.parametrize(("palette", "place"), [(LIGHT, 0), (DARK, 1)], ids=["light", "dark"])
def test_palettes_are_those_of_the_style_sheet(palette: Palette, place: int) -> None:
    css = (ROOT / "static/css/app.css").read_text("utf-8")
    tokens = {
        name: found
        for name, *found in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", css)
    }
    tokens |= {"class-0": tokens["neg"], "class-1": tokens["pos"]}
    for name in Palette.__dataclass_fields__:
        if name != "classes":
            assert getattr(palette, name) == tokens[name.replace("_", "-")][place], name
    assert list(palette.classes) == [tokens[f"class-{i}"][place] for i in range(8)]


def test_pictures_have_no_colours_of_their_own() -> None:
    """Every style sheet but app.css, and every rule of pictures alone, takes a token's colour."""
    for path in (ROOT / "static/css").glob("*.css"):
        if path.name != "app.css":
            own = re.sub(r"@media print \{.*?\n\}", "", path.read_text("utf-8"), flags=re.DOTALL)
            assert not re.search(r"light-dark\(|#[0-9a-f]{6}", own), path.name
    known = set(colours(LIGHT))
    mixtures = {
        values["fill"] for group, _, values in RULES if group == "cluster" and "fill" in values
    }
    used = {values[name] for _, _, values in RULES for name in ("fill", "stroke") if name in values}
    assert used - known - mixtures == {"none"}


def colours(palette: Palette) -> list[str]:
    """Every colour of a palette."""
    return [getattr(palette, name) for name in Palette.__dataclass_fields__ if name != "classes"]

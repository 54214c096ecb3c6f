"""Files taken from others are the ones their manifest names, unchanged, with their licence."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT

FOLDERS = (ROOT / "static/vendor", ROOT / "tests/vendor")


def parts(folder: Path) -> list[dict[str, Any]]:
    """The entries of a folder's manifest."""
    entries: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return entries


PARTS = [
    pytest.param(folder, part, id=f"{folder.parent.name}-{part['name']}")
    for folder in FOLDERS
    for part in parts(folder)
]


@pytest.mark.parametrize(("folder", "part"), PARTS)
def test_file_is_the_published_one(folder: Path, part: dict[str, Any]) -> None:
    found = hashlib.sha384((folder / part["file"]).read_bytes()).digest()
    assert part["sha384"] == "sha384-" + base64.b64encode(found).decode("ascii")


@pytest.mark.parametrize(("folder", "part"), PARTS)
def test_name_tells_the_version_and_where_it_came_from(folder: Path, part: dict[str, Any]) -> None:
    assert part["version"] in part["file"]
    assert part["version"] in part["package"]
    assert part["licence"]


@pytest.mark.parametrize(("folder", "part"), PARTS)
def test_licence_text_stands_beside_it(folder: Path, part: dict[str, Any]) -> None:
    assert part["licence_files"]
    for name in part["licence_files"]:
        text = (folder / name).read_text("utf-8")
        assert "WARRANT" in text.upper()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_nothing_lies_there_unnamed(folder: Path) -> None:
    named = {"manifest.json"}
    for part in parts(folder):
        named |= {part["file"], *part["licence_files"]}
    assert {path.name for path in folder.iterdir()} == named

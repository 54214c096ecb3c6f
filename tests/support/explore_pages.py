"""Explore's page as the tests read it: its program, its frame, its nodes."""

from __future__ import annotations

from typing import Any

from tests.support.pages import Html

FRAMES = 8
"""Of EXAMPLE: the given numbers, three operations, the seed, and three operations back."""


def program_of(page: Html) -> str:
    """What stands in the editor."""
    return page.one("textarea", name="program").text


def frame_of(page: Html) -> int:
    """The frame that the picture shows."""
    return int(page.one("svg", id="picture").attributes["data-frame"])


def node(found: dict[str, Any], label: str) -> dict[str, Any]:
    """The node with this label."""
    (wanted,) = (node for node in found["nodes"] if node["label"] == label)
    assert isinstance(wanted, dict)
    return wanted

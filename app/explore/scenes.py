"""The chooser of scenes: which moment of the run is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.program_address import View
from engine.trace.traced import Trace


class SceneRow(NamedTuple):
    """An entry of the chooser; `value` is that of the address, empty for the last scene."""

    value: str
    words: str
    is_drawn: bool


@dataclass(frozen=True, slots=True)
class SceneChooser:
    """The chooser, without rows for a program with fewer than two scenes.

    `back` and `forward` lead to the scenes beside the one drawn, on pages without JavaScript.
    """

    rows: Sequence[SceneRow] = ()
    back: str | None = None
    forward: str | None = None


def chooser(shown: Trace, view: View) -> SceneChooser:
    """The chooser of the scenes of `shown`; another scene starts at its last frame."""
    if len(shown.scenes) < 2:
        return SceneChooser()
    ids = [scene.id for scene in shown.scenes]
    last = ids[-1]
    at = ids.index(shown.scene) if shown.scene in ids else len(ids) - 1

    def href(to: int) -> str | None:
        if not 0 <= to < len(ids):
            return None
        wanted = None if ids[to] == last else ids[to]
        return f"/?{replace(view, scene=wanted, frame=None).query()}"

    rows = []
    for i, scene in enumerate(shown.scenes):
        value = "" if scene.id == last else str(scene.id)
        rows.append(SceneRow(value, f"Scene {scene.id} · {scene.title}", i == at))
    return SceneChooser(rows, href(at - 1), href(at + 1))

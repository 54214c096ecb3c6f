"""The stages of the reader's engine: each is a file of `stages/`, one entry with all that it needs.

    front (TOML)  title, lesson, asks, starter, right, hints, said, and the checks with their slips
    text          what is to be written, in Markdown

The checks of a stage compare the reader's text with the right one of that stage, which is the right
pieces up to it. From `backward` on, the class is also tested on the hidden programs of *Test my
class*.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.learn.blocks import Keys
from app.learn.building.pieces import definitions, with_piece, without_marks
from app.learn.checks import Check, ForeseenSlip
from app.learn.lesson import LessonError
from app.learn.lesson_file import FRONT

FOLDER = Path(__file__).parent / "stages"
ORDER = (
    *("value", "operations", "gradients", "backward", "powers", "functions"),
    *("network", "loss", "loop"),
)
"""The slugs of the stages, in the order of the course."""
WHOLE = "backward"
"""From this stage on, a class has a pass of its own, and can be tested as one."""
KEYS = Keys(
    ("title", "lesson", "asks", "right", "hints", "said", "check"),
    ("starter", "leaves"),
    {
        "check": Keys(
            ("about", "lines", "shows"), ("slip",), {"slip": Keys(("got", "says"), ("at",))}
        )
    },
)


class BuildingStage(NamedTuple):
    """One stage; `right` is its piece, and `engine` the right text with all pieces up to it.

    `asks` is what is to be written, in a few words; `names` are the definitions of the piece.
    """

    slug: str
    number: int
    title: str
    lesson: str
    asks: str
    text: str
    starter: str
    right: str
    engine: str
    hints: Sequence[str]
    said: str
    checks: Sequence[Check]

    @property
    def is_whole(self) -> bool:
        """Whether the class can run its own pass from here on."""
        return ORDER.index(self.slug) >= ORDER.index(WHOLE)

    @property
    def has_gradients(self) -> bool:
        """Whether its checks run rules of gradients."""
        return ORDER.index(self.slug) >= ORDER.index(WHOLE) - 1

    @property
    def names(self) -> frozenset[str]:
        """The definitions of its piece."""
        return frozenset(definitions(self.right)) - {"Value"} or frozenset({"Value"})


def _read(slug: str, number: int, before: str) -> BuildingStage:
    text = (FOLDER / f"{slug}.md").read_text("utf-8")
    front = FRONT.match(text)
    if front is None:
        raise LessonError(f"{slug}: the file has to begin with +++, TOML and +++.")
    table = tomllib.loads(front[1])
    KEYS.check(f"{slug}.md", "a stage", table)
    right = table["right"].strip("\n")
    leaves = table.get("leaves", "")
    return BuildingStage(
        slug,
        number,
        table["title"],
        table["lesson"],
        table["asks"],
        text[front.end() :],
        table.get("starter", "").strip("\n"),
        right,
        _replaced(before, right),
        table["hints"],
        table["said"],
        [_check(row, leaves) for row in table["check"]],
    )


def _replaced(before: str, right: str) -> str:
    return without_marks(with_piece(before, right, is_ours=True))


def _check(row: Mapping[str, Any], leaves: str) -> Check:
    """A check with its leaves, as far as it names them."""
    body, shows = row["lines"].strip("\n"), row["shows"]
    named = set(re.findall(r"\b[a-z]\b", "\n".join([body, *shows])))
    made = [f"{name} = Value({name.upper()})" for name in leaves if name in named]
    slips = [ForeseenSlip(it["got"], it["says"], it.get("at", 0)) for it in row.get("slip", [])]
    return Check(row["about"], "\n".join([*made, *filter(None, [body])]), shows, slips)


def _all() -> Mapping[str, BuildingStage]:
    found: dict[str, BuildingStage] = {}
    engine = ""
    for number, slug in enumerate(ORDER, 1):
        found[slug] = _read(slug, number, engine)
        engine = found[slug].engine
    return found


STAGES = _all()
"""Every stage by its slug, in the order of the course."""
ENGINE = STAGES[ORDER[-1]].engine
"""Our own engine: all right pieces."""

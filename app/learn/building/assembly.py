"""The reader's engine as a whole: the reader's pieces, and ours for those that are missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from app.learn.building.pieces import definitions, marked, with_piece
from app.learn.building.stage import ORDER, STAGES, BuildingStage
from app.learn.checks import checked


class AssembledEngine(NamedTuple):
    """An engine that is whole as far as it was asked for.

    `yours` and `ours` are the slugs of the stages whose pieces are the reader's, and Seegrad's.
    """

    text: str
    yours: tuple[str, ...]
    ours: tuple[str, ...]


def assembled(text: str, stages: Iterable[str] = ORDER) -> AssembledEngine:
    """A text with our pieces, marked as such, for those of some stages that are missing or wrong.

    A text that is no Python stays as it is.
    """
    wanted = [STAGES[slug] for slug in ORDER if slug in set(stages)]
    for stage in wanted:
        if not _has(text, stage):
            text = with_piece(text, stage.right, is_ours=True)
    ours = [stage.slug for stage in wanted if is_ours(text, stage)]
    yours = [stage.slug for stage in wanted if stage.slug not in ours]
    return AssembledEngine(text, tuple(yours), tuple(ours))


def _has(text: str, stage: BuildingStage) -> bool:
    """Whether a text has a piece that does what it should."""
    if not stage.names & definitions(text).keys():
        return False
    return checked(text, stage.engine, stage.checks).is_right


def is_ours(text: str, stage: BuildingStage) -> bool:
    """Whether the piece of a stage is Seegrad's: each definition that only this stage changes."""
    of_stage: Collection[str] = {name for name in stage.names if _last(name) == stage.slug}
    known, ours = definitions(text), marked(text)
    leaves = {name for name in of_stage or stage.names if name in known and not _is_class(name)}
    return bool(leaves) and leaves <= ours


def _is_class(name: str) -> bool:
    return "." not in name and name[:1].isupper()


def _last(name: str) -> str:
    """The last stage whose piece has a definition of this name."""
    return next(slug for slug in reversed(ORDER) if name in STAGES[slug].names)


def started(stage: BuildingStage, text: str) -> str:
    """The text that a reader begins a stage with: all pieces before, and the frame of this one."""
    before = ORDER[: ORDER.index(stage.slug)]
    found = assembled(text, before).text
    return with_piece(found, stage.starter, is_ours=False) if stage.starter else found


def left_to_us(stage: BuildingStage, text: str) -> str:
    """The text with our piece for a stage, in place of the reader's, and all pieces before."""
    return with_piece(started(stage, text), stage.right, is_ours=True)

"""The course: its parts with their lessons, in order.

A lesson is a file of `lessons/`, named by its slug. To add one, write the file and put its slug
where it belongs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from app.caches import cached
from app.learn.lesson import Lesson
from app.learn.lesson_file import read

FOLDER = Path(__file__).parent / "lessons"


class CoursePart(NamedTuple):
    """A part of the course: its title and the slugs of its lessons."""

    title: str
    slugs: tuple[str, ...]


PARTS = (
    CoursePart("Slopes and graphs", ("nudge", "value", "local-rules")),
    CoursePart("The backward pass", ("chain-rule", "accumulate", "order", "own-value")),
    CoursePart("One neuron", ("neuron", "tanh", "check")),
    CoursePart(
        "A network learns",
        (
            *("mlp", "training-loop", "zeroing", "learning-rate", "rebuilt"),
            *("bends", "batches", "overfitting", "softmax"),
        ),
    ),
    CoursePart("Arrays and PyTorch", ("tensors", "matrices", "scores", "batch-norm", "pytorch")),
    CoursePart("Further on", ("memory", "forward-mode", "second", "origins")),
)
FORMER = {"graph": "value"}
"""Slugs of lessons that are part of another one now."""


@cached("lessons")
def lessons() -> Mapping[str, Lesson]:
    """Every lesson by its slug, in the order of the course."""
    paths = [FOLDER / f"{slug}.md" for part in PARTS for slug in part.slugs]
    return {path.stem: read(path.stem, path.read_text("utf-8")) for path in paths}


def number_of(slug: str) -> int:
    """The place of a lesson in the course, from 1."""
    return list(lessons()).index(slug) + 1


def parts() -> Iterator[tuple[CoursePart, list[tuple[int, Lesson]]]]:
    """Each part with its numbered lessons."""
    found = lessons()
    for part in PARTS:
        yield part, [(number_of(slug), found[slug]) for slug in part.slugs]


def part_of(slug: str) -> tuple[int, CoursePart]:
    """The part that a lesson belongs to, with its place, from 1."""
    return next((k, part) for k, part in enumerate(PARTS, 1) if slug in part.slugs)


def next_after(slug: str) -> Lesson | None:
    """The lesson that follows; None after the last."""
    order = list(lessons().values())
    return next(iter(order[number_of(slug) :]), None)

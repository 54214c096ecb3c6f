"""A run of an exercise: what became of its questions so far, as a signed token of the page's form.

The token travels with every answer, so the server keeps nothing, and neither tries nor hints can be
taken out of it. It holds no answers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.exercise.signing import Key
from engine.exercise.exercise import Exercise
from engine.exercise.hints import GRADES
from engine.exercise.judging import RIGHT, WRONG, Judgement, judge
from engine.exercise.known import Known, known
from engine.exercise.score import OPEN, SHOWN, ExerciseScore, Mark, score

VERSION = 1
LONGEST = 20_000  # characters of a token


@dataclass(frozen=True, slots=True)
class ExerciseRun:
    """The marks of all questions in order, and the one that is asked; times in seconds since 1970.

    `seen` are stamps of the last wrong answers: the same answer sent again is no further try.
    """

    digest: str
    started: int
    marks: tuple[Mark, ...]
    seen: tuple[str, ...]
    current: int = 0
    ended: int = 0

    def answered(self, exercise: Exercise) -> list[str]:
        """The keys of the questions that are answered or shown."""
        pairs = zip(exercise.questions, self.marks, strict=True)
        return [question.key for question, mark in pairs if mark.outcome != OPEN]

    def known(self, exercise: Exercise) -> Known:
        """The numbers known by now."""
        return known(exercise, self.answered(exercise))

    def score(self, exercise: Exercise) -> ExerciseScore:
        """The score so far."""
        return score(exercise, self.marks)

    def is_open(self, place: int) -> bool:
        """Whether a question has neither been answered nor shown."""
        return 0 <= place < len(self.marks) and self.marks[place].outcome == OPEN

    @property
    def is_done(self) -> bool:
        """Whether no question is open."""
        return all(mark.outcome != OPEN for mark in self.marks)

    # As text

    def token(self, key: Key) -> str:
        """The signed text of this run."""
        marks = [[*mark, seen] for mark, seen in zip(self.marks, self.seen, strict=True)]
        parts = [VERSION, self.digest, self.started, self.ended, self.current, marks]
        return key.sealed(json.dumps(parts, separators=(",", ":")).encode())


def begun(digest: str, questions: int, now: int) -> ExerciseRun:
    """A run that begins."""
    return ExerciseRun(digest, now, (Mark(),) * questions, ("",) * questions)


def read_run(token: str, key: Key, digest: str, questions: int) -> ExerciseRun | None:
    """The run of a token; None if it is not genuine, or of another exercise."""
    text = key.opened(token) if len(token) <= LONGEST else None
    parts = json.loads(text) if text is not None else []
    if len(parts) != 6 or parts[0] != VERSION or parts[1] != digest or len(parts[5]) != questions:
        return None
    _, _, started, ended, current, marks = parts
    return ExerciseRun(
        digest,
        started,
        tuple(Mark(*mark[:3]) for mark in marks),
        tuple(mark[3] for mark in marks),
        current,
        ended,
    )


# What happens in a run


def checked(
    run: ExerciseRun, exercise: Exercise, typed: Mapping[int, str], now: int
) -> tuple[ExerciseRun, dict[int, Judgement]]:
    """The run after answers to open questions, by place, and how each was judged.

    In the order of the pass an answer counts for the question that is asked alone.
    """
    found: dict[int, Judgement] = {}
    for place in sorted(typed):
        is_asked = exercise.task.any_order or place == run.current
        if not run.is_open(place) or not is_asked:
            continue
        question = exercise.questions[place]
        judgement = judge(exercise, question, typed[place], run.known(exercise))
        found[place] = judgement
        if judgement.outcome == RIGHT:
            run = _marked(run, place, outcome=RIGHT)
        elif judgement.outcome == WRONG and run.seen[place] != _stamp(typed[place]):
            run = _marked(run, place, wrong=run.marks[place].wrong + 1)
            seen = (*run.seen[:place], _stamp(typed[place]), *run.seen[place + 1 :])
            run = replace(run, seen=seen)
    missed = [place for place, judgement in found.items() if judgement.outcome != RIGHT]
    if missed:
        run = replace(run, current=run.current if run.current in missed else missed[0])
    return _moved_on(run, now), found


def judged_before(
    run: ExerciseRun, exercise: Exercise, typed: Mapping[int, str]
) -> dict[int, Judgement]:
    """What was said of the texts that stand in open fields since they were judged wrong."""
    now = run.known(exercise)
    return {
        place: judge(exercise, exercise.questions[place], text, now)
        for place, text in typed.items()
        if run.is_open(place) and run.seen[place] == _stamp(text)
    }


def hinted(run: ExerciseRun) -> ExerciseRun:
    """The run with one more hint on the question that is asked."""
    if not run.is_open(run.current):
        return run
    return _marked(run, run.current, hints=min(run.marks[run.current].hints + 1, GRADES))


def shown(run: ExerciseRun, now: int) -> ExerciseRun:
    """The run with the answer to the question that is asked."""
    if not run.is_open(run.current):
        return run
    return _moved_on(_marked(run, run.current, outcome=SHOWN), now)


def gone_to(run: ExerciseRun, place: int, exercise: Exercise) -> ExerciseRun:
    """The run with another question asked, where the order is free."""
    if not exercise.task.any_order or not run.is_open(place):
        return run
    return replace(run, current=place)


def _marked(run: ExerciseRun, place: int, **changes: object) -> ExerciseRun:
    mark = run.marks[place]._replace(**changes)  # type: ignore[arg-type]
    return replace(run, marks=(*run.marks[:place], mark, *run.marks[place + 1 :]))


def _moved_on(run: ExerciseRun, now: int) -> ExerciseRun:
    """The run at the next open question, after the present one if that is answered."""
    count = len(run.marks)
    ahead = [(run.current + step) % count for step in range(count)]
    place = next((place for place in ahead if run.is_open(place)), run.current)
    ended = run.ended or (now if run.is_done else 0)
    return replace(run, current=place, ended=ended)


def _stamp(text: str) -> str:
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()[:6]

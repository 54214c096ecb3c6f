"""Judging an answer: right within the tolerance, or wrong, with the likely thought behind it."""

from __future__ import annotations

from typing import NamedTuple

from engine.numbers import DIGITS, short

from .answer_text import AnswerError, read_answer
from .exercise import Exercise, Question
from .known import Known
from .number_slips import number_slip
from .thoughts import thoughts

RIGHT, WRONG, UNREAD = "right", "wrong", "unread"
_EXACT = 1e-9  # for an answer of 0, to which no relative tolerance applies
_HALF_DIGIT = 0.5 * 10**-DIGITS
_MOST_ROUNDING = 0.15
_RECOGNISED = 0.002
"""Relative distance within which a wrong number is taken for a known one."""


class Judgement(NamedTuple):
    """What an answer is; `number` is None if it could not be read, which is no try."""

    outcome: str
    number: float | None = None
    says: str = ""
    kind: str = ""
    """The kind of mistake; "" if none was recognised in the rule that the question asks for."""


def judge(exercise: Exercise, question: Question, text: str, known: Known) -> Judgement:
    """The judgement of a typed answer to a question."""
    try:
        number = read_answer(text, exercise, known)
    except AnswerError as error:
        return Judgement(UNREAD, says=str(error))
    near = abs(number - question.answer) <= _rounding(exercise, question)
    if near or is_right(number, question.answer, exercise.task.tolerance):
        return Judgement(RIGHT, number)
    for thought in thoughts(exercise, question, known):
        recognised = min(_RECOGNISED, exercise.task.tolerance)
        if is_right(number, thought.number, recognised):
            return Judgement(WRONG, number, thought.says, thought.kind)
    return Judgement(WRONG, number, number_slip(number, question.answer))


def _rounding(exercise: Exercise, question: Question) -> float:
    """The error of a gradient computed from numbers as they are shown, with four decimals.

    It matters where contributions nearly cancel. At most a part of the answer, so that 0 is not it.
    """
    found = 0.0
    for contribution in question.contributions:
        user = exercise.nodes[contribution.user]
        used = [contribution.upstream, user.data, *(exercise.nodes[arg].data for arg in user.args)]
        if any(round(x, DIGITS) != x for x in used):
            found += _HALF_DIGIT * (abs(contribution.partial) + abs(contribution.upstream))
    return min(found, _MOST_ROUNDING * abs(question.answer))


def is_right(number: float, answer: float, tolerance: float) -> bool:
    """Whether a number is the answer: within the relative tolerance, or rounded as on the page."""
    if abs(number - answer) <= max(tolerance * abs(answer), _EXACT):
        return True
    return short(number) == short(answer)

"""Wrong answers get a reply that names the slip: those that readers gave, and expected ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from app.exercise.address import of_generated
from app.exercise.subjects import Subjects
from app.learn import course
from app.learn.lesson import LessonQuestion
from app.learn.numbers import Expression
from app.learn.page import Course, FormAnswers
from app.learn.questions import UNFORESEEN, as_list
from app.learn.subjects import GraphNumbers
from app.settings import from_environment
from engine.exercise.exercise import Exercise, Question
from engine.exercise.generator import LEVELS
from engine.exercise.judging import WRONG, judge
from engine.exercise.known import known
from engine.trace.traced import Trace
from tests.support.each import for_each

MADE = Course(from_environment({}))
BAR = 0.9
GIVEN = {
    ("nudge", 5): "0.06 3.01 -0.14",
    ("value", 4): "4",
    ("accumulate", 7): "3 9",
    ("order", 2): "14 13",
    ("order", 7): "11",
    ("neuron", 7): "0",
    ("training-loop", 6): "2.06",
    ("zeroing", 6): "9",
    ("rebuilt", 1): "4",
    ("check", 7): "12.6",
    ("overfitting", 4): "60",
}
"""Wrong answers that readers gave in the first field of a step, by lesson and step."""


class AskedNumber(NamedTuple):
    """A field of a question of a lesson, whose other fields are right."""

    slug: str
    step: int
    question: LessonQuestion
    place: int

    @property
    def numbers(self) -> list[float]:
        found = MADE.numbers(course.lessons()[self.slug], self.step)
        return [found.value(text) for text in as_list(self.question.table["answer"])]

    def reply(self, typed: float) -> str:
        """What is said of a wrong number; "" if it is right."""
        given = [repr(x) for x in self.numbers]
        given[self.place] = repr(typed)
        answers = FormAnswers(given, 0)
        reply = MADE.reply(self.slug, self.step, self.question.index, "check", answers)
        return "" if reply.outcome == "right" else str(reply.says)


def fields() -> Iterator[AskedNumber]:
    for slug, lesson in course.lessons().items():
        for step, found in enumerate(lesson.steps, 1):
            for question in found.questions:
                if question.kind == "number":
                    for place in range(len(as_list(question.table["answer"]))):
                        yield AskedNumber(slug, step, question, place)


def slipped(due: float) -> list[float]:
    """The number with a slip that has nothing to do with what is asked for."""
    if isinstance(due, int):
        return [due - 1, due + 1, 2 * due]
    return [0.0, 1.0, -due, 10 * due, due / 10, 2 * due, due / 2, 1.03 * due]


def around(trace: Trace, node: str) -> list[float]:
    """The data and gradients of a Value, its inputs, what uses it, and the inputs there."""
    nodes = {it.id: it for it in trace.nodes}
    users = [it for it in trace.nodes if node in it.args]
    beside = [nodes[arg] for user in users for arg in user.args]
    found = [nodes[node], *(nodes[arg] for arg in nodes[node].args), *users, *beside]
    return [x for it in found if it.label for x in (it.data, it.grad) if x is not None]


def expected(field: AskedNumber) -> list[float]:
    """Wrong numbers that a reader may well type, computed without the engine's slips."""
    due = field.numbers[field.place]
    found = [*slipped(due), *field.numbers]
    expression = Expression.read(as_list(field.question.table["answer"])[field.place])
    shown = MADE.states.shown(
        lesson := course.lessons()[field.slug], lesson.steps[field.step - 1].state
    )
    label = expression.value_label
    if expression.state is None and label and isinstance(shown.subject, GraphNumbers):
        found += around(shown.subject.trace, shown.subject.node(label))
    return [*{round(x, 6): x for x in found if math.isfinite(x)}.values()]


def test_nine_of_ten_wrong_answers_to_lessons_are_told_their_slip() -> None:
    replies = [text for field in fields() for x in expected(field) if (text := field.reply(x))]
    told = sum(UNFORESEEN not in text for text in replies)
    assert len(replies) > 500
    assert told / len(replies) > BAR, told / len(replies)


@for_each("at", GIVEN)
def test_what_readers_answered_is_told_its_slip(at: tuple[str, int]) -> None:
    field = next(it for it in fields() if (it.slug, it.step) == at)
    for text in GIVEN[at].split():
        reply = field.reply(float(text))
        assert reply, text
        assert UNFORESEEN not in reply, text


def test_nine_of_ten_wrong_answers_to_exercises_are_told_their_slip() -> None:
    subjects = Subjects(from_environment({}))
    told, unknown = 0, []
    for difficulty in LEVELS:
        for seed in range(6):
            asked = of_generated(difficulty, seed)
            found = subjects.exercise(asked)
            for place, question in enumerate(found.questions):
                for x in {*slipped(question.answer), *around(found.trace, question.node)}:
                    reply = judged(found, place, question, x)
                    if reply is not None:
                        told += bool(reply)
                        unknown += [] if reply else [(difficulty, seed, question.key, x)]
    assert told > 1_000
    assert told / (told + len(unknown)) > BAR, unknown[:40]


def judged(found: Exercise, place: int, question: Question, x: float) -> str | None:
    """What is said of a wrong number, with all questions before answered; None if it is right."""
    answered = [it.key for it in found.questions[:place]]
    judgement = judge(found, question, repr(x), known(found, answered))
    return judgement.says if judgement.outcome == WRONG else None


def test_hidden_numbers_are_in_no_reply() -> None:
    field = next(it for it in fields() if it.slug == "chain-rule" and it.step == 7)
    for x in expected(field):
        assert "−2" not in field.reply(x)  # a.grad, which a later field asks for

"""The pages of the course: its map, and a lesson with its numbers, addresses and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from app.caches import cached
from app.learn import course
from app.learn.building.stage import STAGES
from app.learn.drawings import drawn
from app.learn.hints import HINTS
from app.learn.lesson import (
    ExerciseLink,
    Lesson,
    LessonChallenge,
    LessonDrawing,
    LessonError,
    LessonPiece,
    LessonStep,
    Part,
    Prose,
)
from app.learn.numbers import Expression, NumberError, Subject
from app.learn.questions import KINDS, Reply, plain
from app.learn.states import ShownState, States
from app.learn.subjects import GraphNumbers
from app.learn.text import inline, number_markup, rendered
from app.program_address import View
from app.settings import Settings
from engine.exercise.number_slips import number_slip

NOTHING = Markup()
LESSON = "#"
"""What begins the name of another lesson, whose number stands in its place."""


@dataclass(frozen=True, slots=True)
class LessonQuestionView:
    """A question as the page shows it; `fields` depend on its kind."""

    step: int
    index: int
    kind: str
    ask: Markup
    fields: Mapping[str, Any]
    hints: int


@dataclass(frozen=True, slots=True)
class LessonChallengeView:
    """A challenge as the page shows it."""

    step: int
    index: int
    ask: Markup


class StepPiece(NamedTuple):
    """A piece of a step: text with its drawings, a question, a challenge, a piece of the engine, or
    a link to an exercise."""

    kind: str
    body: Any


class LinkView(NamedTuple):
    """A link with its words."""

    href: str
    words: str


@dataclass(frozen=True, slots=True)
class StepView:
    """A step as the page shows it."""

    number: int
    title: Markup
    href: str
    shown: ShownState
    pieces: Sequence[StepPiece]


@dataclass(frozen=True, slots=True)
class LessonView:
    """A lesson as the page shows it."""

    lesson: Lesson
    number: int
    count: int
    part: course.CoursePart
    part_number: int
    before: Sequence[tuple[int, Lesson]]
    steps: Sequence[StepView]
    carry: Markup
    next: Lesson | None


@dataclass(frozen=True, slots=True)
class LessonReplyView:
    """The answer of the server to an answer, a plea for a hint, or for the solution."""

    step: int
    index: int
    outcome: str = ""
    says: Markup = NOTHING
    hints: Sequence[tuple[str, Markup]] = ()
    solution: Markup = NOTHING
    answers: Sequence[str] = ()


class StepNumbers:
    """The numbers that the text of one step may name."""

    def __init__(self, states: States, lesson: Lesson, shown: ShownState) -> None:
        self._states, self._lesson, self._shown = states, lesson, shown

    def value(self, text: str) -> float:
        """The number of an expression. Raises LessonError."""
        return self._read(text)[1]

    def graph(self, program: str) -> GraphNumbers:
        """The graph of a reader's program. Raises ProgramError."""
        return self._states.of_program(program)

    def slip(self, text: str, typed: float) -> str:
        """What likely made a wrong number out of that of an expression; "" if nothing is known."""
        expression, due = self._read(text)
        subject = self._subject(expression)
        found = ""
        if isinstance(subject, GraphNumbers):
            found = subject.slip(expression.value_label, expression.slot, typed)
        return plain(found) or number_slip(typed, due)

    def written(self, text: str) -> str:
        """A number as the text shows it, without markup. Raises LessonError."""
        expression, value = self._read(text)
        return expression.written(value)

    def markup(self, text: str) -> Markup:
        """A number as the text shows it, or that of another lesson. Raises LessonError."""
        if text.startswith(LESSON):
            return _place(text.removeprefix(LESSON))
        expression, value = self._read(text)
        label = expression.value_label
        node = self.labels.get(label) if label and expression.state is None else None
        return number_markup(expression.written(value), value, node, expression.slot)

    @property
    def labels(self) -> Mapping[str, str]:
        """The ids of the Values of the step's picture by name."""
        subject = self._shown.subject
        return subject.labels if isinstance(subject, GraphNumbers) else {}

    def _read(self, text: str) -> tuple[Expression, float]:
        slug = self._lesson.slug
        try:
            expression = Expression.read(text)
            return expression, expression.of(self._subject(expression))
        except (NumberError, IndexError, ArithmeticError) as error:
            raise LessonError(f"{slug}: [[{text}]]: {error}") from None

    def _subject(self, expression: Expression) -> Subject:
        """What an expression's numbers are read from. Raises NumberError."""
        shown = self._shown
        if expression.state is not None:
            if expression.state not in self._lesson.others:
                raise NumberError(f"There is no state {expression.state!r}.")
            other = self._lesson.others[expression.state]
            shown = self._states.shown(self._lesson, other)
        return shown.subject or NoNumbers()

    def prose(self, text: str) -> Markup:
        """A text of the lesson as HTML."""
        return rendered(text, self.markup, self.labels)


def _place(slug: str) -> Markup:
    if slug not in course.lessons():
        raise LessonError(f"[[{LESSON}{slug}]]: there is no such lesson.")
    return Markup('<a href="/learn/{}">{}</a>').format(slug, course.number_of(slug))


class NoNumbers:
    """The numbers of a page that is neither Explore nor Train: none."""

    def number(self, name: str, arguments: tuple[float, ...] | None) -> float:
        raise NumberError(f"The state has no number {name!r}.")

    def of_value(self, label: str, slot: str, frame: int | None) -> float:
        raise NumberError(f"The state has no Value {label!r}.")


class Course:
    """Makes the pages of the course; each lesson is computed once."""

    def __init__(self, settings: Settings) -> None:
        self.states = States(settings)
        self.lesson = cached("views of lessons")(self._lesson)

    def _lesson(self, slug: str) -> LessonView:
        lesson = course.lessons()[slug]
        place, part = course.part_of(slug)
        steps = [self._step(lesson, k, step) for k, step in enumerate(lesson.steps, 1)]
        before = [(course.number_of(other), course.lessons()[other]) for other in lesson.after]
        last = self.numbers(lesson, len(steps))
        return LessonView(
            lesson,
            course.number_of(slug),
            len(course.lessons()),
            part,
            place,
            before,
            steps,
            inline(lesson.carry, last.markup, {}),
            course.next_after(slug),
        )

    def numbers(self, lesson: Lesson, step: int) -> StepNumbers:
        """The numbers of a step, counted from 1."""
        return StepNumbers(
            self.states, lesson, self.states.shown(lesson, lesson.steps[step - 1].state)
        )

    def _step(self, lesson: Lesson, number: int, step: LessonStep) -> StepView:
        shown = self.states.shown(lesson, step.state)
        numbers = StepNumbers(self.states, lesson, shown)
        pieces = [_piece(lesson, number, part, numbers) for part in step.parts]
        title = inline(step.title, numbers.markup, {})
        return StepView(number, title, f"/learn/{lesson.slug}?step={number}", shown, pieces)

    def reply(
        self, slug: str, step: int, index: int, act: str, given: FormAnswers
    ) -> LessonReplyView:
        """The reply to a form of a question. Raises IndexError for one that does not exist."""
        lesson = course.lessons()[slug]
        if step < 1:
            raise IndexError(step)
        question = lesson.steps[step - 1].questions[index]
        numbers = self.numbers(lesson, step)
        write = numbers.prose
        hints = [write(hint) for hint in question.table["hints"][: given.hints + (act == "hint")]]
        reply = partial(
            LessonReplyView,
            step,
            index,
            hints=list(zip(HINTS, hints, strict=False)),
            answers=given.answers,
        )
        if act == "hint":
            return reply("hint")
        if act == "show":
            says = write(question.table.get("reveal", question.table["right"]))
            return reply("shown", says, solution=write(KINDS[question.kind].answer(question)))
        found: Reply = KINDS[question.kind].judge(question, given.answers, numbers)
        if found.is_right:
            return reply("right", write(question.table["right"]))
        return reply("not-yet", write(found.says))

    def reached(self, slug: str, step: int, index: int, address: str) -> Markup:
        """What is said of a picture that a reader has made; "" if the challenge is not met.

        Raises IndexError for a challenge that does not exist.
        """
        lesson = course.lessons()[slug]
        if step < 1:
            raise IndexError(step)
        challenge = lesson.steps[step - 1].challenges[index]
        subject = self.states.at(address)
        said = [it["says"] for it in challenge.table["reached"] if _holds(it["holds"], subject)]
        write = self.numbers(lesson, step).prose
        return Markup().join(write(says) for says in said[:1])


def _holds(text: str, subject: Subject | None) -> bool:
    """Whether a comparison holds of a picture; not if the picture lacks one of its numbers."""
    try:
        return subject is not None and bool(Expression.read(text).of(subject))
    except (NumberError, IndexError, ArithmeticError, ValueError):
        return False


class FormAnswers(NamedTuple):
    """The contents of a question's form: the answers, and how many hints are shown."""

    answers: Sequence[str]
    hints: int


def _piece(lesson: Lesson, step: int, part: Part, numbers: StepNumbers) -> StepPiece:
    if isinstance(part, Prose):
        return StepPiece("prose", rendered(part.tokens, numbers.markup, numbers.labels))
    if isinstance(part, ExerciseLink):
        return StepPiece("exercise", _exercise(lesson, part))
    if isinstance(part, LessonPiece):
        stage = STAGES[part.stage]
        return StepPiece("piece", (stage, inline(stage.asks, numbers.markup, {})))
    if isinstance(part, LessonChallenge):
        ask = numbers.prose(part.table["ask"])
        return StepPiece("challenge", LessonChallengeView(step, part.index, ask))
    if isinstance(part, LessonDrawing):
        return StepPiece("prose", drawn(part, numbers.written))
    fields = dict(KINDS[part.kind].fields(part))
    if "options" in fields:
        write = partial(inline, number=numbers.markup, labels=numbers.labels)
        fields["options"] = [write(option) for option in fields["options"]]
    ask = numbers.prose(part.table["ask"])
    hints = len(part.table["hints"])
    return StepPiece(
        "question", LessonQuestionView(step, part.index, part.kind, ask, fields, hints)
    )


def _exercise(lesson: Lesson, part: ExerciseLink) -> LinkView:
    table = part.table
    query = View(lesson.programs[table["program"]]).query()
    asked = urlencode({"exercise": table.get("hide", "gradients"), "from": lesson.slug})
    return LinkView(f"/exercise?{query}&{asked}", table.get("words", "Do the exercise"))

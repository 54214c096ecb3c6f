"""The picture of an exercise: the graph with fields for what is asked, on the page and on paper.

A number that is still hidden reaches no part of the picture: the state that is drawn is that of the
known numbers alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from app.exercise.run import ExerciseRun
from app.picture.drawing import page_svg, standalone_svg
from app.picture.frame_state import State
from app.picture.layout import Placement
from app.picture.quiz import ASKED, OPEN, RIGHT, SHOWN, WRONG, Field, Quiz
from engine.exercise import score
from engine.exercise.exercise import CONTRIBUTION, DATA, GRAD, Exercise, Question
from engine.exercise.known import Known, known
from engine.numbers import in_equation

LARGE, SMALL = 1.4, 0.85
ROOM = 900.0  # pixels for the picture on a screen of 1440
KINDS = {DATA: "data", GRAD: "gradient", CONTRIBUTION: "contribution"}


def on_page(
    exercise: Exercise,
    placement: Placement,
    run: ExerciseRun,
    typed: Mapping[int, str],
    wrong: Mapping[int, str],
) -> Markup:
    """The picture with inputs; `typed` are texts of open fields, `wrong` those that were judged."""
    now = run.known(exercise)
    copied = {box.of for box in placement.graph.boxes if box.copy}
    fields: dict[tuple[str, str], Field] = {}
    for place, question in enumerate(exercise.questions):
        if question.kind != CONTRIBUTION:
            name = question.node, _role(question)
            fields[name] = _field(exercise, run, place, typed, wrong, question.node in copied)
    asked = exercise.questions[run.current] if not run.is_done else None
    quiz = Quiz(_state(exercise, now, asked), fields)
    return _enlarged(page_svg(exercise.trace, placement, quiz=quiz), placement)


def is_broad(placement: Placement) -> bool:
    """Whether the picture is scrolled, as its numbers would be too small in the room for it."""
    return placement.geometry.width * SMALL > ROOM


def _enlarged(picture: Markup, placement: Placement) -> Markup:
    """The picture at LARGE times its size, as fields need room; a broad one smaller."""
    width, height = placement.geometry.width, placement.geometry.height
    scale = SMALL if is_broad(placement) else LARGE
    now = Markup(f' width="{width:.1f}" height="{height:.1f}"')  # noqa: S704  # numbers
    new = Markup(f' width="{width * scale:.0f}" height="{height * scale:.0f}"')  # noqa: S704
    return picture.replace(now, new, 1)


def on_paper(exercise: Exercise, placement: Placement, with_answers: bool) -> Markup:
    """The picture with an empty field for every question, or with the answers."""
    answered = [q.key for q in exercise.questions] if with_answers else []
    fields = {}
    for number, question in enumerate(exercise.questions, 1):
        if question.kind != CONTRIBUTION and not with_answers:
            name = question.node, _role(question)
            fields[name] = Field(question.key, "", str(number), OPEN)
    quiz = Quiz(_state(exercise, known(exercise, answered), None), fields)
    text = standalone_svg(exercise.trace, placement, quiz=quiz)
    return Markup(text)  # noqa: S704  # all text is escaped


def label(exercise: Exercise, question: Question) -> str:
    """The accessible name of a question's field: "gradient of a"."""
    return f"{KINDS[question.kind]} of {exercise.name(question.node)}"


def field_name(place: int) -> str:
    """The name of the input of a question on its card."""
    return f"q{place + 1}"


def _role(question: Question) -> str:
    return DATA if question.kind == DATA else GRAD


def _field(
    exercise: Exercise,
    run: ExerciseRun,
    place: int,
    typed: Mapping[int, str],
    wrong: Mapping[int, str],
    is_copied: bool,
) -> Field:
    question, mark = exercise.questions[place], run.marks[place]
    name, spoken = field_name(place), label(exercise, question)
    if mark.outcome != score.OPEN:
        look = RIGHT if mark.outcome == score.RIGHT else SHOWN
        return Field(name, spoken, in_equation(question.answer), look)
    is_asked = place == run.current
    look = WRONG if place in wrong else ASKED if is_asked else OPEN
    if is_copied or not (is_asked or exercise.task.any_order):
        return Field(name, spoken, "?", look)
    return Field(name, spoken, typed.get(place, ""), look, is_input=True)


def _state(exercise: Exercise, now: Known, asked: Question | None) -> State:
    """What is drawn: the known numbers, and the operations on whose rules the question turns."""
    is_forward = exercise.hides_data if asked is None else asked.kind == DATA
    active, slots, sources = "", frozenset[int](), frozenset[str]()
    earlier: dict[str, frozenset[int]] = {}
    if asked is not None and asked.kind == DATA:
        args = exercise.nodes[asked.node].args
        active, slots, sources = asked.node, frozenset(range(len(args))), frozenset(args)
    elif asked is not None:
        for contribution in asked.contributions:
            earlier[contribution.user] = earlier.get(contribution.user, frozenset()) | {
                contribution.slot
            }
        sources = frozenset(earlier)
    return State(
        frame=0,
        direction="forward" if is_forward else "backward",
        active=active,
        slots=slots,
        changed=frozenset(),
        sources=sources,
        data=dict(now.data),
        grads=dict(now.grads),
        earlier=earlier,
    )

"""The page of an exercise: its picture, the question, hints, progress and score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from markupsafe import Markup

from app.exercise import pictures
from app.exercise.address import RENEWED, SHEET, ExerciseQuery
from app.exercise.result_line import LONGEST_TITLE, plain
from app.exercise.run import ExerciseRun
from app.exercise.sets import SetPlace, place_of
from app.learn import course
from app.picture.layout import Placement
from engine.exercise import score
from engine.exercise.exercise import CONTRIBUTION, DATA, GRAD, Exercise, Question, askable
from engine.exercise.generator import LEVELS, MOST_SEED
from engine.exercise.hints import GRADES, TITLES, formula, hint
from engine.exercise.judging import RIGHT, UNREAD, Judgement
from engine.exercise.score import ExerciseScore
from engine.exercise.task import BOTH, FORWARD, GRADIENTS
from engine.numbers import in_sentence
from engine.ops import OPS

TITLE = {
    GRADIENTS: "Fill in the gradients",
    FORWARD: "Fill in the forward pass",
    BOTH: "Fill in both passes",
    "": "Fill in the numbers",
}
HIDE_WORDS = {GRADIENTS: "all gradients", FORWARD: "forward pass", BOTH: "both passes"}
BACKWARD_LEAD = (
    "Follow the backward pass, from {output} back to the leaves. Each field asks: if this "
    "number grows a little, how many times as much does {output} grow?"
)
FORWARD_LEAD = (
    "Follow the forward pass, from the leaves to {output}. What does each operation give?"
)


ALL_ZERO = "Every answer here is 0. With other numbers there is more to compute."
NOTHING = Markup()


class SwitchLink(NamedTuple):
    """A switch that is a link."""

    words: str
    href: str
    is_current: bool = False


class HintView(NamedTuple):
    """A hint that is shown, with its text or formula, or one that is not, without."""

    grade: int
    title: str
    words: str = ""
    formula: Markup = Markup()
    is_next: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether there is something to read."""
        return bool(self.words or self.formula)


class ExerciseReplyView(NamedTuple):
    """What is said of the last answer: its look, the first words, the rest, the arithmetic."""

    look: str
    lead: str
    says: str = ""
    formula: Markup = Markup()


class ProgressSegment(NamedTuple):
    """A piece of the progress bar: its look, its question in words, and its place."""

    look: str
    words: str
    place: int
    can_go: bool


class HideOption(NamedTuple):
    """A number that can be hidden: its name in an address, and in words."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ExerciseQuestionView:
    """The question that is asked."""

    heading: str
    label: str
    spoken: str
    place: int
    text: str
    is_wrong: bool
    hints: Sequence[HintView]


@dataclass(frozen=True, slots=True)
class ExercisePage:
    """The variables of exercise.html; `message` says why there is no exercise."""

    href: str
    lesson: SwitchLink | None = None
    title: str = ""
    lead: str = ""
    program: str = ""
    explore: str = ""
    picture: Markup = NOTHING
    is_broad: bool = False
    question: ExerciseQuestionView | None = None
    reply: ExerciseReplyView | None = None
    score: ExerciseScore | None = None
    segments: Sequence[ProgressSegment] = ()
    hides: Sequence[SwitchLink] = ()
    orders: Sequence[SwitchLink] = ()
    choices: Sequence[HideOption] = ()
    is_choosing: bool = False
    renew: str = ""
    sheet: str = ""
    token: str = ""
    name: str = ""
    line: str = ""
    notice: str = ""
    is_made: bool = False
    place: SetPlace | None = None
    is_closed: bool = False
    lines: str = ""
    """Those of the exercises of the set that are done."""
    output: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Happened:
    """What a request did: the answers judged by place, all texts typed, the answer shown."""

    judged: Mapping[int, Judgement] = field(default_factory=dict)
    typed: Mapping[int, str] = field(default_factory=dict)
    revealed: int | None = None
    name: str = ""
    line: str = ""
    lines: str = ""
    notice: str = ""


def title_of(asked: ExerciseQuery, exercise: Exercise) -> str:
    """What an exercise is called in results."""
    if place := place_of(asked):
        return plain(place.title, LONGEST_TITLE)
    if asked.generated is not None:
        return "difficulty {}, seed {}".format(*asked.generated)
    node = exercise.nodes[exercise.trace.drawn]
    source = exercise.trace.source(node)
    return plain(f"{node.name} = {source}" if node.label else source, LONGEST_TITLE)


def exercise_page(
    asked: ExerciseQuery,
    exercise: Exercise,
    placement: Placement,
    run: ExerciseRun,
    happened: Happened,
) -> ExercisePage:
    """The page at a point of a run; its token and key are the caller's to add."""
    wrong = {
        place: judgement.says
        for place, judgement in happened.judged.items()
        if judgement.outcome != RIGHT
    }
    place = place_of(asked)
    lead = FORWARD_LEAD if exercise.questions[run.current].kind == DATA else BACKWARD_LEAD
    return ExercisePage(
        href=asked.href,
        lesson=_lesson(asked.lesson),
        title=TITLE[asked.task.hide],
        lead=lead.format(output=exercise.output),
        program=asked.view.program or "",
        explore=f"/?{asked.view.query()}",
        picture=pictures.on_page(exercise, placement, run, happened.typed, wrong),
        is_broad=pictures.is_broad(placement),
        question=None if run.is_done else _question(exercise, run, happened),
        reply=_reply(exercise, run, happened),
        score=run.score(exercise),
        segments=tuple(_segments(exercise, run, wrong)),
        hides=_hides(asked),
        orders=_orders(asked),
        choices=_choices(exercise),
        is_choosing=not asked.task.hide,
        renew=_renew(asked),
        sheet=f"{SHEET}?{asked.query}",
        name=happened.name,
        line=happened.line,
        lines=happened.lines,
        place=place,
        is_closed=place is not None and place.set.is_closed,
        notice=happened.notice or _warning(exercise, happened),
        output=exercise.output,
    )


def _warning(exercise: Exercise, happened: Happened) -> str:
    """What is said at the beginning of an exercise that asks for nothing but zeros."""
    has_begun = happened.judged or happened.typed or happened.revealed is not None
    return "" if has_begun or any(it.answer for it in exercise.questions) else ALL_ZERO


def _lesson(slug: str) -> SwitchLink | None:
    """The lesson that set the exercise."""
    found = course.lessons().get(slug)
    if found is None:
        return None
    return SwitchLink(f"Lesson {course.number_of(slug)}, {found.title}", f"/learn/{slug}")


# The question


def _question(exercise: Exercise, run: ExerciseRun, happened: Happened) -> ExerciseQuestionView:
    question = exercise.questions[run.current]
    judgement = happened.judged.get(run.current)
    return ExerciseQuestionView(
        heading=heading(exercise, question),
        label=_label(exercise, question),
        spoken=pictures.label(exercise, question),
        place=run.current,
        text=happened.typed.get(run.current, ""),
        is_wrong=judgement is not None and judgement.outcome != RIGHT,
        hints=_hints(exercise, run, question),
    )


def heading(exercise: Exercise, question: Question) -> str:
    """A question in words."""
    name = exercise.name(question.node)
    if question.kind == DATA:
        op = OPS[exercise.nodes[question.node].op or ""]
        args = " and ".join(exercise.name(arg) for arg in exercise.nodes[question.node].args)
        return f"{op.symbol} of {args}: what is the data of {name}?"
    user, op = exercise.name(question.contributions[0].user), OPS[question.contributions[0].op]
    if question.kind == CONTRIBUTION:
        return f"Through {op.symbol} in {user}: which contribution to its gradient does {name} get?"
    if len(question.contributions) > 1:
        count = len(question.contributions)
        return f"{name} is used {count} times: what is its gradient, all contributions added?"
    return f"Through {op.symbol} in {user}: what is the gradient of {name}?"


def _label(exercise: Exercise, question: Question) -> str:
    name = exercise.name(question.node)
    if question.kind == CONTRIBUTION:
        return "contribution ="
    held = name if name.isidentifier() else f"({name})"
    return f"{held}.{question.kind} ="


def _hints(exercise: Exercise, run: ExerciseRun, question: Question) -> tuple[HintView, ...]:
    now, seen = run.known(exercise), run.marks[run.current].hints
    found = []
    for grade, title in zip(range(1, GRADES + 1), TITLES, strict=True):
        if grade > seen:
            found.append(HintView(grade, title, is_next=grade == seen + 1))
            continue
        shown = hint(exercise, question, grade, now)
        safe = Markup(shown.formula)  # noqa: S704  # names are escaped
        found.append(HintView(grade, title, shown.words, safe))
    return tuple(found)


# The reply to the last answer


def _reply(exercise: Exercise, run: ExerciseRun, happened: Happened) -> ExerciseReplyView | None:
    if happened.revealed is not None:
        return _solved(exercise, run, happened.revealed, "shown", "The answer:")
    if not happened.judged:
        return None
    if run.current in happened.judged and not run.is_done:
        return _wrong(happened.judged[run.current])
    right = [place for place, one in happened.judged.items() if one.outcome == RIGHT]
    lead = "Right." if len(right) == 1 else f"Right, all {len(right)}. The last one:"
    return _solved(exercise, run, right[-1], "right", lead)


def _wrong(judgement: Judgement) -> ExerciseReplyView:
    if judgement.outcome == UNREAD:
        return ExerciseReplyView("unread", "Not read.", judgement.says)
    number = "" if judgement.number is None else in_sentence(judgement.number)
    says = judgement.says
    if not says:
        says = f"{number} is not the number. Take a hint, and go through the rule again."
    return ExerciseReplyView("not-yet", "Not yet.", says)


def _solved(
    exercise: Exercise, run: ExerciseRun, place: int, look: str, lead: str
) -> ExerciseReplyView:
    question = exercise.questions[place]
    markup = formula(exercise, question, run.known(exercise), result=True)
    return ExerciseReplyView(look, lead, formula=Markup(markup))  # noqa: S704  # names are escaped


# Progress and switches


def _segments(
    exercise: Exercise, run: ExerciseRun, wrong: Mapping[int, str]
) -> list[ProgressSegment]:
    found = []
    for place, (question, mark) in enumerate(zip(exercise.questions, run.marks, strict=True)):
        look = "first" if mark.is_first else mark.outcome
        if mark.outcome == score.OPEN:
            is_asked = place == run.current and not run.is_done
            look = "wrong" if place in wrong else "asked" if is_asked else "open"
        said = {"first": "right at the first try", "asked": "asked now", "wrong": "not yet right"}
        words = f"{place + 1}, {pictures.label(exercise, question)}: {said.get(look, look)}"
        can_go = exercise.task.any_order and mark.outcome == score.OPEN
        found.append(ProgressSegment(look, words, place, can_go))
    return found


def _hides(asked: ExerciseQuery) -> tuple[SwitchLink, ...]:
    return tuple(
        SwitchLink(words, asked.with_task(hide=name, chosen=()).href, asked.task.hide == name)
        for name, words in HIDE_WORDS.items()
    )


def _orders(asked: ExerciseQuery) -> tuple[SwitchLink, ...]:
    free = asked.task.any_order
    return (
        SwitchLink("of the pass", asked.with_task(any_order=False).href, not free),
        SwitchLink("any", asked.with_task(any_order=True).href, free),
    )


def _choices(exercise: Exercise) -> tuple[HideOption, ...]:
    hidden = {(question.node, question.kind) for question in exercise.questions}
    words = {DATA: "data", GRAD: "grad"}
    return tuple(
        HideOption(f"{node}.{kind}", f"{exercise.name(node)}.{words[kind]}", (node, kind) in hidden)
        for node, kind in askable(exercise.trace)
    )


def _renew(asked: ExerciseQuery) -> str:
    """The address of the same exercise with other numbers."""
    if asked.generated is None:
        return f"{RENEWED}?{asked.query}"
    difficulty, seed = asked.generated
    following = replace(asked, generated=(difficulty, (seed + 1) % (MOST_SEED + 1)))
    return following.href


def levels() -> list[tuple[int, str]]:
    """The difficulties with their words."""
    return [(number, level.words) for number, level in LEVELS.items()]

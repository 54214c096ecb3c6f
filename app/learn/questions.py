"""The kinds of questions: what each shows, and how an answer is judged.

To add a kind, add an entry to KINDS. Answers, hints and solutions stay on the server until they are
asked for.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from app.learn.blocks import Keys
from app.learn.lesson import LessonError, LessonQuestion, Table
from app.learn.numbers import Expression, NumberError
from app.learn.subjects import GraphNumbers
from engine.exercise.answer_text import AnswerError, read_number
from engine.program import ProgramError

TOLERANCE = 0.01
"""The relative error that is let pass, except for counts; one thousandth always is."""
LEAST = 1e-3
UNFORESEEN = "A hint may help."
MOST_PLACE = 20  # letters of a place that are read, and shown
MOST_PROGRAM = 4_000  # letters of an answer that is a program


class QuestionNumbers(Protocol):
    """Numbers of a lesson's step, and graphs of programs."""

    def value(self, text: str) -> float:
        """The number of an expression."""

    def graph(self, program: str) -> GraphNumbers:
        """The graph of a reader's program. Raises ProgramError."""

    def slip(self, text: str, typed: float) -> str:
        """What likely made a wrong number out of that of an expression; "" if nothing is known."""


class Reply(NamedTuple):
    """The judgement of an answer; `says` is Markdown, empty where there is nothing to add."""

    is_right: bool
    says: str = ""


class QuestionKind(NamedTuple):
    """A kind of question: its keys, what its fields show, its judgement, its answer in words."""

    keys: Keys
    fields: Callable[[LessonQuestion], Mapping[str, Any]]
    judge: Callable[[LessonQuestion, Sequence[str], QuestionNumbers], Reply]
    answer: Callable[[LessonQuestion], str]


def as_list(found: object) -> list[Any]:
    """A value of a block that may be one or several."""
    return list(found) if isinstance(found, list) else [found]


# Numbers


def _number_fields(question: LessonQuestion) -> Mapping[str, Any]:
    answers = as_list(question.table["answer"])
    labels = as_list(question.table.get("label", "Answer"))
    if len(labels) != len(answers):
        raise LessonError(f"{len(labels)} labels for {len(answers)} answers: {question.table}")
    return {"labels": labels}


def _close(typed: float, right: float, tolerance: float) -> bool:
    return math.isclose(typed, right, rel_tol=tolerance, abs_tol=LEAST)


def _judge_number(
    question: LessonQuestion, answers: Sequence[str], numbers: QuestionNumbers
) -> Reply:
    table = question.table
    labels = _number_fields(question)["labels"]
    wrong = []
    for place, right in enumerate(as_list(table["answer"])):
        due = numbers.value(right)
        tolerance = table.get("tolerance", 0.0 if isinstance(due, int) else TOLERANCE)
        text = answers[place] if place < len(answers) else ""
        name = plain(labels[place].rstrip("= ")) if len(labels) > 1 else ""
        try:
            typed = read_number(text)
        except AnswerError as error:
            return Reply(False, f"{name}: {plain(str(error))}" if name else plain(str(error)))
        if not _close(typed, due, tolerance):
            thought = _thought(table, place, typed, tolerance, numbers)
            thought = thought or _other_field(table, place, typed, labels, numbers)
            wrong.append((place, name, thought or numbers.slip(right, typed)))
    if not wrong:
        return Reply(True)
    _, name, thought = wrong[0]
    where = f"Look at {name}. " if name else ""
    return Reply(False, where + (thought or UNFORESEEN))


def _thought(
    table: Mapping[str, Any], place: int, typed: float, tolerance: float, numbers: QuestionNumbers
) -> str:
    """What is said of a wrong answer that was foreseen; "" of others."""
    for wrong in table.get("wrong", []):
        if wrong.get("field", place + 1) != place + 1:
            continue
        if _close(typed, numbers.value(str(wrong["answer"])), tolerance):
            return str(wrong["says"])
    return ""


def _other_field(
    table: Mapping[str, Any],
    place: int,
    typed: float,
    labels: Sequence[str],
    numbers: QuestionNumbers,
) -> str:
    """What is said of the number of another field."""
    for other, right in enumerate(as_list(table["answer"])):
        if other != place and typed == numbers.value(right):
            return f"That number belongs to {plain(labels[other].rstrip('= '))}."
    return ""


def _number_answer(question: LessonQuestion) -> str:
    labels = list(map(plain, _number_fields(question)["labels"]))
    answers = as_list(question.table["answer"])
    if len(answers) == 1:
        return f"{labels[0]} [[{answers[0]}]]" if labels[0] != "Answer" else f"[[{answers[0]}]]"
    return ", ".join(f"{label} [[{it}]]" for label, it in zip(labels, answers, strict=True))


# Choices


def _place(text: str) -> int | None:
    """A place as a form names it, None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= MOST_PLACE else None


def _choice_fields(question: LessonQuestion) -> Mapping[str, Any]:
    return {"options": [option["text"] for option in question.table["option"]]}


def _judge_choice(
    question: LessonQuestion, answers: Sequence[str], numbers: QuestionNumbers
) -> Reply:
    options = question.table["option"]
    place = _place(answers[0]) if answers else None
    if place is None or place >= len(options):
        return Reply(False, "Choose one first.")
    chosen = options[place]
    return Reply(bool(chosen.get("right")), chosen.get("says", ""))


def _choice_answer(question: LessonQuestion) -> str:
    return " ".join(option["text"] for option in question.table["option"] if option.get("right"))


# Lines in order


def mixed(question: LessonQuestion) -> list[str]:
    """The lines, the wrong ones among them, in an order that depends on their texts alone."""
    lines = [*question.table["lines"], *question.table.get("extra", [])]
    return sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())


def _order_fields(question: LessonQuestion) -> Mapping[str, Any]:
    return {"lines": mixed(question)}


def _judge_order(
    question: LessonQuestion, answers: Sequence[str], numbers: QuestionNumbers
) -> Reply:
    """Answers are the places typed beside the lines as shown; an empty one leaves its line out."""
    lines = mixed(question)
    placed: list[tuple[int, str]] = []
    for text, line in zip(answers, lines, strict=False):
        if text.strip():
            place = _place(text.strip())
            if place is None:
                shown = plain(text.strip()[:MOST_PLACE])
                return Reply(False, f"“{shown}” is no place. Number the lines 1, 2, 3, ….")
            placed.append((place, line))
    if len({place for place, _ in placed}) < len(placed):
        return Reply(False, "Two lines have the same place.")
    found = [line for _, line in sorted(placed)]
    if not found:
        return Reply(False, "Number the lines in their order first: 1, 2, 3, ….")
    right = list(question.table["lines"])
    if found == right:
        return Reply(True)
    return Reply(False, _first_fault(found, right, question.table.get("extra", [])))


def _first_fault(found: Sequence[str], right: Sequence[str], extra: Sequence[str]) -> str:
    for line in found:
        if line in extra:
            return f"`{line}` does not belong there. Another line does its work rightly."
    for place, line in enumerate(right):
        if place >= len(found):
            return f"The first {place} are right, and a line is missing."
        if found[place] != line:
            before = "The first line" if place == 0 else f"Line {place + 1}"
            return f"{before} comes too early: `{found[place]}`."
    return "There is a line too many."


def _order_answer(question: LessonQuestion) -> str:
    return "\n".join(f"{k}. `{line}`" for k, line in enumerate(question.table["lines"], 1))


# Programs


def _program_fields(question: LessonQuestion) -> Mapping[str, Any]:
    return {"start": question.table.get("start", "").strip("\n")}


def _judge_program(
    question: LessonQuestion, answers: Sequence[str], numbers: QuestionNumbers
) -> Reply:
    text = answers[0].replace("\r\n", "\n") if answers else ""
    if not text.strip():
        return Reply(False, "Write a program first.")
    if len(text) > MOST_PROGRAM:
        return Reply(False, f"That program is too long: {MOST_PROGRAM:,} letters at most.")
    try:
        graph = numbers.graph(text)
    except ProgramError as error:
        return Reply(False, f"Line {error.line}: {plain(error.message)}")
    if graph.trace.output is None:
        return Reply(False, "The program computes nothing that could be drawn.")
    for check in question.table["check"]:
        try:
            holds = Expression.read(check["holds"]).of(graph)
        except NumberError:
            holds = False
        if not holds:
            return Reply(False, check["says"])
    return Reply(True)


def plain(text: str) -> str:
    """A text of the reader's own or of a program, so that Markdown shows it as one paragraph."""
    text = " ".join(text.split())
    return re.sub(r"([\\`*_{}\[\]()#+\-.!<>&|~])", r"\\\1", text)


def _program_answer(question: LessonQuestion) -> str:
    solution = question.table["solution"].strip("\n")
    return f"```\n{solution}\n```"


KEYS = Keys(("kind", "ask", "right", "hints"), ("reveal",))
"""Those of every question."""
KINDS: Mapping[str, QuestionKind] = {
    "number": QuestionKind(
        KEYS
        | Keys(
            ("answer",),
            ("label", "tolerance", "wrong"),
            {"wrong": Keys(("answer", "says"), ("field",))},
        ),
        _number_fields,
        _judge_number,
        _number_answer,
    ),
    "choice": QuestionKind(
        KEYS | Keys(("option",), (), {"option": Keys(("text",), ("says", "right"))}),
        _choice_fields,
        _judge_choice,
        _choice_answer,
    ),
    "order": QuestionKind(
        KEYS | Keys(("lines",), ("extra",)), _order_fields, _judge_order, _order_answer
    ),
    "program": QuestionKind(
        KEYS | Keys(("solution", "check"), ("start",), {"check": Keys(("holds", "says"))}),
        _program_fields,
        _judge_program,
        _program_answer,
    ),
}
"""Every kind of question by name."""


def question(where: str, index: int, table: Table) -> LessonQuestion:
    """The question of a block. Raises LessonError for a wrong kind or key."""
    kind = str(table.get("kind"))
    if kind not in KINDS:
        raise LessonError(f"{where}: a question's kind is one of {', '.join(KINDS)}, not {kind!r}.")
    KINDS[kind].keys.check(where, f"a question of kind {kind!r}", table)
    return LessonQuestion(index, kind, table)

"""The test of a class: its gradients on the hidden programs beside the true ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.caches import cached
from engine.numbers import full
from engine.program import Program, ProgramError
from engine.verdict.fixes import verdict_on
from engine.verdict.ledger import close
from engine.verdict.model import Mistake
from engine.verdict.plain_runs import Answer, PlainProgram, answers
from engine.verdict.scalar_numpy import NOT_HERE

from .programs import HiddenProgram, hidden_programs
from .subject import ClassUnderTest, Untestable, subject_of

SECONDS = 3.0
"""Processor time for all programs together."""
SHORTEST = 3
"""Lines of a program of one operation on one object."""
LARGER = 8
JUDGED = 3
"""Larger programs that are judged, of at least so many lines."""
TOLERANCE = 1e-6
"""Relative difference of a right gradient from the true one: classes round in ways of their own."""
ROUNDING = 1e-9
"""Difference beside the size of the terms, which may cancel."""
SMALLEST = 1e-12
"""Difference beside numbers that rounding makes 0, as 1 - tanh(x)² does far from 0."""
_OF_ARRAYS = re.compile(r"AttributeError: '(?:int|float)' object has no attribute '(\w+)'")


@dataclass(frozen=True, slots=True)
class Failure:
    """The smallest program on which a class fails.

    `program` is the whole text, class included. `says` is what was wrong, in one sentence, and
    `mistake` the line of the class that did it, where the verdict on the program names one.
    """

    about: str
    program: str
    lines: tuple[str, ...]
    says: str
    mistake: Mistake | None


@dataclass(frozen=True, slots=True)
class ClassTest:
    """How a class did: `right` of `programs` that were run.

    `unsupported` are uses with plain numbers that the class does not take. `reason` says why it
    was not tested, and is empty if it was.
    """

    name: str = ""
    right: int = 0
    programs: int = 0
    failure: Failure | None = None
    unsupported: tuple[str, ...] = ()
    reason: str = ""


@cached("class tests")
def tested(program: Program) -> ClassTest:
    """Test the class of a program on hidden programs, in the sandbox."""
    first = _tested(program, is_measured=False)
    second = _tested(program, is_measured=True) if first.reason else first
    return first if second.reason else second


def _tested(program: Program, is_measured: bool) -> ClassTest:
    try:
        subject = subject_of(program, is_measured)
    except Untestable as untestable:
        return ClassTest(reason=str(untestable))
    programs = hidden_programs(subject, subject.definitions)
    found = _run(subject, programs)
    return _judged(subject, list(zip(programs, found, strict=False)))


Ran: TypeAlias = tuple[HiddenProgram, Answer]


def _run(subject: ClassUnderTest, programs: Sequence[HiddenProgram]) -> list[Answer]:
    """What a class computed on each program, as far as its time lasted."""
    given = [PlainProgram("\n".join(it.lines), _asked(subject, it)) for it in programs]
    return answers(given, SECONDS, subject.definitions)


def _asked(subject: ClassUnderTest, program: HiddenProgram) -> list[str]:
    grads = [subject.reader.format(name, program.output) for name in program.gradients]
    return [subject.number.format(program.output), *grads]


def _judged(subject: ClassUnderTest, found: Sequence[Ran]) -> ClassTest:
    found = _without_uncertain(found)
    if not found:
        return ClassTest(subject.name, reason=f"{subject.name} takes too long to be tested.")
    if missing := _missing(subject, found):
        return ClassTest(
            subject.name,
            reason=f"{subject.name} is not tested: the hidden programs have single numbers alone, "
            f"and it uses {missing}.",
        )
    basic = [answer for program, answer in found if program.is_basic]
    if basic and all(isinstance(answer, str) for answer in basic):
        return ClassTest(subject.name, reason=f"{subject.name} cannot be used here: {basic[0]}.")
    refused = [it for it in found if isinstance(it[1], str) and not it[0].is_basic]
    unsupported = dict.fromkeys(it.about for it, _ in refused if len(it.lines) == SHORTEST)
    counted = [it for it in found if not (unsupported and it in refused)]
    if not counted:
        return ClassTest(
            subject.name, reason=f"{subject.name} has no operation that could be tried."
        )
    wrong = [it for it in counted if _wrong(subject, *it)]
    taken = {program.about for program, answer in counted if not isinstance(answer, str)}
    for sign in subject.one_sided:
        if f"an object {sign} a number" in taken and sign != "**":
            unsupported[f"a number {sign} an object"] = None
    return ClassTest(
        subject.name,
        right=len(counted) - len(wrong),
        programs=len(counted),
        failure=_failure(subject, wrong) if wrong else None,
        unsupported=tuple(unsupported),
    )


def _missing(subject: ClassUnderTest, found: Sequence[Ran]) -> str:
    """What the class uses of NumPy beside functions of numbers; empty if nothing."""
    own = (subject.number.removeprefix("{0}."), subject.gradient)
    for program, answer in found:
        if isinstance(answer, str):
            if answer.startswith(f"{NOT_HERE}: "):
                return answer.removeprefix(f"{NOT_HERE}: ")
            attribute = _OF_ARRAYS.match(answer)
            if attribute and program.is_basic and attribute[1] not in own:
                return f"the attribute {attribute[1]} of arrays"
    return ""


def _without_uncertain(found: Sequence[Ran]) -> list[Ran]:
    """Without the functions that are meant for something else."""
    plain: set[str] = set()
    for program, answer in found:
        if isinstance(answer, str) and len(program.lines) <= SHORTEST + 1:
            plain |= program.uncertain
    return [it for it in found if not it[0].uncertain & plain]


def _wrong(subject: ClassUnderTest, program: HiddenProgram, answer: Answer) -> str:
    """What is wrong with an answer, in one sentence; "" if it is right."""
    if isinstance(answer, str):
        return f"It ends with {answer}."
    number, *gradients = answer
    if not close(number, program.number):
        name = subject.number.format(program.output)
        return f"{name} is {_short(number)}, it should be {_short(program.number)}."
    for (leaf, due), gradient in zip(program.gradients.items(), gradients, strict=True):
        allowed = TOLERANCE * abs(due) + ROUNDING * program.sizes[leaf] + SMALLEST
        if not abs(gradient - due) <= allowed:
            name = subject.reader.format(leaf, program.output)
            return f"{name} is {_short(gradient)}, it should be {_short(due)}."
    return ""


def _short(x: float) -> str:
    return full(round(x, 6))


def _failure(subject: ClassUnderTest, wrong: Sequence[Ran]) -> Failure:
    """The smallest program that fails, and the line that a larger one shows to be the cause.

    In the smallest one several mistakes may look alike: where every incoming gradient is -1, a
    gradient that is left out looks like a wrong sign.
    """
    program, answer = wrong[0]
    larger = [it for it, _ in wrong if len(it.lines) >= LARGER][:JUDGED]
    return Failure(
        program.about,
        _text(subject, program),
        program.lines,
        _wrong(subject, program, answer),
        _cause(
            _mistakes(_text(subject, program)), [_mistakes(_text(subject, it)) for it in larger]
        ),
    )


def _cause(own: Sequence[Mistake], of_larger: Sequence[Sequence[Mistake]]) -> Mistake | None:
    """The first mistake of the smallest program, if larger ones have it; else their commonest."""
    first = own[0] if own else None
    listed = [mistake for mistakes in of_larger for mistake in mistakes]
    if not listed or (first and any(_is_same(first, it) for it in listed)):
        return first
    firsts = [mistakes[0] for mistakes in of_larger if mistakes]
    return max(firsts, key=lambda it: sum(_is_same(it, other) for other in listed))


def _is_same(one: Mistake, other: Mistake) -> bool:
    return (one.kind, one.span[0]) == (other.kind, other.span[0])


def _text(subject: ClassUnderTest, program: HiddenProgram) -> str:
    return "\n".join([subject.definitions, "", "", *program.lines, ""])


def _mistakes(text: str) -> Sequence[Mistake]:
    try:
        return verdict_on(text)[1] or ()
    except ProgramError:
        return ()

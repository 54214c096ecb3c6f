"""Hidden checks of a learner's text: small programs, which show what they show with the right one.

All run in one instance of the sandbox. The numbers depend on the text that is checked, so that no
list of answers helps.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from app.learn.questions import plain
from engine import recording
from engine.numbers import full

SECONDS = 3.0
"""Processor time for all checks of a text together; a right one takes a tenth."""
MARK = "= hidden program ="
TEXT = 200
"""Characters of an exception that are shown."""
DIGITS = 6
_LETTERS = "ABCD"
_DRAWN = re.compile(rf"\b[{_LETTERS}]\b")

DRIVER = """\
import contextlib, io, json

def numbers(text, program, shows):
    scope, found = {{"__name__": "engine"}}, []
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, "engine.py", "exec"), scope)
            exec(program, scope)
            for show in shows:
                found.append(float(eval(show, scope)))
        return found, "", 0
    except BaseException as error:
        line, at = getattr(error, "lineno", 0) or 0, error.__traceback__
        line = line if getattr(error, "filename", "") == "engine.py" else 0
        while at:
            if at.tb_frame.f_code.co_filename == "engine.py":
                line = at.tb_lineno
            at = at.tb_next
        message = getattr(error, "msg", "") or str(error)
        return found, f"{{type(error).__name__}}: {{message}}"[:{most}], line

right, own = {right!r}, {own!r}
programs = {programs!r}
due = [(numbers(right, *it[:2]), [eval(slip) for slip in it[2]]) for it in programs]
for program, row in zip(programs, due):
    print({mark!r}, json.dumps([numbers(own, *program[:2]), *row]), flush=True)
"""


class ForeseenSlip(NamedTuple):
    """A foreseen mistake: the number `got` in place `at` of what is shown, and what is said."""

    got: str
    says: str
    at: int = 0


class Check(NamedTuple):
    """A hidden program: what it is about, its lines, and expressions whose numbers are compared.

    A, B, C and D stand for numbers that are drawn.
    """

    about: str
    lines: str
    shows: Sequence[str]
    slips: Sequence[ForeseenSlip] = ()


class Outcome(NamedTuple):
    """How a text did: the checks that were right of `programs`.

    Of the first that was not: what is said, its lines, the line of the text that failed, or 0, and
    whether it was stopped because it took too long.
    """

    right: int
    programs: int
    fault: str = ""
    lines: str = ""
    line: int = 0
    is_endless: bool = False

    @property
    def is_right(self) -> bool:
        """Whether all were."""
        return not self.fault


class ShownNumbers(NamedTuple):
    """What a program shows; and the exception that ended it before its end, if one did, with the
    line of the learner's text."""

    numbers: Sequence[float]
    error: str
    line: int


Row: TypeAlias = tuple[ShownNumbers, ShownNumbers, list[float]]
"""What a check shows with the learner's text and with the right one, and the numbers of slips."""


def checked(text: str, right: str, checks: Sequence[Check]) -> Outcome:
    """Run a text beside the right one on every check, the smallest first."""
    drawn = random.Random(text)  # noqa: S311  no secret
    given = [_drawn(check, drawn) for check in checks]
    asked = [[it.lines, list(it.shows), [slip.got for slip in it.slips]] for it in given]
    driver = DRIVER.format(right=right, own=text, programs=asked, mark=MARK, most=TEXT)
    outcome = recording.run_inside(driver, SECONDS, "execute")
    count, first = 0, Outcome(0, 0)
    for check, row in zip_longest(given, _rows(outcome.text())):
        if check is None:
            break
        fault, line = _fault(check, row) if row else (_stopped(outcome.ending), 0)
        count += not fault
        if fault and not first.fault:
            is_endless = not row and outcome.ending == "time"
            first = Outcome(0, 0, fault, check.lines, line, is_endless)
        if not row:
            break
    return first._replace(right=count, programs=len(checks))


def _drawn(check: Check, numbers: random.Random) -> Check:
    """A check with its numbers."""
    found = {name: repr(round(numbers.uniform(0.3, 1.9), 2)) for name in _LETTERS}

    def written(text: str) -> str:
        return _DRAWN.sub(lambda name: found[name[0]], text)

    slips = [slip._replace(got=written(slip.got)) for slip in check.slips]
    return Check(check.about, written(check.lines), [*map(written, check.shows)], slips)


def _rows(printed: str) -> Iterator[Row]:
    """The rows of the checks, as far as they came; the instance may say anything."""
    for line in printed.splitlines():
        if not line.startswith(MARK):
            continue
        try:
            own, due, slips = json.loads(line.removeprefix(MARK))
            yield _shown(*own), _shown(*due), [float(x) for x in slips]
        except (ValueError, TypeError, IndexError):
            return


def _shown(numbers: Any, error: Any, line: Any) -> ShownNumbers:
    return ShownNumbers([float(x) for x in numbers], str(error)[:TEXT], int(line))


def _stopped(ending: str) -> str:
    if ending == "time":
        return f"It stops in a hidden program, which takes more than {SECONDS:g} seconds."
    return "It stops in a hidden program, which then printed nothing."


def _fault(check: Check, row: Row) -> tuple[str, int]:
    """What is wrong with a text on one check, and in which of its lines; "" and 0 if nothing is."""
    own, due, slips = row
    pairs = zip(check.shows, own.numbers, due.numbers, strict=False)
    for at, (show, number, right) in enumerate(pairs):
        if not _close(number, right):
            for slip, got in zip(check.slips, slips, strict=False):
                if slip.at == at and _close(number, got):
                    return slip.says, 0
            return f"`{show}` is {_short(number)}; it should be {_short(right)}.", 0
    if len(own.numbers) == len(due.numbers):
        return "", 0
    where = f"line {own.line}" if own.line else "a hidden program"
    return f"It stops in {where}: {plain(own.error)}", own.line


def _close(number: float, due: float) -> bool:
    return math.isclose(number, due, rel_tol=1e-6, abs_tol=1e-9)


def _short(x: float) -> str:
    return full(round(x, DIGITS)).removesuffix(".0") if math.isfinite(x) else str(x)

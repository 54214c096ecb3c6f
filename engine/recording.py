"""Runs of a program in the sandbox, each recorded from beside it.

The program is a stranger's text. It runs in an instance of its own, whose answer is only read as
data: see `engine.record.guest` for what goes in and comes out.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from engine import parser_lock, turns
from engine.record.fields import NOTE
from engine.record.guest import ERROR, RECORD, place_row
from engine.record.model import Note, Place
from engine.record.output import Output
from engine.record.session import Wanted
from engine.record.source import Limits, ProgramError, Source
from engine.record.tree_json import read
from engine.record.watching import COUNTED, ENDED, SCENE, unwatched

if TYPE_CHECKING:
    from engine.sandbox.run import Export, SandboxOutcome, SandboxRun

Changes: TypeAlias = Mapping[Place, float]
"""The numbers that a run gives leaves, by their places."""
OUTPUT = 16 << 20  # bytes
WAY_OUT = "Do fewer turns of the loop, or take fewer samples or a smaller network, to see the end."
_DEEP = re.compile("stack|recursion", re.IGNORECASE)
LESS_DEEP = "Write a loop in place of the nesting."
DIGITS = 10
"""Of the number of a scene: the instance may say anything."""
PATIENCE = 2.0
"""How often the time of a run may be taken by the run up to where it was stopped."""
_ENDINGS = {
    "time": "it takes more than {seconds:g} seconds",
    "memory": "it takes more memory than there is for it",
    "output": "it prints too much",
    "cancelled": "nobody waits for it any more",
    "depth": "calls, or data in data, are nested too deeply for what runs it",
}
_BROKE = "it broke what runs it"
_LEAVE_ALONE = "Leave the modules of Python, and the objects that they hold, as they are."


class ProgramStopped(ProgramError):
    """A program that was stopped, and why."""

    def __init__(self, why: str, hint: str, printed: Sequence[str] = ()) -> None:
        super().__init__(f"The program was stopped: {why}.", hint=hint, printed=printed)
        self.why = why


def broken(printed: Sequence[str] = ()) -> ProgramStopped:
    """What is said of a program whose record is not one, as the instance may say anything."""
    return ProgramStopped(_BROKE, _LEAVE_ALONE, printed)


_NESTS = sys.version_info >= (3, 12)
"""Whether this Python reads f-strings as those of the sandbox are read (PEP 701)."""
_F_STRING = re.compile(r"(?<!\w)(?:f|rf|fr)['\"]", re.IGNORECASE)


def parsed(text: str) -> ast.Module:
    """The syntax tree of a program for the sandbox, whichever Python asks. Raises SyntaxError.

    f-strings that Python 3.11 refuses are read inside. Raises RecursionError for what is nested
    too deeply.
    """
    try:
        return parser_lock.module(text)
    except SyntaxError:
        if _NESTS or not _F_STRING.search(text):
            raise
    reply = run_inside(json.dumps({"tree": text}), Limits().seconds).reply
    if reply is None:  # the parser, or what writes its tree, has come to the end of its stack
        raise RecursionError
    found = json.loads(reply)
    if "error" in found:
        message, *place = found["error"]
        line, column, end_line, end_column = place
        raise SyntaxError(message, (None, line, column, None, end_line, end_column))
    tree: ast.Module = read(found["tree"])
    return tree


class Recording:
    """The recorded runs of one program."""

    repeats = True

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source, self.limits = source, limits
        self.known_end: dict[str, Any] = {}
        """Where the program is to end, if it is stopped otherwise; see `engine.record.guest`."""

    def record(self, wanted: Wanted) -> str:
        """The record of a run, as JSON.

        Raises ProgramError for a program that is refused, fails, or is stopped without a scene.
        """
        request = self._request(wanted, [wanted.changes or {}])
        outcome = self._outcome(request | self.known_end)
        record = _record_in(outcome.reply or "")
        if record is None:
            record = self._to_last_scene(request, outcome)
        return record

    def records(self, wanted: Wanted, points: Sequence[Changes]) -> list[str | None]:
        """The records of short runs, each with its own changes; None for one that fails.

        One instance makes them all. If it does not come to the end, each run has its own, but not
        those of a program that was stopped before.
        """
        request = self._request(wanted, points) | self.known_end
        replies = (self._outcome(request).reply or "").split("\n")
        if len(replies) != len(points) and self.known_end:
            return [None for _ in points]
        if len(points) > 1 and len(replies) != len(points):
            return [self.records(wanted, [changes])[0] for changes in points]
        found: list[str | None] = []
        for reply in replies:
            try:
                found.append(_record_in(reply))
            except ProgramError:
                found.append(None)
        return found

    def _request(self, wanted: Wanted, points: Sequence[Changes]) -> dict[str, Any]:
        known = wanted.known
        return {
            "text": self.source.text,
            "limits": asdict(self.limits),
            "known": known and [[key, *place_row(place)] for place, key in known.items()],
            "points": [
                [[*place_row(place), number] for place, number in changes.items()]
                for changes in points
            ],
            "scene": wanted.scene,
            "judged": wanted.judged,
            "arrays": wanted.arrays,
            "output": wanted.output,
            "enough": wanted.enough,
        }

    def _to_last_scene(self, request: dict[str, Any], stopped: SandboxOutcome) -> str:
        """The record of a run that was stopped, as far as its last recorded scene.

        A run is the same each time: it is run again up to there. One that ended, and was stopped
        while it was judged, is run without being judged. Raises ProgramError if neither succeeds.
        """
        stop = self._stop(stopped)
        if request["judged"] and any(kind == ENDED for kind, _ in stopped.emitted):
            found, _ = self._again({**request, "judged": False}, stop)
            return _noted(found, f"The gradients are not judged: with that {stop.why}.")
        until, counted = _last(stopped, SCENE), _last(stopped, COUNTED)
        if not until:
            raise _error(stopped.reply.removeprefix(ERROR)) if stopped.reply else stop
        rest = unwatched(counted, until) if counted else None
        end = {"until": until, "rest": rest}
        found, shown = self._again(request | end, stop)
        self.known_end = end
        message = f"{stop.message} Shown is its last recorded scene, {shown}. {stop.hint}"
        return _noted({**found, "printed": stop.printed}, message, "stopped")

    def _again(
        self, request: Mapping[str, Any], stop: ProgramStopped
    ) -> tuple[dict[str, Any], str]:
        """What a second run found, and its last scene. Raises `stop` if it was stopped, too."""
        record = _record_in(self._outcome(request, PATIENCE).reply or "")
        try:  # the instance may say anything
            found: dict[str, Any] = json.loads(record or "")
            titles = [str(title) for title in (found["scenes"] or [[], [], []])[2]]
            found["notes"] = NOTE.read(None, found["notes"])
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            raise stop from None
        return found, titles[-1] if titles else "none"

    def _stop(self, outcome: SandboxOutcome) -> ProgramStopped:
        """Why a run was stopped, with all that it printed."""
        output = Output(self.source, self.limits)
        output.print_text(outcome.text())
        ending = "depth" if _DEEP.search(outcome.reason) else outcome.ending
        why = _ENDINGS.get(ending) or (_ENDINGS["memory"] if outcome.reply else "")
        if not why:
            return broken(output.printed_lines())
        hint = LESS_DEEP if ending == "depth" else WAY_OUT
        return ProgramStopped(why.format(seconds=self.limits.seconds), hint, output.printed_lines())

    def _outcome(self, request: Mapping[str, Any], patience: float = 1.0) -> SandboxOutcome:
        seconds = patience * self.limits.seconds
        return run_inside(json.dumps(request, separators=(",", ":")), seconds)


def run_inside(request: str, seconds: float, export: Export = "handle") -> SandboxOutcome:
    """The outcome of a run in the sandbox, in the turn of this thread."""
    # the rest of the library calculates without what the sandbox needs
    from engine.sandbox.run import Budget
    from engine.sandbox.sandbox import sandbox

    budget = Budget(seconds=seconds, output=OUTPUT)
    turn = turns.current()
    turn.begin()
    while True:
        try:
            return _ended(sandbox().start(request, export=export, limits=budget), turn)
        except turns.Later:
            turn.wait()


def _ended(run: SandboxRun, turn: turns.Turn) -> SandboxOutcome:
    """The outcome of a run, which ends early if its turn does."""
    began = time.monotonic()
    while True:
        try:
            return run.outcome(turn.every)
        except TimeoutError:
            try:
                turn.pause(time.monotonic() - began)
            except BaseException:
                run.cancel()
                raise


def _record_in(reply: str) -> str | None:
    """The record of a run; None if it was stopped. Raises ProgramError if the program failed."""
    if reply.startswith(RECORD):
        return reply.removeprefix(RECORD)
    if reply.startswith(ERROR):
        error = _error(reply.removeprefix(ERROR))
        if error.message != MemoryError.__name__ or _is_raised(error):
            raise error
    return None


def _is_raised(error: ProgramError) -> bool:
    """Whether the program's own line raises the exception that ended it."""
    return len(error.traceback) > 1 and error.traceback[-2].strip().startswith("raise ")


def _last(outcome: SandboxOutcome, kind: str) -> int:
    """The number in the last chunk of a kind; 0 if there is none."""
    found = [text for of, text in outcome.emitted if of == kind]
    is_number = found and found[-1].isdecimal() and len(found[-1]) < DIGITS
    return int(found[-1]) if is_number else 0


def _noted(found: dict[str, Any], message: str, *names: str) -> str:
    """A record, whose notes are read, with one more, which is also written under `names`."""
    note = Note(message, (1, 1, 1, 2))
    written = {"notes": [note, *found["notes"]], **{name: [note] for name in names}}
    rows = {name: NOTE.write(None, notes) for name, notes in written.items()}
    return json.dumps({**found, **rows}, separators=(",", ":"))


def _error(text: str) -> ProgramError:
    """What the instance says went wrong; it may say anything."""
    try:
        found = json.loads(text)
        line, column, end_line, end_column = (max(1, int(x)) for x in found["span"])
        return ProgramError(
            str(found["message"]),
            (line, column, end_line, end_column),
            str(found["hint"]),
            [str(x) for x in found["printed"]],
            [str(x) for x in found["traceback"]],
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return broken()

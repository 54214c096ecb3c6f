"""Runs of a program in the sandbox, each recorded from beside it.

The program is a stranger's text. It runs in an instance of its own, whose answer is only read as
data: see `engine.record.guest` for what goes in and comes out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engine import turns
from engine.record.guest import ERROR, RECORD, UNFINISHED, place_row
from engine.record.model import Place
from engine.record.source import Limits, ProgramError, Source

if TYPE_CHECKING:
    from engine.sandbox.run import SandboxOutcome, SandboxRun

MEMORY = 256 << 20
OUTPUT = 64 << 20  # bytes: unfinished records among them
WAY_OUT = "Do fewer turns of the loop, or take fewer samples or a smaller network, to see the end."
_ENDINGS = {
    "time": "it takes more than {seconds:g} seconds",
    "memory": "it takes more memory than there is for it",
    "output": "it prints too much",
    "cancelled": "nobody waits for it any more",
}


class Recording:
    """The recorded runs of one program."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source, self.limits = source, limits

    def record(
        self,
        changed: Mapping[Place, float],
        known: Mapping[Place, str] | None,
        scene: int | None,
        is_judged: bool,
    ) -> str:
        """The record of a run with other numbers at some leaves, as JSON.

        `known` are the names of the leaves of the program's own run, None if this is that run.
        Raises ProgramError for a program that is refused, fails, or is stopped with nothing drawn.
        """
        request = {
            "text": self.source.text,
            "limits": asdict(self.limits),
            "known": known and [[key, *place_row(place)] for place, key in known.items()],
            "changes": [[*place_row(place), number] for place, number in changed.items()],
            "scene": scene,
            "judged": is_judged,
        }
        # the rest of the library calculates without what the sandbox needs
        from engine.sandbox.run import Budget
        from engine.sandbox.sandbox import sandbox

        budget = Budget(seconds=self.limits.seconds, memory=MEMORY, output=OUTPUT)
        turn = turns.current()
        turn.begin()
        run = sandbox().start(json.dumps(request, separators=(",", ":")), limits=budget)
        return self._record_of(_ended(run, turn))

    def _record_of(self, outcome: SandboxOutcome) -> str:
        reply = outcome.reply or ""
        if reply.startswith(RECORD):
            return reply.removeprefix(RECORD)
        if reply.startswith(ERROR):
            raise _error(reply.removeprefix(ERROR))
        unfinished = [text for kind, text in outcome.emitted if kind == UNFINISHED]
        why = _ENDINGS.get(outcome.ending, "it broke what runs it").format(
            seconds=self.limits.seconds
        )
        message = f"The program was stopped: {why}."
        if unfinished:
            return _stopped(unfinished[-1], message, outcome.text().split("\n"))
        printed = outcome.text().split("\n")[: self.limits.printed_lines]
        raise ProgramError(message, (1, 1, 1, 2), WAY_OUT, printed if any(printed) else ())


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


def _stopped(record: str, message: str, printed: list[str]) -> str:
    """The last record that left a run which was stopped, with all that it printed."""
    try:
        found: dict[str, Any] = json.loads(record)
        shown = found["scenes"][-1][2]
    except (ValueError, KeyError, IndexError, TypeError):
        raise ProgramError(message, (1, 1, 1, 2), WAY_OUT, printed) from None
    if printed and not printed[-1]:
        printed.pop()
    found["printed"] = printed
    found["stopped"] = [
        f"{message} Shown is its last finished scene, {shown}. {WAY_OUT}",
        1,
        1,
        1,
        2,
    ]
    found["notes"] = [found["stopped"], *found["notes"]]
    return json.dumps(found, separators=(",", ":"))


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
    except (ValueError, KeyError, TypeError):
        return ProgramError("The program broke what runs it.")

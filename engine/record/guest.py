"""What runs beside a program in the sandbox: a request for runs in, their records out.

A request is JSON:

    text, limits    the program, and the fields of `Limits`
    known           [name, node, turn] of each leaf of the program's own run; null for that run
    points          for each run, [node, turn, number] of leaves that are given another number
    scene           the id of the scene that is drawn; null for the last one
    arrays          whether operations on whole arrays are kept
    output          the place of the number that is drawn, if no pass is; null for the last one
    enough          the count of named numbers after which the run ends; 0 for none
    judged          whether the run has a witness
    rest, until     of a run that was stopped before: the scenes between which it is not watched,
                    and the one with which it ends; 0 for none

or, in place of all of these,

    tree            a text whose syntax tree is wanted, or its first error

where a node of the text is [type, line, column, end line, end column]. The answer has a line for
each run, which begins with RECORD or ERROR. While a single run goes on, what it prints leaves as
chunks, and the number of each scene that it has finished as a chunk SCENE; COUNTED and ENDED are
chunks of `watching`, too.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from typing import Any

from engine import parser_lock
from engine.garbage import COLLECT_AFTER

from .model import Place
from .run import compiled
from .session import RecordingSession, Wanted
from .source import Limits, ProgramError, Source
from .tree import place_of
from .tree_json import written

RECORD, ERROR = "record ", "error "
"""How a line of an answer begins: before a record, or before what is wrong with the program."""
IS_INSIDE = sys.platform == "wasi"

SAMPLE = """
class Value:
    def __init__(self, data, _children=()):
        self.data, self.grad = data, 0.0
        self._backward, self._prev = lambda: None, set(_children)
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()
a = Value(2.0)
for turn in range(2):
    L = a * Value(-3.0)
    L.backward()
print(f"{L.data:.4f}")
"""
"""A program that uses most of what programs use."""


def handle(request: str) -> str:
    """The answer to a request."""
    asked = json.loads(request)
    if "tree" in asked:
        return _tree(asked["tree"])
    points = asked.get("points") or [[]]
    try:
        limits = Limits(**asked.get("limits") or {})
        source = Source(asked["text"], limits)
        program = compiled(
            source, judged=bool(asked.get("judged")), arrays=bool(asked.get("arrays"))
        )
        places = source.nodes if asked.get("known") or any(points) else {}
        emit = _emit if IS_INSIDE and len(points) == 1 else None
    except ProgramError as error:
        return _refusal(error)
    wanted = [_wanted(asked, point, places) for point in points]
    return "\n".join(
        _answer(RecordingSession(source, limits, each, program), emit) for each in wanted
    )


def _tree(text: str) -> str:
    """The syntax tree of a text, or the place and words of its first error."""
    try:
        return json.dumps({"tree": written(parser_lock.module(text))}, separators=(",", ":"))
    except SyntaxError as error:
        place = error.lineno, error.offset, error.end_lineno, error.end_offset
        return json.dumps({"error": [error.msg, *place]})


def _answer(session: RecordingSession, emit: Callable[[str, str], None] | None) -> str:
    session.emit = emit
    try:
        return RECORD + session.record()
    except ProgramError as error:
        return _refusal(error)


def _refusal(error: ProgramError) -> str:
    return ERROR + json.dumps(_described(error), separators=(",", ":"))


def warm() -> None:
    """Make ready what the first run would make, before the snapshot is taken."""
    handle(json.dumps({"text": SAMPLE}))
    gc.set_threshold(*COLLECT_AFTER)  # a collection touches the whole snapshot


def _emit(kind: str, text: str) -> None:
    from engine.sandbox.inside.output import emit

    emit(kind, text)


def _wanted(asked: dict[str, Any], changes: list[Any], places: Any) -> Wanted:
    known = asked.get("known")
    first, last = asked.get("rest") or (0, 0)
    return Wanted(
        known=None if known is None else {_place(places, row[1:]): row[0] for row in known},
        changes={_place(places, row[:2]): float(row[2]) for row in changes},
        scene=asked.get("scene"),
        judged=bool(asked.get("judged")),
        arrays=bool(asked.get("arrays")),
        output=asked.get("output"),
        enough=asked.get("enough") or 0,
        rest=(first, last),
        until=asked.get("until") or 0,
    )


def _place(places: Any, row: list[Any]) -> Place:
    node, turn = row
    return Place(places.get(tuple(node)), turn)


def place_row(place: Place) -> list[Any]:
    """The place of a leaf as JSON has it."""
    return [place_of(place.at), place.turn]


def _described(error: ProgramError) -> dict[str, Any]:
    """An error of a program as JSON-ready values."""
    return {
        "message": error.message,
        "span": list(error.span),
        "hint": error.hint,
        "printed": list(error.printed),
        "traceback": list(error.traceback),
    }

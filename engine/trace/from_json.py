"""A trace out of its JSON, as `engine.trace.trace_json` writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.ops import OPS
from engine.program import Note
from engine.reverse import Contribution
from engine.verdict.kinds import KINDS
from engine.verdict.model import Fix, Mistake, Running, Verdict

from .changes import changes
from .model import Alarm, Frame, Group, Leftover, Listed, Node, WrittenGradient
from .traced import Trace

Json = Mapping[str, Any]
_PASSES = {name: name for name in ("forward", "backward")}
_TRUTHS = {None: None, True: True, False: False}
_WORD = re.compile(r"[A-Za-z][\w-]{0,60}", re.ASCII)


class NoTraceError(ValueError):
    """A text that is not the JSON of a trace."""


def read(text: str) -> Trace:
    """The trace that was written as `text`, but for charts and opened operations.

    Raises NoTraceError.
    """
    try:
        return _trace(json.loads(text))
    except RecursionError:
        raise NoTraceError("This JSON is nested too deeply to be a trace.") from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise NoTraceError("This is not the JSON of a trace, or not the whole of it.") from None


def _trace(given: Json) -> Trace:
    nodes = tuple(map(_node, given["nodes"]))
    by_id = {node.id: node for node in nodes}
    frames = tuple(map(_frame, given["frames"]))
    for frame in frames:
        _known(by_id, [frame.node, *frame.given, *(c.to for c in frame.contributions)])
    for node in nodes:
        _known(by_id, node.args)
    if given["output"] is not None:
        _known(by_id, [given["output"]])
    notes = tuple(map(_note, given["notes"]))
    stopped = _note(given["stopped"]) if "stopped" in given else None
    return Trace(
        program=_text(given["program"]),
        output=given["output"],
        nodes=nodes,
        frames=frames,
        groups=tuple(map(_group, given["groups"])),
        printed=_texts(given["printed"]),
        warnings=tuple(Alarm(it["node"], _text(it["message"])) for it in given["warnings"]),
        notes=notes,
        changes=tuple(changes(frame, by_id) for frame in frames),
        rule="micrograd",
        remarks={
            at: _texts(frame["remarks"])
            for at, frame in enumerate(given["frames"])
            if "remarks" in frame
        },
        stale=frozenset(),
        scenes=tuple(map(_scene, given["scenes"])),
        scene=given["scene"],
        true_grads={it["id"]: _number_or_none(it["true_grad"]) for it in given["nodes"]},
        verdict=_verdict(given["verdict"], given["mistakes"]),
        stopped=stopped,
    )


def _known(by_id: Mapping[str, Node], ids: Sequence[str]) -> None:
    for name in ids:
        if name not in by_id:
            raise KeyError(name)


def _number(x: Any) -> float:
    if isinstance(x, bool) or not isinstance(x, int | float | str):
        raise TypeError(x)
    return float(x)


def _number_or_none(x: Any) -> float | None:
    return None if x is None else _number(x)


def _text(x: Any) -> str:
    if not isinstance(x, str):
        raise TypeError(x)
    return x


def _id(x: Any) -> str:
    """An identifier or a word, as stands in a picture without being escaped."""
    if not _WORD.fullmatch(_text(x)):
        raise ValueError(x)
    return str(x)


def _ids(given: Any) -> tuple[str, ...]:
    return tuple(map(_id, given))


def _id_or_none(x: Any) -> str | None:
    return None if x is None else _id(x)


def _texts(given: Any) -> tuple[str, ...]:
    return tuple(map(_text, given))


def _span(given: Any) -> tuple[int, int, int, int]:
    line, column, end_line, end_column = (max(int(x), 1) for x in given)
    return line, column, end_line, end_column


def _node(given: Json) -> Node:
    return Node(
        _id(given["id"]),
        _text(given["label"]),
        None if given["op"] is None else OPS[given["op"]].name,
        _ids(given["args"]),
        _number(given["data"]),
        _number_or_none(given["grad"]),
        _span(given["span"]),
        _id(given["kind"]),
        None if given["key"] is None else _text(given["key"]),
        _id_or_none(given["group"]),
        _span(given["caller"]) if "caller" in given else None,
        _text(given["name"]),
    )


def _frame(given: Json) -> Frame:
    return Frame(
        _PASSES[given["pass"]],
        _id(given["node"]),
        _number(given["data"]),
        _ids(given.get("given", ())),
        tuple(map(_contribution, given.get("contributions", ()))),
        _number_or_none(given.get("seed")),
        _number(given.get("before", 0.0)),
        tuple(Leftover(_id(given["node"]), 0.0, False) for _ in given.get("remarks", ())),
        _written(given["written"]) if "written" in given else None,
    )


def _contribution(given: Json) -> Contribution[str]:
    numbers = [_number(given[key]) for key in ("partial", "upstream", "amount", "before", "after")]
    return Contribution(_id(given["to"]), int(given["slot"]), *numbers)


def _written(given: Json) -> WrittenGradient:
    running = given.get("running")
    return WrittenGradient(
        _number(given["before"]),
        _number(given["after"]),
        _span(given["span"]),
        bool(given["adds"]),
        _number_or_none(given["due"]),
        _TRUTHS[given["right"]],
        running
        and Running(_text(running["function"]), _span(running["span"]), running["variables"]),
        _id_or_none(given.get("user")),
        _number_or_none(given.get("amount")),
        _text(given.get("arithmetic", "")),
    )


def _group(given: Json) -> Group:
    return Group(
        _id(given["id"]),
        _id_or_none(given["parent"]),
        _id(given["kind"]),
        _text(given["title"]),
        tuple(map(int, given.get("shape", ()))),
        tuple(map(_id_or_none, given.get("cells", ()))),
        _text(given.get("op", "")),
        given.get("expands", "") and _id(given["expands"]),
    )


def _note(given: Json) -> Note:
    return Note(_text(given["message"]), _span(given["span"]))


def _scene(given: Json) -> Listed:
    return Listed(
        int(given["id"]),
        _text(given["kind"]),
        _span(given["span"]),
        _text(given["title"]),
        _number_or_none(given["data"]),
    )


def _mistake(given: Json) -> Mistake:
    fix = given["fix"]
    return Mistake(
        KINDS[given["kind"]].name,
        _span(given["span"]),
        _id_or_none(given["node"]),
        _number_or_none(given["written"]),
        _number_or_none(given["due"]),
        _text(given["message"]),
        _text(given["cure"]),
        given["frame"],
        _number_or_none(given["ends"]),
        _number_or_none(given["true"]),
        why=_text(given["why"]),
        fix=fix and Fix(_span(fix["span"]), _text(fix["text"])),
    )


def _verdict(given: Json | None, mistakes: Sequence[Json]) -> Verdict | None:
    if given is None:
        return None
    return Verdict(
        true_grads={},
        frames={},
        mistakes=tuple(map(_mistake, mistakes)),
        right=int(given["right"]),
        checked=int(given["checked"]),
        unknown=int(given["unknown"]),
        points=int(given["points"]),
        is_own=bool(given["own"]),
        ends={_id(key): x for key, x in given["ends"].items()},
        because=_text(given["because"]),
        seed=_number(given["seed"]),
    )

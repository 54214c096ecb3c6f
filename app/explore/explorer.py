"""Explore: a program's graph with both passes. What the page and its fragments show."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from app.cache import Cache
from app.explore import explanation
from app.explore.address import View, to_parameter
from app.explore.examples import EXAMPLES
from app.picture import layout
from app.picture.drawing import page_svg, standalone_svg
from app.picture.grouping import Graph, visible
from app.serving.rendering import Renderer
from app.settings import Settings
from engine.language.program import Program, ProgramError, UnknownLeaf
from engine.numbers import full, short
from engine.trace import gradcheck
from engine.trace.build import trace
from engine.trace.model import Node, Trace
from engine.trace.transcript import transcript

PROGRAMS, TRACES = 64, 64  # kept for the next request: the same program with another leaf or frame
KEPT_PROGRAMS, KEPT_TRACES = 500_000, 60_000  # characters; nodes and frames; in all
UNKNOWN = 5  # names of unknown leaves that an answer lists
LINE = 110  # bytes of a line of the transcript besides its words
LEFT_OUT = (
    "The transcript is left out: it has {size:,} bytes, and at most {most:,} are sent. "
    "A shorter program has one."
)
LONG = "The trace of this graph takes {size:,} bytes of the page; at most {most:,} are sent."
OFFER = "The layout of this picture takes longer than {seconds:g} seconds and was stopped."


class LeafRow(NamedTuple):
    """A control for a leaf that can be changed: its number, default and slider."""

    key: str
    label: str
    value: str
    full: str
    default: str
    min: str
    max: str
    step: str
    moved: str
    """Its number in the graph, where training has moved it from its start."""


class CheckRow(NamedTuple):
    """A leaf's gradient beside the slope that the nudge measured."""

    key: str
    label: str
    grad: str
    nudge: str
    verdict: str
    ok: bool


class Shown(NamedTuple):
    """HTML with its status, and whether the same address gives it again at another time."""

    text: str
    status: int
    lasting: bool = True


class Explorer:
    """Answers Explore's requests; holds nothing but caches."""

    def __init__(self, settings: Settings, renderer: Renderer) -> None:
        self.settings = settings
        self.renderer = renderer
        self._programs: Cache[Program] = Cache(PROGRAMS, KEPT_PROGRAMS)
        self._traces: Cache[Trace] = Cache(TRACES, KEPT_TRACES)

    # Answers

    def page(self, view: View) -> Shown:
        """The whole page."""
        context = self.context(_or_example(view))
        return _shown(self.renderer.page("explore.html", context), context)

    def fragment(self, view: View) -> Shown:
        """All that depends on the program."""
        context = self.context(view)
        return _shown(self.renderer.fragment("explore.html", "result", context), context)

    def numbers(self, view: View) -> Shown:
        """The trace with other leaves, for a picture that is already there."""
        try:
            _, shown, notes = self._run(view)
            context = self._numbers_context(shown, notes)
        except ProgramError as error:
            context = {**self._page_context(view), **_empty(), "error": error}
            return Shown(self.renderer.fragment("explore.html", "result", context), 422)
        return Shown(self.renderer.fragment("explore.html", "numbers", context), 200)

    def words(self, view: View) -> Shown:
        """The transcript alone."""
        try:
            _, shown, _ = self._run(view)
        except ProgramError as error:
            return Shown(Markup("<li>{}</li>").format(error.message), 422)
        context = {**self._words_context(shown), "frame": _clamp(shown, view.frame)}
        return Shown(self.renderer.fragment("explore.html", "lines", context), 200)

    def picture(self, view: View) -> str:
        """The picture alone. Raises ProgramError, LayoutError."""
        view = _or_example(view)
        _, shown, _ = self._run(view)
        return standalone_svg(shown, self._place(self._graph(shown, view), view), view.frame)

    # What is shown

    def context(self, view: View) -> dict[str, Any]:
        """Everything that the page's template names. Raises LayoutBusy, before the other work."""
        context = {**self._page_context(view), **_empty()}
        try:
            program, shown, notes = self._run(view)
            graph = self._graph(shown, view)
            context |= self._picture_context(shown, graph, view)
            if context["picture"]:
                context |= self._numbers_context(shown, notes)
                context |= self._words_context(shown)
        except ProgramError as error:
            return {**self._page_context(view), **_empty(), "error": error}
        frame = _clamp(shown, view.frame)
        return context | {
            "frame": frame,
            "frame_count": len(shown.frames),
            "pass": shown.frames[frame].pass_,
            "counts": self._counts(shown, graph),
            "leaves": _leaves(shown, program, view),
            "explanation": explanation.card(shown, frame),
            "explain_templates": explanation.templates(shown),
            "grouped": graph.grouped,
            "links": _links(view, frame, len(shown.frames)),
            "svg_href": f"/graph.svg?{view.query()}",
        }

    def _picture_context(self, shown: Trace, graph: Graph, view: View) -> dict[str, Any]:
        try:
            placement = self._place(graph, view)
        except layout.LayoutError:
            return {"offer": self._offer(view, graph)}
        return {"picture": page_svg(shown, placement, _clamp(shown, view.frame))}

    def _words_context(self, shown: Trace) -> dict[str, Any]:
        """The transcript, or what is said in its place."""
        lines = _transcript(shown)
        size = sum(LINE + len(escape(line["text"])) for line in lines)
        most = self.settings.whole("transcript_bytes")
        if size <= most:
            return {"transcript": lines, "left_out": ""}
        return {"transcript": [], "left_out": LEFT_OUT.format(size=size, most=most)}

    def _page_context(self, view: View) -> dict[str, Any]:
        return {
            "page": "explore",
            "program": view.program or "",
            "examples": EXAMPLES,
            "program_bytes": self.settings.whole("program_bytes"),
            "direction": view.direction,
            "open": ",".join(sorted(view.open)) if view.open is not None else "",
            "grouped": bool(view.grouped),
            "svg_href": "",
        }

    def _numbers_context(self, shown: Trace, notes: Iterable[str]) -> dict[str, Any]:
        names = shown.names()
        return {
            "trace_json": self._json(shown),
            "check": self._check(shown),
            "output_label": names[shown.output],
            "printed": shown.printed,
            "warnings": shown.warnings,
            "notes": [*({"message": note} for note in notes), *shown.notes],
        }

    def _json(self, shown: Trace) -> Markup:
        """The trace for the page. Raises ProgramError if it is too long for one."""
        text, most = _json(shown), self.settings.whole("page_bytes")
        if len(text) <= most:
            return text
        longest = max(shown.nodes, key=lambda node: len(node.label))
        message = LONG.format(size=len(text), most=most)
        raise ProgramError(message, longest.span, "Give shorter labels, or make fewer Values.")

    def _counts(self, shown: Trace, graph: Graph) -> str:
        """How much there is, and what of it `max_drawn` keeps closed."""
        operations = sum(node.op is not None for node in shown.nodes)
        text = f"{_plural(len(shown.nodes), 'Value')}, {_plural(operations, 'operation')}"
        if not graph.refused:
            return text
        closed, most = _plural(len(graph.refused), "group"), self.settings.whole("max_drawn")
        return f"{text}; at most {most:,} are drawn at once: {closed} more cannot be opened"

    def _run(self, view: View) -> tuple[Program, Trace, list[str]]:
        program = self._program(view.program or "")
        leaves, notes = dict(view.leaves), []
        if leaves or view.unread:
            known = program.defaults()
            notes += [
                f"{name} needs a number; the program's own is used."
                for name in view.unread
                if name in known
            ]
            unknown = [name for name in leaves if name not in known]
            notes += [str(UnknownLeaf(name, list(known))) for name in unknown[:UNKNOWN]]
            if len(unknown) > UNKNOWN:
                notes.append(f"So it is with {len(unknown) - UNKNOWN:,} more names of leaves.")
            leaves = {name: x for name, x in leaves.items() if name in known}
        return program, self._trace(view.program or "", tuple(sorted(leaves.items()))), notes

    def _program(self, text: str) -> Program:
        program = self._programs.get(text)
        if program is None:
            program = Program(text, self.settings.limits)
            self._programs.put(text, program, len(text))
        return program

    def _trace(self, text: str, leaves: tuple[tuple[str, float], ...]) -> Trace:
        found = self._traces.get((text, leaves))
        if found is None:
            found = trace(self._program(text), dict(leaves))
            self._traces.put((text, leaves), found, len(found.nodes) + len(found.frames))
        return found

    def _graph(self, shown: Trace, view: View) -> Graph:
        limit, copies = self.settings.whole("max_drawn"), self.settings.whole("copy_over")
        return visible(shown, view.open, limit, copies, view.grouped)

    def _place(self, graph: Graph, view: View) -> layout.Placement:
        return layout.place(graph, view.direction, self.settings.number("layout_seconds"))

    def _offer(self, view: View, graph: Graph) -> dict[str, str]:
        """What to do when the layout took too long: draw groups, or close some."""
        grouped = View(view.program, view.leaves, view.frame, view.direction, True)
        words = "Close the groups" if graph.grouped else "Draw it in groups"
        message = OFFER.format(seconds=self.settings.number("layout_seconds"))
        return {"message": message, "href": f"/?{grouped.query()}", "words": words}

    def _check(self, shown: Trace) -> list[CheckRow] | None:
        if gradcheck.cost(shown) > self.settings.whole("check_operations"):
            return None
        names = shown.names()
        by_id = {node.id: node for node in shown.nodes}
        return [
            CheckRow(
                key=_key(by_id[row.node]),
                label=names[row.node],
                grad=short(row.grad),
                nudge=short(row.slope),
                verdict=_verdict(row, by_id[row.node]),
                ok=row.ok,
            )
            for row in gradcheck.check(shown)
        ]


def _shown(text: str, context: dict[str, Any]) -> Shown:
    """A layout that was given up may be done in time at another time."""
    return Shown(text, 422 if context["error"] else 200, lasting=not context["offer"])


def _or_example(view: View) -> View:
    """The view, or that of the first example where the address names no program."""
    return view if view.program is not None else replace(view, program=EXAMPLES[0].program)


def _verdict(row: gradcheck.Check, node: Node) -> str:
    """What to think of a check, and what of the node's gradient is older than this pass."""
    if node.grad is None or node.grad == row.grad or node.grad != node.grad:
        return row.verdict
    return (
        f"{row.verdict} for this pass; its grad of {short(node.grad)} also holds "
        "what earlier passes left"
    )


def _empty() -> dict[str, Any]:
    """The context of a page without a trace."""
    return {
        "error": None,
        "offer": None,
        "picture": None,
        "trace_json": "",
        "frame": 0,
        "frame_count": 0,
        "pass": "forward",
        "counts": "",
        "leaves": [],
        "check": None,
        "output_label": "",
        "explanation": "",
        "explain_templates": "",
        "transcript": [],
        "left_out": "",
        "printed": (),
        "warnings": (),
        "notes": (),
        "links": None,
        "stale": False,
    }


def _json(shown: Trace) -> Markup:
    """The trace for the page: as in the contract, with the keys that the address uses.

    It stands in an element as it is, quotes and all: `&` and `<`, which only strings hold, are
    written as JSON allows.
    """
    plain = shown.to_json()
    by_id = {node.id: node for node in shown.nodes}
    for node in plain["nodes"]:
        if node["key"] is not None:
            node["key"] = to_parameter(node["key"])
    for frame, kept in zip(plain["frames"], shown.frames, strict=True):
        if explanation.kink(by_id[kept.node], by_id):
            frame["kink"] = True
    text = json.dumps(plain, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c"))  # noqa: S704


def _key(node: Node) -> str:
    return to_parameter(node.key) if node.key else node.id


def _clamp(shown: Trace, frame: int | None) -> int:
    last = len(shown.frames) - 1
    return last if frame is None else min(frame, last)


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _transcript(shown: Trace) -> list[dict[str, Any]]:
    return [
        {"text": line.text, "pass": line.pass_, "frame": line.frame} for line in transcript(shown)
    ]


def _leaves(shown: Trace, program: Program, view: View) -> list[LeafRow]:
    defaults = program.defaults()
    rows = []
    for node in shown.nodes:
        if node.key is None or node.key not in defaults:
            continue
        default = defaults[node.key]
        value = view.leaves.get(node.key, default)
        reach = slider_reach(default, value)
        rows.append(
            LeafRow(
                key=to_parameter(node.key),
                label=node.label if node.key == node.label else node.key,
                value=short(value),
                full=full(value),
                default=full(default),
                min=full(-reach),
                max=full(reach),
                step=full(reach / 100),
                moved=short(node.data) if node.data != value else "",
            )
        )
    return rows


def slider_reach(default: float, value: float) -> float:
    """How far a slider goes to both sides of 0: a round number, twice the leaf or more."""
    size = max(2 * abs(default), abs(value)) if math.isfinite(default) else abs(value)
    if not 1e-12 < size < 1e300:
        return 1.0
    power = 10.0 ** math.floor(math.log10(size))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= size * (1 - 1e-12))


def _links(view: View, frame: int, count: int) -> dict[str, str | None]:
    """Stepping without JavaScript: each frame is a page of its own."""
    first, last = frame == 0, frame == count - 1
    to = {
        "first": None if first else 0,
        "back": None if first else frame - 1,
        "forward": None if last else frame + 1,
        "last": None if last else count - 1,
    }
    query = view.at(None).query()
    return {name: None if at is None else f"/?{query}&frame={at}" for name, at in to.items()}

"""Explore's responses: the page, its fragments and the picture, for a view of a program."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup, escape

from app.explore import charts, lenses, mistakes, verdict, words
from app.explore.array_view import CUT_SHORT, array_view, draws_arrays
from app.explore.drawn import Drawing, drawn
from app.explore.examples import EXAMPLES, begun, or_example
from app.explore.film import Film, film
from app.explore.leaves import leaf_rows
from app.explore.lenses import Lens, LensSubject, Section
from app.explore.page import (
    ExplorePage,
    NumbersFragment,
    ProgramForm,
    Transcript,
)
from app.explore.page_json import page_json
from app.explore.picture_parts import NO_TIMELINE, PictureStage, Timeline
from app.explore.runs import ProgramRuns, known_leaves
from app.explore.scenes import chooser
from app.explore.stages import Stages, svg_href
from app.explore.stepping import stepping, timeline
from app.explore.value_card import CardContext, ValueCard, value_card
from app.picture.array_still import standalone_arrays
from app.picture.crowding import can_box
from app.picture.direction import ROOM, Room
from app.picture.drawing import blank_svg, standalone_svg
from app.picture.grouping import VisibleGraph
from app.picture.steps import steps
from app.program_address import View
from app.serving.metrics import observe_layout
from app.serving.rendering import Renderer
from app.settings import Settings
from engine.graph_export.graph import NothingToExport
from engine.pasted.recover import recovered
from engine.program import Program, ProgramError, UnknownLeaf
from engine.trace.traced import Trace
from engine.trace.transcript import transcript

TEMPLATE = "explore.html"
LINE = 110  # bytes of markup per line of the transcript
LEFT_OUT = (
    "The transcript is omitted: its {size:,} bytes exceed the limit of {most:,}. "
    "Shorten the program to see it."
)
LONG = "The trace of this graph takes {size:,} bytes of the page; the limit is {most:,}."
CHARTS = 12  # charts drawn of one run
IDLE = (
    "The program ran, and computed nothing that could be drawn. Add an expression, such as "
    "L = Value(2.0) * 3."
)
PLOTTED = (
    "The program ran, and its output shows what it plotted. End it with an expression, such as "
    "L = Value(2.0) * 3, to see a graph."
)
NO_CARD = Markup("<p>The address names no Value of this graph.</p>")
NO_SECTIONS: tuple[Section, ...] = ()


class HtmlAnswer(NamedTuple):
    """HTML with its status; `cacheable` if it depends on the address alone."""

    text: str
    status: int
    cacheable: bool = True


class Explorer:
    """Answers Explore's requests; its only state is the caches of its runs."""

    def __init__(self, settings: Settings, renderer: Renderer) -> None:
        self.settings = settings
        self.renderer = renderer
        self.runs = ProgramRuns(settings)
        self.stages = Stages(settings, observe_layout)

    # Answers

    def page(self, view: View) -> HtmlAnswer:
        """The whole page."""
        found = self.read(begun(view))
        return _shown(self.renderer.page(TEMPLATE, found.context()), found)

    def fragment(self, view: View) -> HtmlAnswer:
        """All that depends on the program."""
        found = self.read(view)
        return _shown(self.renderer.fragment(TEMPLATE, "result", found.context()), found)

    def numbers(self, view: View) -> HtmlAnswer:
        """The trace with changed leaves, for an existing picture."""
        try:
            _, shown, notes = self.runs.run(view)
            if shown.output is None:
                numbers = NumbersFragment(
                    printed=shown.printed, notes=tuple(notes), charts=_charts(shown)
                )
            else:
                drawing = drawn(shown, view)
                numbers = self._numbers(shown, drawing, view, notes)
                if view.on_edges:
                    found = self.stages.amounts(drawing.trace, view)
                    numbers = replace(numbers, amounts=found.json, strengths=found.samples)
            parts = {"numbers": numbers}
        except ProgramError as error:
            refused = self._refused(view, error)
            return HtmlAnswer(self.renderer.fragment(TEMPLATE, "result", refused.context()), 422)
        return HtmlAnswer(self.renderer.fragment(TEMPLATE, "numbers", parts), 200)

    def words(self, view: View) -> HtmlAnswer:
        """The transcript alone."""
        try:
            _, shown, _ = self.runs.run(view)
        except ProgramError as error:
            return HtmlAnswer(Markup("<li>{}</li>").format(error.message), 422)
        if shown.output is None:
            return HtmlAnswer(Markup(), 200)
        drawing = drawn(shown, view).trace
        timeline = Timeline(_clamp(drawing, view.frame))
        parts = {"transcript": self._transcript(drawing), "timeline": timeline}
        return HtmlAnswer(self.renderer.fragment(TEMPLATE, "lines", parts), 200)

    def kept_code(self, view: View) -> View:
        """The view of the code that can be kept of a program that is refused; else the same."""
        found = recovered(view.program or "", self.settings.limits)
        if found is None:
            return view
        return replace(view, program=found.text, scene=None, frame=None, open=None)

    def redrawn(self, view: View) -> HtmlAnswer:
        """The picture with its caption, for a page that has all else of it."""
        try:
            _, shown, _ = self.runs.run(view)
        except ProgramError as error:
            return HtmlAnswer(Markup("<p>{}</p>").format(error.message), 422)
        if shown.output is None:
            return HtmlAnswer(Markup(), 200)
        shown = drawn(shown, view).trace
        graph = self.stages.graph(shown, view)
        stage = self.stages.stage(shown, graph, view, stepping(shown, view, graph))
        text = self.renderer.fragment(TEMPLATE, "drawing", {"stage": stage})
        return HtmlAnswer(text, 200, cacheable=not stage.offer)

    def section(self, view: View, lens: Lens) -> HtmlAnswer:
        """The contents of one section beside the picture."""
        try:
            program, shown, _ = self.runs.run(view)
        except ProgramError as error:
            return HtmlAnswer(Markup("<p>{}</p>").format(error.message), 422)
        if shown.output is None and not lens.of_text:
            return HtmlAnswer(Markup(), 200)
        return HtmlAnswer(
            lenses.body(self.renderer, lens, self._subject(program, shown, view)), 200
        )

    def card(self, view: View) -> HtmlAnswer:
        """The card of the Value that the address names."""
        try:
            _, shown, _ = self.runs.run(view)
        except ProgramError as error:
            return HtmlAnswer(Markup("<p>{}</p>").format(error.message), 422)
        found = None
        if draws_arrays(shown):
            parts = {"arrays": array_view(shown, view)}
            return HtmlAnswer(self.renderer.fragment(TEMPLATE, "array_frames", parts), 200)
        if shown.output is not None:
            shown = drawn(shown, view).trace
            found = self._card(shown, view, self.stages.graph(shown, view))
        if found is None:
            return HtmlAnswer(NO_CARD, 200)
        return HtmlAnswer(self.renderer.page("value_card.html", {"card": found}), 200)

    def picture(self, view: View) -> str:
        """The picture alone. Raises ProgramError, LayoutError."""
        view = or_example(view)
        _, shown, _ = self.runs.run(view)
        if draws_arrays(shown) and (arrays := array_view(shown, view)) and arrays.picture:
            return standalone_arrays(arrays.picture)
        if shown.output is None:
            return blank_svg(_idle_words(shown))
        shown = drawn(shown, view).trace
        graph = self.stages.graph(shown, view)
        step = stepping(shown, view, graph).step
        return standalone_svg(shown, self.stages.place(graph, view), step, view.on_edges)

    def traced(self, view: View) -> Trace:
        """The trace of a view. Raises ProgramError, UnknownLeaf."""
        return self._drawing(view).trace

    def _drawing(self, view: View) -> Drawing:
        known = self.runs.program(view.program or "").defaults()
        for name in view.leaves:
            if name not in known:
                raise UnknownLeaf(name, list(known))
        return drawn(self.runs.run(view)[1], view)

    def film(self, view: View, room: Room = ROOM) -> Film:
        """The trace of a view, drawn for `room`.

        Raises as `traced`, NothingToExport, LayoutError.
        """
        view = or_example(view)
        drawing = self._drawing(view)
        shown = drawing.trace
        if shown.output is None:
            raise NothingToExport(_idle_words(shown))
        return film(shown, view, self.stages, self._json(shown), room, drawing.broken)

    def is_brief(self, view: View) -> bool:
        """Whether `numbers` of a view takes as little as a change of threads, as far as known."""
        if view.lenses.get(mistakes.PARAMETER) or view.on_edges:
            return False
        return self.runs.is_replayed(view)

    # Parts of the page

    def read(self, view: View) -> ExplorePage:
        """The page of a view. Raises LayoutBusy before doing other work."""
        try:
            program, shown, notes = self.runs.run(view)
            if draws_arrays(shown):
                return self._idle(program, shown, view, notes)
            drawing = drawn(shown, view)
            graph = self.stages.graph(drawing.trace, view)
            now = stepping(drawing.trace, view, graph)
            stage = self.stages.stage(drawing.trace, graph, view, now)
            numbers, transcript, sections, tab = (
                NumbersFragment(),
                Transcript(),
                NO_SECTIONS,
                Markup(),
            )
            if stage.picture:
                numbers = self._numbers(shown, drawing, view, notes)
                transcript = self._transcript(drawing.trace)
                subject = self._subject(program, shown, view)
                sections = tuple(lenses.sections(self.renderer, subject))
                tab = lenses.tab(self.renderer, subject)
        except ProgramError as error:
            return self._refused(view, error)
        return ExplorePage(
            form=self._form(view, graph=graph),
            stage=stage,
            timeline=timeline(drawing.trace, view, now),
            scenes=chooser(shown, view),
            leaves=leaf_rows(shown, program, view),
            numbers=numbers,
            sections=sections,
            tab=tab,
            card=self._card(drawing.trace, view, graph),
            transcript=transcript,
            presents=view.presents and stage.picture is not None,
        )

    def _refused(self, view: View, error: ProgramError) -> ExplorePage:
        """The page of a program that is refused, or fails, with what it printed before."""
        found = verdict.of_failure(error.mistakes, view)
        output = NumbersFragment(printed=error.printed, traceback=error.traceback, verdict=found)
        return ExplorePage(
            self._form(view, error), PictureStage(svg_href=svg_href(view)), numbers=output
        )

    def _idle(
        self, program: Program, shown: Trace, view: View, notes: Iterable[str]
    ) -> ExplorePage:
        """The page of a program that computes nothing to draw; a class can be tested."""
        said = (*notes, *(note.message for note in shown.notes))
        sections = NO_SECTIONS
        if program.source.each(ast.ClassDef):
            sections = tuple(lenses.sections(self.renderer, self._subject(program, shown, view)))
        arrays = array_view(shown, view)
        return ExplorePage(
            form=self._form(view),
            timeline=arrays.timeline if arrays is not None and arrays.frames else NO_TIMELINE,
            stage=PictureStage(idle=said or (_idle_words(shown),), svg_href=svg_href(view)),
            scenes=chooser(shown, view),
            numbers=NumbersFragment(
                printed=shown.printed, charts=_charts(shown), verdict=verdict.of_trace(shown, view)
            ),
            sections=sections,
            arrays=arrays,
        )

    def _form(
        self, view: View, error: ProgramError | None = None, graph: VisibleGraph | None = None
    ) -> ProgramForm:
        return ProgramForm(
            program=view.program or "",
            error=error,
            direction=view.direction or "",
            grouped=graph.grouped if graph else bool(view.grouped),
            can_group=graph is not None and can_box(graph.sections),
            open=",".join(sorted(view.open)) if view.open is not None else "",
            program_bytes=self.settings.whole("program_bytes"),
            examples=EXAMPLES,
            words=words.table().address,
            run=view.lenses.get("run", ""),
            recovered=recovered(view.program or "", self.settings.limits) if error else None,
        )

    def _card(self, shown: Trace, view: View, graph: VisibleGraph) -> ValueCard | None:
        """The card of the Value that the address names; None if it names none."""
        if "value" not in view.lenses:
            return None
        now = stepping(shown, view, graph)
        place = CardContext(view, steps(shown, now.closed), now.closed)
        return value_card(shown, now.step, place)

    def _transcript(self, shown: Trace) -> Transcript:
        lines = transcript(shown)
        size = sum(LINE + len(escape(line.text)) for line in lines)
        most = self.settings.whole("transcript_bytes")
        if size <= most:
            return Transcript(lines)
        return Transcript(left_out=LEFT_OUT.format(size=size, most=most))

    def _numbers(
        self, shown: Trace, drawing: Drawing, view: View, notes: Iterable[str]
    ) -> NumbersFragment:
        closed = [found.message for found in drawing.trace.kept_closed]
        return NumbersFragment(
            trace_json=self._json(drawing.trace),
            printed=shown.printed,
            charts=_charts(shown),
            warnings=(
                *(stop.message for stop in (shown.stopped,) if stop is not None),
                *(warning.message for warning in shown.warnings),
            ),
            notes=(
                *notes,
                *closed,
                *(note.message for note in shown.notes if note is not shown.stopped),
            ),
            verdict=verdict.of_trace(drawing.trace, view),
            broken=drawing.broken,
        )

    def _subject(self, program: Program, shown: Trace, view: View) -> LensSubject:
        return LensSubject(program, shown, view, known_leaves(program, view), self.settings)

    def _json(self, shown: Trace) -> Markup:
        """The trace for the page. Raises ProgramError if it is too long for one."""
        text, most = page_json(shown), self.settings.whole("page_bytes")
        if len(text) <= most:
            return text
        longest = max(shown.nodes, key=lambda node: len(node.label))
        message = LONG.format(size=len(text), most=most)
        raise ProgramError(message, longest.span, "Give shorter labels, or make fewer Values.")


def _shown(text: str, page: ExplorePage) -> HtmlAnswer:
    """A page with an offer cannot be cached: a later layout may meet the deadline."""
    return HtmlAnswer(text, 422 if page.form.error else 200, cacheable=not page.stage.offer)


def _idle_words(shown: Trace) -> str:
    """What is said in place of a picture: why there is none, or what to do."""
    if shown.notes:
        return shown.notes[0].message
    if shown.arrays is not None and not shown.arrays.is_whole:
        return CUT_SHORT
    return PLOTTED if shown.charts else IDLE


def _charts(shown: Trace) -> tuple[Markup, ...]:
    return tuple(charts.chart_svg(chart, i) for i, chart in enumerate(shown.charts[:CHARTS]))


def _clamp(shown: Trace, frame: int | None) -> int:
    last = len(shown.frames) - 1
    return last if frame is None else min(frame, last)

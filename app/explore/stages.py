"""The stage of Explore's page: the graph of a view, placed, or the offer of a coarser picture."""

from __future__ import annotations

from dataclasses import replace

from app.explore.caption import caption, output_name
from app.explore.picture_parts import EMPTY, CoarserPicture, PictureStage
from app.explore.stepping import Stepping
from app.explore.steps_json import steps_json
from app.picture import layout
from app.picture.amounts import EdgeAmounts, edge_amounts
from app.picture.direction import ROOM, larger, presented
from app.picture.drawing import page_svg
from app.picture.grouping import VisibleGraph, visible
from app.picture.large import enlarged, is_large
from app.program_address import View
from app.settings import Settings
from engine.trace.traced import Trace

NO_AMOUNTS = EdgeAmounts(EMPTY)
OFFER = "The layout of this picture took longer than {seconds:g} seconds and was stopped."


class Stages:
    """Draws the graphs of views within the limits of `settings`; `observe` hears of each layout."""

    def __init__(self, settings: Settings, observe: layout.Observe = layout.unobserved) -> None:
        self.settings = settings
        self.observe = observe

    def graph(self, shown: Trace, view: View) -> VisibleGraph:
        """The boxes, edges and open groups that a view draws."""
        limit, copies = self.settings.whole("max_drawn"), self.settings.whole("copy_over")
        over = self.settings.whole("boxes_over")
        graph = visible(shown, view.open, limit, copies, view.grouped, over=over)
        return enlarged(shown, graph) if view.presents else graph

    def place(
        self, graph: VisibleGraph, view: View, room: tuple[float, float] = ROOM
    ) -> layout.Placement:
        """The layout in the direction of the view, or else in that which is larger in `room`,
        or in that of a narrow page.

        Raises LayoutError, LayoutBusy.
        """
        seconds = self.settings.number("layout_seconds")

        def place(direction: str) -> layout.Placement:
            return layout.place(graph, direction, seconds, self.observe)

        if view.direction:
            return place(view.direction)
        above, beside = presented(view.screen) if view.presents else 2 * (view.room or room,)
        return larger(place, len(graph.boxes), above, beside if is_large(graph) else None)

    def stage(self, shown: Trace, graph: VisibleGraph, view: View, now: Stepping) -> PictureStage:
        """The picture at a step with its caption. Raises LayoutBusy."""
        counts = caption(shown, graph, self.settings.whole("max_drawn"))
        href = svg_href(view)
        try:
            placement = self.place(graph, view)
        except layout.LayoutError:
            return PictureStage(offer=self._offer(view, graph), counts=counts, svg_href=href)
        on_edges = view.on_edges
        amounts = edge_amounts(shown, placement) if on_edges else NO_AMOUNTS
        picture = page_svg(shown, placement, now.step, on_edges)
        return PictureStage(
            picture,
            steps_json(shown, graph),
            counts=counts,
            svg_href=href,
            output=output_name(shown),
            on_edges=on_edges,
            strengths=amounts.samples,
            amounts=amounts.json,
        )

    def amounts(self, shown: Trace, view: View) -> EdgeAmounts:
        """What edges show of contributions, for a picture that the page has."""
        try:
            placement = self.place(self.graph(shown, view), view)
        except (layout.LayoutError, layout.LayoutBusy):
            return NO_AMOUNTS
        return edge_amounts(shown, placement)

    def _offer(self, view: View, graph: VisibleGraph) -> CoarserPicture:
        """The offer of a coarser picture after a layout timeout: draw groups, or close them."""
        grouped = replace(view, grouped=True, open=None, unread=())
        message = OFFER.format(seconds=self.settings.number("layout_seconds"))
        words = "Close the groups" if graph.grouped else "Draw groups"
        return CoarserPicture(message, f"/?{grouped.query()}", words)


def svg_href(view: View) -> str:
    """The address of the picture alone."""
    return f"/graph.svg?{view.with_lens('present', '').with_lens('frames', '').query()}"

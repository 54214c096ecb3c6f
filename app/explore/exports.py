"""The table of exports of a graph: routes, the page's menu and the tests read it.

Texts come from `engine.graph_export`, which has a table of its own; the entries added here need the
picture or the page. To add an export of the page, add one entry.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.explore.explorer import Explorer
from app.explore.offline import offline_page
from app.picture.png import png
from app.program_address import View
from engine.graph_export.exports import GRAPH_EXPORTS, GraphExport, export
from engine.trace import trace_json

PYTHON, TEX, HTML = "text/x-python", "application/x-tex", "text/html"
SVG, PNG, JSON = "image/svg+xml", "image/png", "application/json"


class Export(NamedTuple):
    """One kind of file: name, label, description, file name, media type, generator.

    The generator raises ProgramError, NothingToExport, LayoutError or TooLarge.
    """

    name: str
    label: str
    help: str
    file_name: str
    media_type: str
    make: Callable[[Explorer, View], bytes]


def _text(entry: GraphExport) -> Export:
    def make(explorer: Explorer, view: View) -> bytes:
        return export(explorer.traced(view), entry.name).encode()

    media_type = PYTHON if entry.file_name.endswith(".py") else TEX
    return Export(entry.name, entry.label, entry.help, entry.file_name, media_type, make)


def _html(explorer: Explorer, view: View) -> bytes:
    return offline_page(explorer.renderer, explorer.film(view)).encode()


def _svg(explorer: Explorer, view: View) -> bytes:
    explorer.traced(view)  # refuses unknown leaves, which the picture's own address ignores
    return explorer.picture(view).encode()


def _png(explorer: Explorer, view: View) -> bytes:
    return png(_svg(explorer, view).decode(), explorer.settings.whole("png_pixels"))


def _json(explorer: Explorer, view: View) -> bytes:
    return trace_json.write(explorer.traced(view)).encode()


EXPORTS: dict[str, Export] = {
    entry.name: entry
    for entry in (
        *map(_text, GRAPH_EXPORTS.values()),
        Export(
            "html", "Web page", "One file that steps through the frames offline.",
            "graph.html", HTML, _html,
        ),
        Export("svg", "Picture as SVG", "The picture at this frame.", "graph.svg", SVG, _svg),
        Export("png", "Picture as PNG", "Two pixels per unit.", "graph.png", PNG, _png),
        Export(
            "json", "Trace as JSON", "Nodes and frames, for programs.", "graph.json", JSON, _json
        ),
    )
}  # fmt: skip
"""Every export by name, in the order of the menu."""

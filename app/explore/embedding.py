"""The page for an iframe on another site: picture, explanation and player, nothing else.

It is the one page that may be framed. It writes nothing to the browser's storage, and its script
sends no request; a box is opened by the address, in place of the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.explore.explorer import Explorer, HtmlAnswer
from app.explore.film import Film
from app.explore.offline import without_links
from app.explore.picture_parts import Timeline
from app.explore.stepping import timeline
from app.picture import layout
from app.picture.amounts import edge_amounts
from app.picture.direction import EMBEDDED
from app.picture.drawing import page_svg
from app.program_address import View
from app.serving.headers import EMBED_POLICY
from engine.graph_export.graph import NothingToExport
from engine.program import ProgramError, UnknownLeaf

PATH = "/embed"
TEMPLATE = "embed.html"
HEADERS: Mapping[str, str] = {
    "content-security-policy": EMBED_POLICY,
    "cross-origin-resource-policy": "cross-origin",
}
UNREAD = "The leaf {name} needs a number."
TOO_LONG = "The layout takes too long; add &grouped=1 to the address."


def embed_page(explorer: Explorer, view: View) -> HtmlAnswer:
    """The page of a view at its frame, or of the reason for having no picture."""
    if view.unread:
        return _message(explorer, UNREAD.format(name=view.unread[0][:64]))
    try:
        film = explorer.film(view, EMBEDDED)
    except ProgramError as error:
        return _message(explorer, f"Line {error.line}: {error.sentences}")
    except (NothingToExport, UnknownLeaf) as error:
        return _message(explorer, str(error))
    except layout.LayoutError:
        return _message(explorer, TOO_LONG, cacheable=False)
    view = replace(view, program=film.trace.program)
    context = {
        "title": film.trace.names()[film.trace.drawn],
        "picture": page_svg(film.trace, film.placement, film.now.step, view.on_edges),
        "trace_json": film.trace_json,
        "steps_json": film.steps_json,
        "amounts": edge_amounts(film.trace, film.placement).json if view.on_edges else "",
        "timeline": _timeline(film, view),
        "broken": film.broken,
        "message": "",
    }
    return HtmlAnswer(explorer.renderer.page(TEMPLATE, context), 200)


def _message(explorer: Explorer, text: str, cacheable: bool = True) -> HtmlAnswer:
    context = {"message": text, "title": "Nothing to draw"}
    return HtmlAnswer(explorer.renderer.page(TEMPLATE, context), 422, cacheable)


def _timeline(film: Film, view: View) -> Timeline:
    """The player, whose links stay on this page."""
    found = timeline(film.trace, view, film.now)
    links = {name: to and f"{PATH}{to[1:]}" for name, to in (found.links or {}).items()}
    words, templates = without_links(found.explanation), without_links(found.templates)
    return replace(found, links=links, explanation=words, templates=templates)

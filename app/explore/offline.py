"""A trace as one HTML file that steps offline: picture, frames, explanations, its own script.

The script is made of the page's own modules. A policy in the file forbids every request, and any
script and style but the file's own.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from pathlib import Path

from markupsafe import Markup

from app.caches import cached
from app.explore import explanation
from app.explore.film import Film
from app.picture.drawing import page_svg
from app.serving.joined_scripts import join
from app.serving.rendering import Renderer

MAIN = "js/explore/offline.js"
TEMPLATE = "offline.html"
SHEETS = ("app", "picture", "contributions", "output", "verdict", "offline")
EXPLANATION = "the explanation"
"""The section of explore.css with the rules for explanations."""

_LINK = re.compile(r"</?a\b[^>]*>")
_OPENING = re.compile(r" ?Open (?:the|its) box to step through (?:it|them)\.")


def offline_page(renderer: Renderer, film: Film) -> str:
    """The file of a trace at a frame."""
    script, style = _script(renderer.static), styles(renderer.static)
    shown, at = film.trace, film.frame
    context = {
        "title": shown.names()[shown.drawn],
        "program": shown.program,
        "picture": page_svg(shown, film.placement, at),
        "trace_json": film.trace_json,
        "steps_json": film.steps_json,
        "templates": without_links(explanation.templates(shown)),
        "explanation": without_links(explanation.card(shown, at, film.now.closed)),
        "pass_": shown.frames[at].pass_,
        "script": Markup(script),  # noqa: S704  the project's own
        "style": Markup(style),  # noqa: S704  the project's own
        "policy": (
            f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)};"
            " base-uri 'none'; form-action 'none'"
        ),
    }
    return renderer.page(TEMPLATE, context)


def without_links(html: Markup) -> Markup:
    """Links of the site lead nowhere in a file, and its boxes stay as they are."""
    text = _OPENING.sub("", _LINK.sub("", str(html)))
    return Markup(text)  # noqa: S704  escaped before


def digest(text: str) -> str:
    """The source of a policy that allows this text."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cached("script of offline files")
def _script(static: Path) -> str:
    return join(static, MAIN).script


@cached("styles of offline files")
def styles(static: Path) -> str:
    """The rules of the pages' style sheets that the file needs."""
    sheets = [(static / f"css/{name}.css").read_text("utf-8") for name in SHEETS]
    sections = (static / "css/explore.css").read_text("utf-8").split("/* --- ")
    (own,) = [text for text in sections if text.startswith(EXPLANATION)]
    return "\n".join([sheets[0], f"/* --- {own}", *sheets[1:]])

"""The trace of a page as JSON, with what the page's scripts need besides."""

from __future__ import annotations

import json
from dataclasses import replace

from markupsafe import Markup

from app.explore import explanation
from app.program_address import to_parameter
from engine.trace import trace_json
from engine.trace.traced import Trace


def page_json(shown: Trace) -> Markup:
    """The trace for the page: as in the contract, with the keys that the address uses, and with
    what the templates of explanations name besides; its charts are drawn already.

    It stands in an element as it is, quotes and all: `&` and `<`, which only strings hold, are
    written as JSON allows.
    """
    without_charts = replace(shown, charts=()) if shown.charts else shown
    more = json.dumps(explanation.derived_facts(shown), separators=(",", ":"))
    text = f'{trace_json.write(without_charts, to_parameter)[:-1]},"explain":{more}}}'
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c"))  # noqa: S704

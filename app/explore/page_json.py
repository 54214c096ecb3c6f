"""The trace of a page as JSON, with what the page's scripts need besides."""

from __future__ import annotations

import json
from dataclasses import replace

from markupsafe import Markup

from app.explore import explanation
from app.picture.text import in_element
from app.program_address import to_parameter
from engine.trace import trace_json
from engine.trace.traced import Trace


def page_json(shown: Trace) -> Markup:
    """The trace for the page: as in the contract, with the keys that the address uses, and with
    what the templates of explanations name besides; charts and arrays are drawn already.
    """
    short = replace(shown, charts=(), arrays=None, by_hand=None)
    more = json.dumps(explanation.derived_facts(shown), separators=(",", ":"))
    return in_element(f'{trace_json.write(short, to_parameter)[:-1]},"explain":{more}}}')

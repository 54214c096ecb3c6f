"""The reference page, rendered from the tables of the engine and the application."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from app.caches import cached
from app.language_reference import language_context
from app.operations.page import add_operations, call, formula, partials
from app.serving.headers import NO_CACHE
from app.settings import SETTINGS, TEXTS, Settings
from app.site import Site
from app.train.hiding import HIDEABLE
from engine.nn import CONVENTIONS
from engine.ops import OPS, Op
from engine.trace.accumulation import RULES
from engine.training.datasets import DATASETS
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from engine.training.scaling import SCALINGS
from engine.training.settings import FIELDS, Setting

TRAINING: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("Data sets", DATASETS),
    ("Scalings of inputs", SCALINGS),
    ("Initialisations", INITS),
    ("Losses", LOSSES),
    ("Optimizers", OPTIMIZERS),
    ("Schedules", SCHEDULES),
)
"""The tables of choices for a training run; each row has a name, a formula and a help text."""


def add_reference(site: Site) -> None:
    """Register /reference, rendered once per process, and the pages of operations below it."""

    @cached("reference page")
    def page() -> str:
        return site.renderer.page("reference.html", reference_context(site.settings))

    async def tables(request: Request) -> Response:
        return HTMLResponse(page(), 200, NO_CACHE)

    site.app.add_route("/reference", tables, methods=["GET"], include_in_schema=False)
    add_operations(site)


def reference_context(settings: Settings) -> dict[str, Any]:
    """The template context of reference.html."""
    return {
        "page": "reference",
        "ops": [_op(op) for op in OPS.values()],
        **language_context(settings.values),
        "conventions": CONVENTIONS,
        "rules": list(RULES.values()),
        "training": [(caption, list(table.values())) for caption, table in TRAINING],
        "fields": [(name, _default(entry), entry.help) for name, entry in FIELDS.items()],
        "hideable": list(HIDEABLE.items()),
        "settings": setting_rows(settings),
    }


def setting_rows(settings: Settings) -> list[tuple[str, str, str]]:
    """Environment variable, value and help of each setting; texts may be private and are masked."""
    numbers = [(row.name, _figure(settings.values[row.name]), row.help) for row in SETTINGS]
    texts = [(row.name, "set" if settings.text(row.name) else "none", row.help) for row in TEXTS]
    rows = (*numbers, *texts)
    return [(f"SEEGRAD_{name.upper()}", value, help_) for name, value, help_ in rows]


def _default(entry: Setting) -> str:
    return json.dumps(entry.kind.plain(entry.default))


def _figure(x: float) -> str:
    return f"{x:,.0f}" if x == int(x) else f"{x:g}"


def _op(op: Op) -> dict[str, Any]:
    return {
        "name": op.name,
        "slug": op.slug,
        "call": call(op),
        "formula": formula(op),
        "partials": partials(op),
        "domain_says": op.domain_says,
        "kink": op.kink_says,
        "activation": op.activation,
    }

"""The page of one operation: /reference/tanh?x=0.7, /reference/power?over=b&held=3."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from app.caches import cached
from app.operations import plot, special_points
from app.operations.peers import NONE, PEERS, REMARKS
from app.operations.plot import Curves, curves, reading
from app.operations.special_points import DIFFERENCES, SpecialPoint, rows
from app.operations.views import PlottedInput, chosen, held_choices
from app.program_address import View
from app.serving.headers import NO_CACHE
from app.site import Site
from engine.numbers import compact, full, plain, to_json
from engine.ops import OPS, Op
from engine.trace import equations

SLUGS: dict[str, str] = {op.slug: name for name, op in OPS.items()}
"""The name of the operation of each page."""
NUMBER = 40  # letters of a number in a query


def add_operations(site: Site) -> None:
    """Register the page of every operation."""

    @cached("pages of operations")
    def page(choice: PlottedInput, place: int) -> str:
        return site.renderer.page("operation.html", context(choice, place))

    async def operation(request: Request) -> Response:
        name = SLUGS.get(request.path_params["operation"])
        if name is None:
            raise HTTPException(404)
        query = request.query_params
        choice = chosen(name, query.get("over", ""), _number(query.get("held")))
        x = _number(query.get("x"))
        place = choice.view.nearest(start(choice) if x is None else x)
        return HTMLResponse(page(choice, place), 200, NO_CACHE)

    site.app.add_route(
        "/reference/{operation}", operation, methods=["GET"], include_in_schema=False
    )


def _number(text: str | None) -> float | None:
    """A finite number of a query; None for anything else."""
    try:
        found = float((text or "")[:NUMBER])
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def context(choice: PlottedInput, place: int) -> dict[str, Any]:
    """The template context of operation.html, with the point at the number `place`."""
    op, shown, names = choice.op, curves(choice), list(OPS)
    name, x = op.name, shown.xs[place]
    number = names.index(name)
    return {
        "page": "reference",
        "op": op,
        "call": call(op),
        "says": _says(op),
        "formula": formula(op),
        "partials": partials(op),
        "expansion": expansion(op),
        "peer": PEERS.get(name, NONE),
        "remark": REMARKS.get(name, ""),
        "before": _near(names[number - 1]) if number else None,
        "after": _near(names[number + 1]) if number + 1 < len(names) else None,
        "plot": plot.plot(choice, place),
        "over": op.params[choice.over],
        "held": None if choice.held is None else plain(choice.held),
        "place": place,
        "last": choice.view.size - 1,
        "reading": reading(shown, place),
        "at_kink": op.at_kink(*choice.point(x)),
        "data": _data(shown),
        "choices": _choices(choice),
        "rows": [_row(row) for row in rows(op)],
        "difference": DIFFERENCES.get(name, ""),
        "torch": special_points.torch_version(),
        **_example(choice, x),
    }


def _near(name: str) -> dict[str, str]:
    return {"slug": OPS[name].slug, "call": call(OPS[name])}


# Formulas


def call(op: Op) -> str:
    """The operation on its own parameters, as a program writes it."""
    if op.is_word:
        return f"{op.called}({', '.join(op.params)})"
    return f"-{op.params[0]}" if len(op.params) == 1 else f" {op.name} ".join(op.params)


def formula(op: Op) -> Markup:
    """The formula in MathML."""
    return _math(op, equations.formula(op))


def partials(op: Op) -> list[Markup]:
    """Each partial derivative in MathML, as an equation."""
    found = []
    for i in range(len(op.params)):
        left = equations.derivative("y.term", f"x{i}.term")
        right = equations.partial(op, i)
        found.append(_math(op, f"<mrow>{left}<mo>=</mo>{right}</mrow>"))
    return found


def expansion(op: Op) -> Markup:
    """The operation in more elementary ones, in MathML; empty if it is elementary."""
    if not op.expansion:
        return Markup()
    return _math(op, equations.mathml(op.expansion, op.params))


def _math(op: Op, template: str) -> Markup:
    """A template with the op's own parameter names in its slots."""
    names = {f"x{i}.term": param for i, param in enumerate(op.params)} | {"y.term": "y"}
    filled = re.sub(
        r'<mi( data-paren)? data-slot="([^"]+)"></mi>',
        lambda found: f"<mi>{names[found[2]]}</mi>",
        template,
    )
    return Markup(f'<math displaystyle="true">{filled}</math>')  # noqa: S704  # from the op table alone


def _says(op: Op) -> str:
    """The forward pass in a sentence."""
    names = {f"x{i}": param for i, param in enumerate(op.params)} | {"y": "y"}
    text = op.forward_says.format(**names)
    return f"{text[0].upper()}{text[1:]}."


# Plot


def start(choice: PlottedInput) -> float:
    """Where the point is at first: at the sample nearest to 1, inside the domain, not at a kink."""
    op, view = choice.op, choice.view
    inputs = [sample[choice.over] for sample in op.samples]
    inputs += [view.low + share * (view.high - view.low) for share in (0.66, 0.83, 0.3)]
    places = [view.places()[view.nearest(x)] for x in inputs if view.low < x < view.high]
    fitting = [x for x in places if op.in_domain(*choice.point(x))]
    smooth = [x for x in fitting if not op.at_kink(*choice.point(x))]
    return min(smooth or fitting or places, key=lambda x: abs(x - 1))


def _data(shown: Curves) -> str:
    """What the script needs to move the point, as JSON: the numbers are the server's."""
    choice = shown.choice
    kinks = [i for i, x in enumerate(shown.xs) if choice.op.at_kink(*choice.point(x))]
    return json.dumps(
        {
            "over": choice.op.params[choice.over],
            "xs": shown.xs,
            "ys": [to_json(y) for y in shown.ys],
            "slopes": [to_json(slope) for slope in shown.slopes],
            "kinks": kinks,
            "box": [plot.LEFT, plot.TOP, plot.ACROSS, plot.DOWN],
            "range": [choice.view.low, choice.view.high, shown.bottom, shown.top],
        },
        separators=(",", ":"),
    )


def _choices(choice: PlottedInput) -> list[dict[str, Any]]:
    """For each input the links that plot over it, the other one held."""
    if choice.held is None:
        return []
    found = []
    for slot, param in enumerate(choice.op.params):
        other = choice.op.params[1 - slot]
        links = [
            {
                "words": f"{other} = {compact(held)}",
                "href": f"/reference/{choice.op.slug}?over={param}&held={plain(held)}",
                "chosen": slot == choice.over and held == choice.held,
            }
            for held in held_choices(choice.op, slot)
        ]
        found.append({"over": param, "links": links})
    return found


# Numbers at special points, and an example


def _row(row: SpecialPoint) -> dict[str, Any]:
    """A row of the table: texts, and whether PyTorch's differ."""
    pairs = [(row.ours.value, row.torch and row.torch.value, row.same_value)]
    for i, ours in enumerate(row.ours.partials):
        pairs.append((ours, row.torch and row.torch.partials[i], row.same_partials[i]))
    return {
        "inputs": ", ".join(map(_text, row.point)),
        "pairs": [
            {"ours": _text(ours), "torch": "–" if there is None else _text(there), "same": same}
            for ours, there, same in pairs
        ],
        "same": row.same,
    }


def _text(x: float) -> str:
    """A number with the sign of a zero: "−0", "0.7616", "nan"."""
    if x == 0:
        return "−0" if math.copysign(1, x) < 0 else "0"
    return compact(x)


def _example(choice: PlottedInput, x: float) -> Mapping[str, str]:
    """A program with the operation at the point, and its address in Explore.

    `@` stands in `example_at` for the number that the point has.
    """
    op = choice.op
    inputs = ["@"] if choice.held is None else ["@", full(choice.held)]
    names = list(op.params) if choice.over == 0 else list(reversed(op.params))
    given = dict(zip(names, inputs, strict=True))
    lines = [f"import {op.module}"] if op.module else []
    lines += [f"{param} = {given[param]}" for param in op.params]
    text = "\n".join([*lines, f"y = {call(op)}"])
    program = text.replace("@", full(x))
    return {
        "example": program,
        "example_at": text,
        "example_href": "/?" + View(program).query(),
    }

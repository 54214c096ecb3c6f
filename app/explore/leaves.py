"""The controls of the leaves: value, default and slider range of each."""

from __future__ import annotations

import math
from typing import NamedTuple

from app.program_address import View, to_parameter
from engine.numbers import full, in_equation, short
from engine.program import Program
from engine.real import same
from engine.trace.model import Node
from engine.trace.traced import Trace


class LeafRow(NamedTuple):
    """A control for an adjustable leaf: value, default and slider range."""

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
    card: str = ""
    """The address of its card, on pages without JavaScript; "" if it is not drawn, or if so many
    links would not fit on the page."""


def leaf_rows(shown: Trace, program: Program, view: View) -> tuple[LeafRow, ...]:
    """A control for every adjustable leaf of the trace; weights stand before inputs and targets."""
    defaults = program.defaults()
    address, rows = f"/?{view.with_lens('value', '').query()}", []
    has_cards = len(defaults) <= view.links
    for node in sorted(shown.nodes, key=lambda node: not _is_weight(node)):
        if node.key is None or node.key not in defaults:
            continue
        default = defaults[node.key]
        value = view.leaves.get(node.key, default)
        label = node.label if node.key == node.label else node.key
        moved = "" if same(node.data, value) else in_equation(node.data)
        card = f"{address}&value={node.id}" if has_cards else ""
        rows.append(_row(node.key, label, value, default, moved)._replace(card=card))
    drawn = {node.key for node in shown.nodes}
    for key, value in view.leaves.items():  # changed, but of another scene
        if key not in drawn and key in defaults:
            rows.append(_row(key, key, value, defaults[key], ""))
    return tuple(rows)


def _is_weight(node: Node) -> bool:
    """Whether an object of the program holds a leaf, as a neuron its weights."""
    return "." in node.label


def _row(key: str, label: str, value: float, default: float, moved: str) -> LeafRow:
    reach = slider_reach(default, value)
    return LeafRow(
        key=to_parameter(key),
        label=label,
        value=short(value),
        full=full(value),
        default=full(default),
        min=full(-reach),
        max=full(reach),
        step=full(reach / 100),
        moved=moved,
    )


def slider_reach(default: float, value: float) -> float:
    """The limit r of a slider's range [−r, r]: a round number, at least twice the leaf."""
    size = max(2 * abs(default), abs(value)) if math.isfinite(default) else abs(value)
    if not 1e-12 < size < 1e300:
        return 1.0
    power = 10.0 ** math.floor(math.log10(size))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= size * (1 - 1e-12))

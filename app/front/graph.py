"""The front page's graph, whose leaves are dragged: its numbers as the page places them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from app.explore.runs import ProgramRuns
from app.program_address import View
from engine.exercise.contributions import contributions
from engine.numbers import with_minus
from engine.trace.traced import Trace

PROGRAM = "a = 2.0\nb = 3.0\nL = a*b + a"
LEAVES: Mapping[str, float] = {"a": 2.0, "b": 3.0}
LEAST, MOST, STEP = -4.0, 4.0, 0.1
FIRST_MOVE = 0.5
"""How far the sentence moves `a` before anything is dragged."""
NAMES = {"a": "a", "b": "b", "a*b": "ab", "L": "L"}
"""What the page calls the Values."""
THIN, THICK, WIDEST = 1.6, 0.9, 5.0
"""Width of an edge: the least, that of a contribution of 1, and the contribution of the widest."""


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """The texts of the graph and of its sentence by place, and the widths of its edges."""

    texts: Mapping[str, str]
    widths: Mapping[str, float]

    def to_json(self) -> dict[str, object]:
        """As the page's script reads it."""
        return asdict(self)


def answer(
    runs: ProgramRuns, leaves: Mapping[str, float], moved: str = "", was: float = 0.0
) -> GraphAnswer:
    """The numbers at other leaves; the sentence tells of the leaf `moved`, which was `was`."""
    now = _trace(runs, leaves)
    names = {node.id: NAMES[node.name] for node in now.nodes}
    texts = {f"{names[node.id]}.data": _text(node.data) for node in now.nodes}
    texts |= {f"{names[node.id]}.grad": _text(node.grad or 0.0) for node in now.nodes}
    sent = {f"{names[c.user]}-{names[c.to]}": c.amount for c in contributions(now)}
    texts |= {edge: _text(amount) for edge, amount in sent.items()}
    leaf = moved or "a"
    start = _trace(runs, {**leaves, leaf: was}) if moved else now
    texts |= _sentence(start, leaf, leaves[leaf] - was if moved else FIRST_MOVE)
    return GraphAnswer(texts, {edge: _width(amount) for edge, amount in sent.items()})


def is_on_slider(number: float) -> bool:
    """Whether a slider of the page has a number."""
    return math.isfinite(number) and LEAST <= number <= MOST


def _trace(runs: ProgramRuns, leaves: Mapping[str, float]) -> Trace:
    return runs.run(View(PROGRAM, leaves=dict(leaves)))[1]


def _sentence(start: Trace, leaf: str, by: float) -> dict[str, str]:
    """What a move of one leaf does: the output is linear in each, so gradient · move is exact."""
    found = {node.name: node for node in start.nodes}
    gradient = found[leaf].grad or 0.0
    numbers = {"gradient": gradient, "by": by, "result": gradient * by}
    texts = {name: _text(x) for name, x in numbers.items()}
    return texts | {"leaf": leaf, "was": f"was {_text(found['L'].data)}"}


def _text(x: float) -> str:
    return with_minus(f"{round(x, 2) + 0.0:g}")


def _width(amount: float) -> float:
    return round(THIN + THICK * min(abs(amount), WIDEST), 2)

"""The results in a closed group of several: a row each, with name, data and gradient.

<g class="row" data-output="v9">   the page's script writes its numbers
"""

from __future__ import annotations

from collections.abc import Sequence

from app.picture.frame_state import NOTHING_YET
from app.picture.scene import SPOKEN, DrawnFrame
from app.picture.shapes import OUTPUT_HEIGHT
from app.picture.text import escaped, fitted
from engine.numbers import in_equation

PAD, SIZE = 9.0, 11.5
NAME = 50.0  # width of the names
HEAD, FIRST = 34.5, 51.5  # base lines
APART = 78.0  # between the columns of numbers


def output_rows(scene: DrawnFrame, outputs: Sequence[str], width: float) -> str:
    """The rows, below the names of their columns."""
    columns = [("grad", width - PAD), ("data", width - PAD - APART)]
    head = "".join(
        f'<text{scene.part("kind", "group")} x="{right:g}" y="{HEAD:g}">{role}</text>'
        for role, right in reversed(columns)
    )
    rows = (_row(scene, id_, FIRST + i * OUTPUT_HEIGHT, columns) for i, id_ in enumerate(outputs))
    return head + "".join(rows)


def _row(scene: DrawnFrame, id_: str, down: float, columns: Sequence[tuple[str, float]]) -> str:
    now, node = scene.state, scene.nodes[id_]
    look = "row" + (" pending" if id_ not in now.data else "")
    if node.grad is not None and id_ not in now.grads:
        look += " no-grad"
    if id_ in now.due:
        look += " wrong first-wrong" if id_ == now.first else " wrong"
    name = scene.names[id_]
    text = fitted(name.rpartition(".")[2], NAME, SIZE)
    title = f"<title>{escaped(name[:SPOKEN])}</title>" if scene.page and text != name else ""
    parts = (
        f'<text{scene.part("label", look)} x="{PAD:g}" y="{down:g}">{escaped(text)}{title}</text>'
    )
    for role, right in reversed(columns):
        numbers = now.grads if role == "grad" else now.data
        if role == "data" or node.grad is not None:
            shown = in_equation(numbers[id_]) if id_ in numbers else NOTHING_YET
            parts += f'<text{scene.part(role, look)} x="{right:g}" y="{down:g}">{shown}</text>'
    return f'<g class="{look}" data-output="{id_}">{parts}</g>' if scene.page else parts

"""The steps of a picture by every grain, ready for the page's scripts."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from app.picture.box_flows import box_flow
from app.picture.grains import GRAINS, FrameSpan, steps_by
from app.picture.grouping import VisibleGraph
from app.picture.steps import Folded, boxes, clusters, folded, steps
from app.picture.text import script_json
from engine.trace.model import Node
from engine.trace.traced import Trace


def steps_json(shown: Trace, graph: VisibleGraph) -> Markup:
    """The closed formulas, the frames that are steps, and by grain those that one step joins.

    Of a grain: `[first frame, last frame, words, box]`, the last two by their places in lists; of a
    box its title, and what flows in that step. All other frames are steps of their own.
    """
    closed, inside = folded(shown, clusters(graph)), boxes(graph)
    words: dict[str, int] = {}
    flows: dict[FrameSpan, int] = {}

    def joined(step: FrameSpan) -> list[int | None]:
        box = None if step.box is None else flows.setdefault(step, len(flows))
        text = words.setdefault(step.words, len(words))
        return [step.frames[0], step.frame, text, box]

    found = {
        name: [joined(step) for step in steps_by(shown, closed, grain, inside) if step.words]
        for name, grain in GRAINS.items()
    }
    by_id = {node.id: node for node in shown.nodes}
    visible = set(steps(shown, closed))
    return script_json(
        {
            "formulas": [{**fold._asdict(), "inner": [*fold.inner]} for fold in closed.values()],
            "hidden": [at for at in range(len(shown.frames)) if at not in visible],
            "joined": found,
            "words": [*words],
            "boxes": [_box(shown, step, by_id, closed) for step in flows],
        }
    )


def _box(
    shown: Trace, step: FrameSpan, by_id: dict[str, Node], closed: dict[str, Folded]
) -> dict[str, Any]:
    assert step.box is not None
    flow = box_flow([shown.frames[at] for at in step.frames], step.box, by_id, closed)
    return {"title": step.box.title, **flow._asdict()}

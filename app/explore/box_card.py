"""The card of a step inside a closed box: what goes in, what comes out, and the box's own numbers.

The arithmetic of its frames comes back when the box is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from app.explore.card_filling import Slot, filled
from app.picture.box_flows import box_flow
from app.picture.frame_state import state
from app.picture.grains import FrameSpan
from app.picture.steps import ClosedBox, Folded
from engine.numbers import in_equation
from engine.trace.equations import slot
from engine.trace.traced import Trace

LISTED = 6
"""Values that a card lists."""

_TITLE = slot("box.title", "b", kind="sign")
_OPEN = (
    f"<p>Inside: {slot('box.words', 'b')}. "
    '<span data-if="box.wrong">Not all of it is right. </span>'
    "Open the box to step through it.</p>"
)
CARDS: Mapping[str, str] = {
    "forward": (
        f"<p>{_TITLE} gives {slot('box.results', 'code')}"
        f'<span data-if="box.args">, from {slot("box.args", "code")}</span>.</p>'
        f'<p data-if="box.own">Its own numbers: {slot("box.own", "code")}.</p>{_OPEN}'
    ),
    "backward": (
        f'<p data-if="box.results">The gradient enters {_TITLE} at {slot("box.results", "code")}'
        f'<span data-if="box.args"> and goes on to {slot("box.args", "code")}</span>.</p>'
        f'<p data-if="!box.results">The gradients in {_TITLE} are set.</p>'
        f'<p data-if="box.own">Its own numbers get {slot("box.own", "code")}.</p>{_OPEN}'
    ),
}
"""The templates by the pass; all gradients are those after the step."""


def card(trace: Trace, step: FrameSpan, box: ClosedBox, closed: Mapping[str, Folded]) -> Markup:
    """The card of a step inside `box`; `closed` are the closed formulas."""
    pass_ = trace.frames[step.frame].pass_
    html = filled(CARDS[pass_], slots(trace, step, box, closed))
    return Markup(html)  # noqa: S704  # all text is escaped


def slots(
    trace: Trace, step: FrameSpan, box: ClosedBox, closed: Mapping[str, Folded]
) -> dict[str, Slot]:
    """The values of the slots and flags of a card."""
    names, grads = trace.names(), state(trace, step.frame).grads
    by_id = {node.id: node for node in trace.nodes}
    flow = box_flow([trace.frames[at] for at in step.frames], box, by_id, closed)

    def computed(key: str) -> str:
        return f"{names[key]} = {in_equation(by_id[key].data)}"

    def received(key: str) -> str:
        return f"{names[key]}: {in_equation(grads[key])}" if key in grads else names[key]

    say = computed if trace.frames[step.frame].pass_ == "forward" else received
    written = (trace.frames[at].written for at in step.frames)
    return {
        "box.title": box.title,
        "box.words": step.words,
        "box.results": _listed(flow.results, say),
        "box.args": _listed(flow.args, say),
        "box.own": _listed(flow.own, say),
        "box.wrong": any(one is not None and one.right is False for one in written),
    }


def _listed(ids: Sequence[str], say: Callable[[str], str]) -> str:
    return ", ".join(map(say, ids[:LISTED])) + (" …" if len(ids) > LISTED else "")

"""The card that explains a frame: one template per op and pass, filled for a frame.

The page includes the templates, so that the browser can explain every frame without a request; the
server fills that of the requested frame. `data-slot` elements receive a name or a number, `data-if`
elements are hidden unless their flag is set or, after "!", if it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from app.explore import box_card, name_tags, numbers_shown, written_gradients
from app.explore.card_filling import Slot, filled
from app.explore.leaf_sentence import sentences
from app.explore.name_tags import tag, term
from app.explore.op_cards import backward, forward
from app.explore.written_gradients import LISTED, Writes
from app.picture.frame_state import due_texts
from app.picture.grains import FrameSpan
from app.picture.steps import Folded
from engine.numbers import in_equation, plain
from engine.ops import OPS
from engine.real import same
from engine.reverse import Contribution
from engine.trace import equations, slopes, symbols
from engine.trace.equations import slot
from engine.trace.model import Frame, Node
from engine.trace.naming import is_of_method, source
from engine.trace.traced import Trace


def templates(trace: Trace) -> Markup:
    """A `<template>` for every kind of frame of `trace`."""
    parts = [_element("given", "", GIVEN), _element("seed", "", SEED)]
    parts += [_element("box", pass_, html) for pass_, html in box_card.CARDS.items()]
    if any(frame.written for frame in trace.frames):
        parts.append(_element("written", "", written_gradients.CARD))
    if any(group.kind == "formula" for group in trace.groups):
        parts.append(_element("formula", "", FORMULA))
    if any(node.args and not node.op for node in trace.nodes):
        parts.append(_element("forward", "null", UNKNOWN))
    for name, power in _operations(trace):
        parts += [
            _element("forward", name, forward(name, power), power),
            _element("backward", name, backward(name, power), power),
        ]
    return Markup("".join(parts))  # noqa: S704  # from the op table alone


def warm_up() -> None:
    """Write the cards of all operations ahead of the first request."""
    for name in OPS:
        for write in (forward, backward):
            filled(write(name, None), {})


def _operations(trace: Trace) -> dict[tuple[str, float | None], None]:
    """The operations of `trace`, each with its constant exponents, of which the first have cards
    of their own.
    """
    by_id = {node.id: node for node in trace.nodes}
    found: dict[tuple[str, float | None], None] = {}
    powers = set[float]()
    for node in trace.nodes:
        if node.op:
            power = numbers_shown.exponent(node, by_id)
            if power is not None and (power in powers or len(powers) < EXPONENTS):
                powers.add(power)
            else:
                power = None
            found[node.op, power] = None
    return found


EXPONENTS = 16
"""Constant exponents of a program with cards of their own."""
NOTHING: Mapping[str, Folded] = {}


def step_card(trace: Trace, step: FrameSpan, closed: Mapping[str, Folded]) -> Markup:
    """The card of a step: of a closed box; else of its last frame, below a line on all of them."""
    if step.box is not None:
        return box_card.card(trace, step, step.box, closed)
    text = step.words
    line = Markup('<p class="of-step">{}; the last:</p>').format(text) if text else Markup()
    return line + card(trace, step.frame, closed, step.slot)


def card(
    trace: Trace, at: int, closed: Mapping[str, Folded] = NOTHING, only: int | None = None
) -> Markup:
    """The card of frame `at`, filled; a formula in `closed` is one step.

    With `only`, of its contributions that of one slot.
    """
    frame = trace.frames[at]
    by_id = {node.id: node for node in trace.nodes}
    node, more = by_id[frame.node], dict[str, int]()
    if frame.given:
        template = GIVEN
    elif frame.pass_ == "forward" and frame.node in closed:
        template = FORMULA
    elif frame.seed is not None:
        template = SEED
    elif frame.written is not None:
        template = written_gradients.CARD
    elif node.op is None:
        template = UNKNOWN
    else:
        write = forward if frame.pass_ == "forward" else backward
        template = write(node.op, numbers_shown.exponent(node, by_id))
        more = numbers_shown.more(node, frame, by_id)
    remarks = "".join(f'<p class="remark">{escape(text)}</p>' for text in trace.remarks.get(at, ()))
    values = slots(trace, at, closed)
    if only is not None:
        values |= {f"c{c.slot}": c.slot == only for c in frame.contributions}
    html = filled(template, values, more)
    return Markup(html + remarks)  # noqa: S704  # all text is escaped


def _element(kind: str, op: str, html: str, exponent: float | None = None) -> str:
    power = "" if exponent is None else f' data-exponent="{plain(exponent)}"'
    return f'<template data-explain="{kind}" data-op="{escape(op)}"{power}>{html}</template>'


GIVEN = (
    "<p>The forward pass starts from the given numbers: "
    f"those of {slot('count', 'b')} leaves and constants.</p>"
)

UNKNOWN = (
    f"<p>Seegrad could not trace how the program computes {slot('y.name', 'code')}: "
    f"{slot('y.data', 'b', kind='data')}. Its arrows come from the objects that it names.</p>"
)

FORMULA = (
    f"<p>{slot('fold.title', 'b', kind='sign')} in the program’s own code gives "
    f"{slot('y.name', 'code')}: {slot('y.data', 'b', kind='data')}, "
    f"from {slot('fold.args', 'code')}.</p>"
    f"<p>It takes {slot('fold.count', 'b')} operations. "
    "Open its box to step through them.</p>"
)

SEED = (
    f"<p>The backward pass starts at the output {slot('y.name', 'code')}, "
    "whose derivative with respect to itself is 1:</p>"
    f'<math class="equation" display="block"><mrow>{equations.derivative("out.name", "y.name")}'
    '<mo>=</mo><mn class="grad">1</mn></mrow></math>'
)


# Filling


def slots(trace: Trace, at: int, closed: Mapping[str, Folded] = NOTHING) -> dict[str, Slot]:
    """The values of all slots and flags at frame `at`."""
    frame = trace.frames[at]
    by_id = {node.id: node for node in trace.nodes}
    node = by_id[frame.node]
    found: dict[str, Slot] = {
        **_named("y", node),
        **_named("out", by_id[trace.drawn]),
        "y.source": trace.source(node),
        "count": str(len(frame.given)),
        "kink": slopes.is_at_kink(node, by_id),
        "twice": is_twice(node),
        "leftover": has_leftover(frame, slopes.from_zero(trace), slopes.is_by_hand(trace)),
        "stale": is_stale(trace, frame),
    }
    for i, arg in enumerate(node.args):
        found |= _named(f"x{i}", by_id[arg])
    if frame.pass_ == "forward" and frame.node in closed:
        found |= _folded(closed[frame.node], by_id)
    if frame.written is not None:
        found |= Writes.of(trace).slots(at, frame.written)
    received = {c.to for past in trace.frames[:at] for c in past.contributions}
    received |= {past.node for past in trace.frames[:at] if past.written}
    found |= dict.fromkeys(case_flags(node, frame, by_id, is_stale(trace, frame)), True)
    for c in frame.contributions:
        found |= {f"c{c.slot}": True, **dict.fromkeys(sum_flags(c, received), True)}
        found |= {f"{of}{c.slot}.{key}": getattr(c, key) for key in _NUMBERS for of in "cs"}
        data = (node.data, *(by_id[arg].data for arg in node.args))
        found |= dict(zip(numbers_shown.rule_slots(c.slot, len(node.args)), data, strict=True))
    return found


def _folded(fold: Folded, by_id: Mapping[str, Node]) -> dict[str, Slot]:
    args = [by_id[arg] for arg in fold.args[:LISTED]]
    listed = ", ".join([f"{node.name} = {in_equation(node.data)}" for node in args])
    listed += " …" if len(fold.args) > LISTED else ""
    return {"fold.title": fold.title, "fold.args": listed, "fold.count": str(fold.operations)}


_NUMBERS = ("partial", "upstream", "amount", "before", "after")


def derived_facts(trace: Trace) -> dict[str, Any]:
    """What `slots` finds out besides looking up the trace, as JSON: the scripts only fill in.

    By frame the flags that hold, the further digits of its equations, and what its write has
    besides its numbers; the sentences on leaves; the names of Values, their sources, and the
    statements of writes by their spans; by frame the right gradients of wrong ones, and those that
    a broken rule makes wrong.
    """
    by_id = {node.id: node for node in trace.nodes}
    flags, digits, received = {}, {}, set[str]()
    own, by_hand = slopes.from_zero(trace), slopes.is_by_hand(trace)
    for at, frame in enumerate(trace.frames):
        node = by_id[frame.node]
        found = [flag for c in frame.contributions for flag in sum_flags(c, received)]
        if is_stale(trace, frame):
            found.append("stale")
        if is_twice(node):
            found.append("twice")
        if slopes.is_at_kink(node, by_id):
            found.append("kink")
        if has_leftover(frame, own, by_hand):
            found.append("leftover")
        if frame.written:
            received.add(frame.node)
        found += case_flags(node, frame, by_id, "stale" in found)
        if found:
            flags[at] = found
        if more := numbers_shown.digits(node, frame, by_id):
            digits[at] = more
    return {
        "flags": flags,
        "digits": digits,
        "sentences": sentences(trace, own),
        **name_tags.of_values(trace.nodes),
        "sources": _sources(trace),
        **Writes.of(trace).facts(),
        "due": due_texts(trace),
        "broken": {key: in_equation(x) for key, x in _broken(trace).items()},
    }


def _broken(trace: Trace) -> Mapping[str, float]:
    return {} if trace.broken is None else trace.broken.grads


def _sources(trace: Trace) -> dict[str, str]:
    """The sources of Values that differ from the name and say something outside of a method."""
    lines = trace.program.split("\n")
    spans = {node.span: "" for node in trace.nodes if node.op}
    spans = {span: source(span, lines) for span in spans}
    sources = ((node, spans[node.span]) for node in trace.nodes if node.op)
    return {node.id: text for node, text in sources if text != node.name and not is_of_method(text)}


def case_flags(node: Node, frame: Frame, nodes: Mapping[str, Node], stale: bool) -> Sequence[str]:
    """The cases that apply; `n=1` for `f=1` where the result follows from its inputs."""
    found = numbers_shown.flags(node, frame, nodes)
    return found if stale else [*found, *(f"n{flag[1:]}" for flag in found if flag[:2] == "f=")]


def _named(who: str, node: Node) -> dict[str, Slot]:
    name = node.name
    of = symbols.owner(name)
    texts: dict[str, Slot] = {"name": name, "tag": tag(name), "term": term(name), "of": of}
    return {f"{who}.{key}": text for key, text in texts.items()} | {f"{who}.data": node.data}


def sum_flags(c: Contribution[str], received: set[str]) -> list[str]:
    """The flag for a receiver that had a gradient: a sum of this pass, or one from earlier.

    The receiver joins `received`, the Values that a contribution of this pass has reached.
    """
    if c.to in received:
        return [f"c{c.slot}.sum"]
    received.add(c.to)
    return [f"c{c.slot}.earlier"] if c.before != 0 else []


def is_twice(node: Node) -> bool:
    """Whether a Value goes into the operation of `node` more than once."""
    return len(node.args) > 1 and len(set(node.args)) < len(node.args)


def is_stale(trace: Trace, frame: Frame) -> bool:
    """Whether the result of a forward frame no longer follows from the data of its args."""
    return frame.pass_ == "forward" and frame.node in trace.stale


def has_leftover(frame: Frame, own: Mapping[str, float], by_hand: bool) -> bool:
    """Whether the upstream gradient is not that of a single pass from zero, which `own` holds.

    It may include contributions of earlier passes, and by hand it may be anything.
    """
    if by_hand or not frame.contributions:
        return bool(frame.contributions)
    expected = own.get(frame.node, 0.0)
    return any(not same(c.upstream, expected) for c in frame.contributions)

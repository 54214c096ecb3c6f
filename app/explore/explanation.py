"""The card that explains a frame: one template per op and pass, filled for a frame.

The page includes the templates, so that the browser can explain every frame without a request; the
server fills that of the requested frame. `data-slot` elements receive a name or a number, `data-if`
elements are hidden unless their flag is set or, after "!", if it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import Any

from markupsafe import Markup

from app.explore import written_gradients
from app.explore.card_filling import EXPRESSION, Slot, filled
from app.explore.written_gradients import LISTED
from app.picture.steps import Folded
from engine.numbers import in_equation
from engine.ops import OPS, Op
from engine.trace import equations, slopes
from engine.trace.equations import slot
from engine.trace.model import Contribution, Frame, Node
from engine.trace.naming import is_of_method, source
from engine.trace.traced import Trace


def templates(trace: Trace) -> Markup:
    """A `<template>` for every kind of frame of `trace`."""
    ops = dict.fromkeys(node.op for node in trace.nodes if node.op)
    parts = [_element("given", "", GIVEN), _element("seed", "", SEED)]
    if any(frame.written for frame in trace.frames):
        parts.append(_element("written", "", written_gradients.CARD))
    if any(group.kind == "formula" for group in trace.groups):
        parts.append(_element("formula", "", FORMULA))
    if any(node.args and not node.op for node in trace.nodes):
        parts.append(_element("forward", "null", UNKNOWN))
    for name in ops:
        parts += [
            _element("forward", name, forward(name)),
            _element("backward", name, backward(name)),
        ]
    return Markup("".join(parts))  # noqa: S704  # from the op table alone


NOTHING: Mapping[str, Folded] = {}


def card(trace: Trace, at: int, closed: Mapping[str, Folded] = NOTHING) -> Markup:
    """The card of frame `at`, filled; a formula in `closed` is one step."""
    frame = trace.frames[at]
    node = next(node for node in trace.nodes if node.id == frame.node)
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
        template = (forward if frame.pass_ == "forward" else backward)(node.op or "")
    remarks = "".join(f'<p class="remark">{escape(text)}</p>' for text in trace.remarks.get(at, ()))
    return Markup(filled(template, slots(trace, at, closed)) + remarks)  # noqa: S704  # all text is escaped


def _element(kind: str, op: str, html: str) -> str:
    return f'<template data-explain="{kind}" data-op="{escape(op)}">{html}</template>'


GIVEN = (
    "<p>The forward pass starts from the given numbers: "
    f"those of {slot('count', 'b')} leaves and constants.</p>"
)

UNKNOWN = (
    f"<p>The program computes {slot('y.name', 'code')} in a way that could not be followed: "
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


@lru_cache(maxsize=256)
def forward(name: str) -> str:
    """The template of a forward frame of the operation `name`."""
    op = OPS[name]
    sentence = _capital(_sentence(op.forward_says))
    return (
        f'<p><b class="sign">{escape(op.symbol)}</b> {sentence}.</p>'
        f'<math class="equation" display="block"><mrow>{slot("y.tag")}<mo>=</mo>'
        f"{equations.formula(op)}</mrow></math>"
        f'<math class="equation" display="block" data-if="!stale"><mrow><mo>=</mo>'
        f"{equations.formula(op, numbers=True)}<mo>=</mo>{slot('y.data', 'mn', kind='data strong')}"
        f"</mrow></math>{_stale()}{_kink(op)}"
    )


def _stale() -> str:
    result = slot("y.data", "b", kind="data")
    return (
        f'<p class="stale" data-if="stale">The result is {result}. Data was changed after it was '
        "computed, so it does not follow from the numbers that its inputs have now.</p>"
    )


@lru_cache(maxsize=256)
def backward(name: str) -> str:
    """The template of a backward frame of the operation `name`: the chain rule for each input."""
    op = OPS[name]
    rules = "".join(
        f'<span data-if="c{i}"> {_capital(_sentence(says))}.</span>'
        for i, says in enumerate(op.backward_says)
    )
    rows = "".join(_contribution(op, i) for i in range(len(op.params)))
    sign = f'<b class="sign">{escape(op.symbol)}</b>'
    return (
        f"<p>Through {sign} in {slot('y.source', 'code')}.{rules}</p>{rows}{_twice(op)}{_kink(op)}"
    )


def _contribution(op: Op, i: int) -> str:
    """upstream × local = contribution, with symbols above and numbers below."""
    to = slot(f"x{i}.tag")
    local = equations.derivative("y.tag", f"x{i}.tag")
    pills = (
        _pill("upstream", _upstream(), f"c{i}.upstream", "grad"),
        '<span class="sign">×</span>',
        _pill("local", _math(local), f"c{i}.partial", "data"),
        '<span class="sign">=</span>',
        _pill("gives", _math(f"<mtext>to\u00a0</mtext>{to}"), f"c{i}.amount", "grad strong"),
    )
    partial = slot(f"c{i}.partial", "mn", kind="data")
    rule = f"<mrow>{local}<mo>=</mo>{equations.partial(op, i)}<mo>=</mo>{partial}</mrow>"
    return (
        f'<div class="contribution" data-if="c{i}"><div class="chain">{"".join(pills)}</div>'
        f'<math class="equation local-rule" display="block">{rule}</math>{_so_far(i)}</div>'
    )


def _so_far(i: int) -> str:
    """The addition to what the receiver had, either of this pass or from before it."""
    before = slot(f"c{i}.before", "span", kind="grad")
    amount = slot(f"c{i}.amount", "span", paren=True, kind="grad")
    after = slot(f"c{i}.after", "b", kind="grad")
    start = f"Sum so far for {slot(f'x{i}.name', 'code')}: {before}"
    end = f" + {amount} = {after}</p>"
    return (
        f'<p class="so-far" data-if="c{i}.sum">{start}{end}'
        f'<p class="so-far" data-if="c{i}.earlier">{start} from before this pass{end}'
    )


def _pill(word: str, symbol: str, value: str, kind: str) -> str:
    return f'<span class="pill {kind}"><small>{word}</small>{symbol}{slot(value, "b")}</span>'


def _math(content: str, flag: str = "") -> str:
    condition = f' data-if="{flag}"' if flag else ""
    return f"<math{condition}><mrow>{content}</mrow></math>"


def _upstream() -> str:
    """∂out/∂y; `y.grad` where that gradient includes contributions of earlier passes."""
    derivative = equations.derivative("out.tag", "y.tag")
    held = f"{slot('y.tag')}<mo>.</mo><mi>grad</mi>"
    return _math(derivative, "!leftover") + _math(held, "leftover")


def _twice(op: Op) -> str:
    """Where both inputs are one Value, ∂y/∂x of a single use is not the whole derivative."""
    if len(op.params) < 2:
        return ""
    return (
        '<p class="twice" data-if="twice">The same Value is used twice. Each partial above is for '
        "one use; the two contributions add up.</p>"
    )


def _kink(op: Op) -> str:
    return f'<p class="kink" data-if="kink">Here {escape(op.kink_says)}.</p>' if op.kink else ""


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _sentence(text: str) -> str:
    places = {
        "y": slot("y.name", "code"),
        "x0": slot("x0.name", "code"),
        "x1": slot("x1.name", "code"),
    }
    return re.sub(r"\{(\w+)\}", lambda found: places[found[1]], escape(text))


# Filling

TAG_LENGTH = 8


@lru_cache(maxsize=4096)
def tag(name: str) -> str:
    """A name cut to fit a fraction, in parentheses if it is an expression."""
    is_expression = bool(EXPRESSION.search(name))
    length = TAG_LENGTH - 2 if is_expression else TAG_LENGTH  # less the parentheses
    cut = name if len(name) <= length else f"{name[: length - 1]}…"
    return f"({cut})" if is_expression else cut


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
        found |= written_gradients.slots(trace, at, frame.written)
    received = {c.to for past in trace.frames[:at] for c in past.contributions}
    received |= {past.node for past in trace.frames[:at] if past.written}
    for c in frame.contributions:
        found |= {f"c{c.slot}": True, **dict.fromkeys(sum_flags(c, received), True)}
        found |= {f"c{c.slot}.{key}": getattr(c, key) for key in _NUMBERS}
    return found


def _folded(fold: Folded, by_id: Mapping[str, Node]) -> dict[str, Slot]:
    args = [by_id[arg] for arg in fold.args[:LISTED]]
    listed = ", ".join([f"{node.name} = {in_equation(node.data)}" for node in args])
    listed += " …" if len(fold.args) > LISTED else ""
    return {"fold.title": fold.title, "fold.args": listed, "fold.count": str(fold.operations)}


_NUMBERS = ("partial", "upstream", "amount", "before", "after")


def found_out(trace: Trace) -> dict[str, Any]:
    """What `slots` finds out besides looking up the trace, as JSON: the scripts only fill in.

    By id the tags and sources of Values that differ from the name, and the slopes of leaves that
    differ from the gradient, None if unknown; by frame the flags that hold.
    """
    by_id = {node.id: node for node in trace.nodes}
    flags, received = {}, set[str]()
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
        if found:
            flags[at] = found
    tags = {node.id: tag(node.name) for node in trace.nodes}
    lines = trace.program.split("\n")
    spans = {node.span: "" for node in trace.nodes if node.op}
    spans = {span: source(span, lines) for span in spans}
    sources = {node.id: spans[node.span] for node in trace.nodes if node.op}
    return {
        "tags": {key: text for key, text in tags.items() if text != by_id[key].name},
        "sources": {
            key: text
            for key, text in sources.items()
            if text != by_id[key].name and not is_of_method(text)
        },
        "flags": flags,
        "slopes": {
            key: slope
            for key, slope in slopes.slopes(trace, own).items()
            if slope != by_id[key].grad
        },
    }


def _named(who: str, node: Node) -> dict[str, Slot]:
    return {f"{who}.name": node.name, f"{who}.tag": tag(node.name), f"{who}.data": node.data}


def sum_flags(c: Contribution, received: set[str]) -> list[str]:
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
    return any(not slopes.same(c.upstream, expected) for c in frame.contributions)

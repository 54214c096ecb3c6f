"""The card of a Value: its formula with numbers, its frames, ledger and paths, as text.

It is drawn for one frame: entries of later frames are pale. From frame to frame the page's script
changes only the marks of rows and the two numbers at the top.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from app.explore import explanation, numbers_shown, op_cards
from app.explore.card_filling import Slot, filled
from app.explore.expansions import OpRow, op_row
from app.explore.name_tags import tag
from app.explore.value_paths import Paths, paths
from app.picture.frame_state import State, step_state
from app.picture.grains import FrameSpan
from app.picture.shapes import symbol
from app.picture.steps import Folded
from app.program_address import View
from engine.numbers import compact, full, in_equation, with_minus
from engine.real import same
from engine.trace import equations, slopes
from engine.trace.equations import slot
from engine.trace.ledger import CONTRIBUTION, SEED, Ledger, LedgerEntry, frames_of, ledger
from engine.trace.model import Node
from engine.trace.naming import statement
from engine.trace.traced import Trace

TERMS = 8
"""The gradient is written as a sum of at most this many contributions."""
LISTED = 60
"""Entries and frames that are listed."""
NO_GRADIENT = "A constant of the program: it has no gradient."
NEVER = "Its gradient has received no contribution."
BROKEN = "With the broken rule it ends as {}. Below is the pass by the right rule."
TURNED = "The data was changed after it was computed, so the formula no longer gives it."


@dataclass(frozen=True, slots=True)
class CardContext:
    """What the rows of a card need to know of the page: addresses, and the numbers of frames."""

    view: View
    steps: Sequence[int]
    closed: Mapping[str, Folded]

    def frame(self, at: int) -> str:
        return f"/?{self.view.at(at).query()}"

    def value(self, node: str) -> str:
        return f"/?{self.view.with_lens('value', node).query()}"

    def number(self, at: int) -> int:
        """What the page calls a frame: its place among the steps, from 1."""
        return min(bisect_left(self.steps, at) + 1, len(self.steps))


class FrameLink(NamedTuple):
    """A frame of the Value, with its number on the page."""

    frame: int
    number: int
    pass_: str
    href: str


class LedgerRow(NamedTuple):
    """An entry of the ledger. `when` is now, later or empty; `user` leads to another Value's card.

    A write has `change`, before → after, in place of an amount and, if it is wrong, the number due.
    """

    sign: str
    text: str
    user: str
    user_href: str
    link: FrameLink
    amount: str
    total: str
    exact: str
    when: str
    change: str = ""
    due: str = ""


class GradientTerm(NamedTuple):
    """A summand of the gradient, with its sign before it."""

    sign: str
    text: str
    frame: int | None
    when: str


@dataclass(frozen=True, slots=True)
class ValueCard:
    """The card of the Value `id`; without `grad` for a constant."""

    id: str
    name: str
    kind: str
    line: int
    key: str
    close: str
    data: str
    exact_data: str
    grad: str | None
    formula: Markup
    of: Markup
    terms: Sequence[GradientTerm]
    total: str
    true: str
    is_wrong: bool
    frames: Sequence[FrameLink]
    rows: Sequence[LedgerRow]
    left_out: int
    paths: Paths | None
    notes: Sequence[str]
    op: OpRow | None
    """Its operation, if that can be opened."""


def value_card(trace: Trace, at: int | FrameSpan, place: CardContext) -> ValueCard | None:
    """The card of the Value that the address names, at a frame or step; None if there is none."""
    step = at if isinstance(at, FrameSpan) else FrameSpan(at, (at,))
    by_id = {node.id: node for node in trace.nodes}
    node = by_id.get(place.view.lenses.get("value", ""))
    if node is None:
        return None
    now = step_state(trace, step, place.closed)
    kept = ledger(trace, node) if node.grad is not None else None
    true, is_wrong = _true(trace, node)
    entries = kept.entries if kept else ()
    ways = paths(trace, node, kept, place.closed) if kept else None
    return ValueCard(
        id=node.id,
        name=node.name,
        kind=node.kind,
        line=node.span[0],
        key=node.key or "",
        close=f"/?{place.view.with_lens('value', '').query()}",
        data=in_equation(now.data[node.id]) if node.id in now.data else "·",
        exact_data=with_minus(full(node.data)),
        grad=_grad(node, now),
        formula=_formula(trace, node, by_id, place.closed),
        of=_of(trace, node, by_id, kept, ways),
        terms=tuple(_terms(kept, step)) if kept else (),
        total=compact(kept.total) if kept else "",
        true="" if true is None else compact(true),
        is_wrong=is_wrong,
        frames=[_link(trace, frame, place) for frame in frames_of(trace, node.id)[:LISTED]],
        rows=[_row(trace, entry, step, place, by_id) for entry in entries[:LISTED]],
        left_out=max(0, len(entries) - LISTED),
        paths=ways,
        notes=tuple(_notes(trace, node, kept)),
        op=op_row(trace, node, place.view),
    )


def _grad(node: Node, now: State) -> str | None:
    if node.grad is None:
        return None
    return in_equation(now.grads[node.id]) if node.id in now.grads else "·"


def _true(trace: Trace, node: Node) -> tuple[float | None, bool]:
    """The true gradient where the one shown may be another, and whether it is wrong."""
    true = trace.true_grads.get(node.id)
    if not slopes.is_by_hand(trace):
        return None, False
    ends = trace.verdict.ends.get(node.id) if trace.verdict else None
    return true, ends is False


def _notes(trace: Trace, node: Node, kept: Ledger | None) -> list[str]:
    if kept is None:
        return [NO_GRADIENT]
    said = [TURNED] if node.id in trace.stale else []
    if not kept.entries:
        said.append(NEVER)
    elif kept.held != 0:
        said.append(f"It held {compact(kept.held)} before this pass.")
    if trace.broken is not None and node.id in trace.broken.grads:
        said.append(BROKEN.format(compact(trace.broken.grads[node.id])))
    return said


# The formula, and the gradient as a sum


def _formula(
    trace: Trace, node: Node, by_id: Mapping[str, Node], closed: Mapping[str, Folded]
) -> Markup:
    """y = f(x₀, x₁) = f(numbers) = number; of a closed formula name and args; none of a leaf."""
    at = next((i for i, f in enumerate(trace.frames) if f.node == node.id and not f.given), None)
    if node.op is None or at is None or trace.frames[at].pass_ != "forward":
        return Markup()
    fold = closed.get(node.id)
    if fold is not None:
        call = f"{fold.title}({', '.join([by_id[arg].name for arg in fold.args])})"
        values: dict[str, Slot] = {"y.tag": tag(node.name), "y.data": node.data, "call": call}
        result = f"<mo>=</mo>{slot('call', 'mtext')}<mo>=</mo>{slot('y.data', 'mn', kind='data')}"
        text = filled(f"<math><mrow>{slot('y.tag')}{result}</mrow></math>", values)
        return Markup(text)  # noqa: S704  all text is escaped
    template = op_cards.formula(node.op, numbers_shown.exponent(node, by_id))
    more = numbers_shown.more(node, trace.frames[at], by_id)
    text = filled(template, explanation.slots(trace, at, closed), more)
    return Markup(text)  # noqa: S704  all text is escaped


def _of(
    trace: Trace, node: Node, by_id: Mapping[str, Node], kept: Ledger | None, ways: Paths | None
) -> Markup:
    """∂L/∂a, or a.grad where the gradient is not that derivative."""
    if kept is None or ways is None:
        return Markup()
    is_own = not slopes.is_by_hand(trace) and kept.held == 0 and ways.derivative is not None
    output = by_id[trace.drawn].name
    values: dict[str, Slot] = {"y.tag": tag(node.name), "out.tag": tag(output)}
    if is_own and same(ways.derivative or 0.0, kept.total):
        text = equations.derivative("out.tag", "y.tag")
    else:
        text = f"{slot('y.tag')}<mo>.</mo><mi>grad</mi>"
    return Markup(filled(f"<math><mrow>{text}</mrow></math>", values))  # noqa: S704  all escaped


def _terms(kept: Ledger, step: FrameSpan) -> list[GradientTerm]:
    """The gradient as a sum; none if it is no sum, is one number alone or of too many."""
    if not _is_sum(kept):
        return []
    amounts = [entry.amount for entry in kept.entries]
    parts = [(entry.amount, entry.frame) for entry in kept.entries if entry.amount is not None]
    if len(parts) < len(amounts) or not 1 < len(parts) + (kept.held != 0) <= TERMS:
        return []
    first = [GradientTerm("", compact(kept.held), None, "")] if kept.held != 0 else []
    found = [
        *first,
        *[GradientTerm("", compact(x), frame, _when(frame, step)) for x, frame in parts],
    ]
    return [found[0], *[_signed(term) for term in found[1:]]]


def _is_sum(kept: Ledger) -> bool:
    """Whether each entry adds to what the ones before it left; not so if a rule is broken."""
    held = kept.held
    for entry in kept.entries:
        added = entry.before + (entry.amount or 0.0)
        tolerance = 1e-6 * max(abs(entry.before), abs(entry.amount or 0.0))  # of 32-bit floats
        if not same(entry.before, held):
            return False
        if not (same(entry.after, added) or abs(entry.after - added) <= tolerance):
            return False
        held = entry.after
    return True


def _signed(term: GradientTerm) -> GradientTerm:
    is_less = term.text.startswith("−")
    return term._replace(sign="−" if is_less else "+", text=term.text.removeprefix("−"))


# Rows


def _link(trace: Trace, frame: int, place: CardContext) -> FrameLink:
    return FrameLink(frame, place.number(frame), trace.frames[frame].pass_, place.frame(frame))


def _when(frame: int, step: FrameSpan) -> str:
    return "now" if frame in step.frames else "later" if frame > step.frame else ""


def _row(
    trace: Trace, entry: LedgerEntry, step: FrameSpan, place: CardContext, by_id: Mapping[str, Node]
) -> LedgerRow:
    user = by_id[entry.user]
    written = entry.written
    sign, text = "", ""
    if entry.kind == SEED:
        sign, text = "1", f"∂{user.name}/∂{user.name}, where the pass starts"
    elif entry.kind == CONTRIBUTION:
        sign, text = symbol(user.op or ""), _made(trace, user, entry, by_id)
    elif written is not None:
        sign, text = "✎", statement(written.span, trace.program.split("\n"))
    change = f"{compact(entry.before)} → {compact(entry.after)}" if written else ""
    due = (
        compact(written.due)
        if written and written.right is False and written.due is not None
        else ""
    )
    is_other = entry.kind == CONTRIBUTION
    return LedgerRow(
        sign=sign,
        text=text,
        user=user.id if is_other else "",
        user_href=place.value(user.id) if is_other else "",
        link=_link(trace, entry.frame, place),
        amount="" if entry.amount is None else _plus(entry.amount),
        total=compact(entry.after),
        exact=_exact(entry),
        when=_when(entry.frame, step),
        change=change,
        due=due,
    )


def _made(trace: Trace, user: Node, entry: LedgerEntry, by_id: Mapping[str, Node]) -> str:
    """The op that the contribution came from, and which of its equal inputs it came through."""
    source = trace.source(user)
    text = f"{user.label} = {source}" if user.label and source != user.label else user.name
    of = by_id[user.args[entry.slot]].id
    if user.args.count(of) > 1:
        return f"{text}, input {entry.slot + 1}"
    return text


def _exact(entry: LedgerEntry) -> str:
    """The amount as a product, with numbers in full."""
    if entry.upstream is None or entry.partial is None or entry.amount is None:
        return with_minus(f"{full(entry.before)} → {full(entry.after)}")
    return with_minus(f"{full(entry.upstream)} × {full(entry.partial)} = {full(entry.amount)}")


def _plus(x: float) -> str:
    return f"+{compact(x)}" if x > 0 else compact(x)

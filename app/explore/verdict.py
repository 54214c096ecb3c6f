"""The verdict on the gradients that a program wrote itself, as the page shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import dedent
from typing import NamedTuple

from markupsafe import Markup, escape

from app.explore.hand_gradients import HandView, all_right, hand_view, headline
from app.program_address import View
from engine.by_hand.model import HandVerdict
from engine.numbers import counted, in_equation
from engine.parser_lock import Span
from engine.trace.traced import Trace
from engine.verdict.kinds import KINDS
from engine.verdict.ledger import close
from engine.verdict.model import Fix, Mistake, Verdict

LISTED = 200
"""Rows of the table of gradients."""


@dataclass(frozen=True, slots=True)
class FixView:
    """A fix, with the program that it makes."""

    change: str
    """The span and the text, as JSON, for the editor."""
    line: str
    """The line, or lines, as they should be."""
    href: str


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A mistake: its sentence in parts, so that names are code and numbers stand out."""

    title: str
    message: Markup
    why: str
    cure: str
    span: Span
    step: int | None
    """The frame of the write."""
    fix: FixView | None


class GradRow(NamedTuple):
    """A row of "yours against the true gradients"."""

    node: str
    name: str
    yours: str
    true: str
    state: str
    says: str


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The verdict: `look` is right, wrong or open, for what could not be judged."""

    look: str = ""
    sentence: Markup | str = ""
    counts: str = ""
    mistakes: Sequence[MistakeView] = ()
    rows: Sequence[GradRow] = ()
    more: int = 0
    test_href: str = ""
    """The address with the section that tests the program's own class."""
    arrays: HandView | None = None
    """The gradients of whole arrays, if it is on these."""


NO_VERDICT = VerdictView()


def of_trace(shown: Trace, view: View) -> VerdictView:
    """The verdict on the scene that `shown` is of; empty if the program wrote no gradient."""
    verdict = shown.verdict
    if verdict is None:
        return NO_VERDICT if shown.by_hand is None else _of_arrays(shown.by_hand, view, shown)
    mistakes = tuple(_mistake(found, view, shown.program) for found in verdict.mistakes)
    rows = _rows(shown)
    if mistakes:
        look = "wrong"
        sentence: Markup | str = mistakes[0].message
    elif verdict.unknown or verdict.right < verdict.checked or not verdict.checked:
        look, sentence = "open", _open(verdict)
    elif verdict.because:
        look, sentence = "open", f"{_all_right(verdict, shown)} {verdict.because}"
    else:
        look, sentence = "right", _all_right(verdict, shown)
    return VerdictView(
        look,
        sentence,
        _counts(verdict),
        mistakes,
        rows[:LISTED],
        max(len(rows) - LISTED, 0),
        f"/explore?{view.with_lens('lens', 'trials').query()}" if verdict.is_own else "",
    )


def _of_arrays(found: HandVerdict, view: View, shown: Trace) -> VerdictView:
    """The verdict on gradients of whole arrays."""
    mistakes = tuple(
        MistakeView(
            it.title, escape(it.message), it.why, "", it.span, None,
            None if it.fix is None else fix_view(it.fix, view, shown.program),
        )
        for it in found.mistakes
    )  # fmt: skip
    counts = f"{found.right:,} of {found.checked:,} right"
    if mistakes:
        counts += f" · {counted(len(mistakes), 'mistake')}"
        return VerdictView("wrong", headline(found), counts, mistakes, arrays=hand_view(found))
    look = "right" if found.checked and found.right == found.checked else "open"
    return VerdictView(look, all_right(found), counts, arrays=hand_view(found))


def of_failure(mistakes: Sequence[Mistake], view: View) -> VerdictView:
    """The verdict on a program that a mistake in its class has ended."""
    if not mistakes:
        return NO_VERDICT
    shown = tuple(_mistake(found, view, view.program or "") for found in mistakes)
    return VerdictView("wrong", shown[0].message, counted(len(shown), "mistake"), shown)


def _all_right(verdict: Verdict, shown: Trace) -> str:
    """Of several scenes, only the one shown was judged."""
    of = f" of scene {shown.scene}" if shown.scene is not None and len(shown.scenes) > 1 else ""
    one, all_ = f"The gradient{of} is", f"All {verdict.right:,} gradients{of} are"
    where = "these numbers alone" if verdict.points == 1 else f"{verdict.points} sets of numbers"
    seed = "" if close(verdict.seed, 1.0) else f" for the seed {in_equation(verdict.seed)}"
    return f"{one if verdict.right == 1 else all_} right{seed}, checked with {where}."


UNTRACED = (
    "The gradients cannot be checked: Seegrad could not trace how these numbers were computed."
)


def _open(verdict: Verdict) -> str:
    if not verdict.checked:
        return verdict.because or UNTRACED
    wrong = verdict.checked - verdict.right
    parts = [f"{verdict.right:,} of {counted(verdict.checked, 'gradient')} right"]
    if wrong:
        parts.append(f"{wrong:,} not those of the output, without a line to blame")
    if verdict.unknown:
        parts.append(f"{verdict.unknown:,} unknown: a number could not be traced")
    return f"{'; '.join(parts)}. {verdict.because}".rstrip()


def _counts(verdict: Verdict) -> str:
    """The mistakes; how many gradients are right, unless no wrong one shows at these numbers."""
    if not verdict.mistakes:
        return ""
    mistakes = counted(len(verdict.mistakes), "mistake")
    if all(found.point for found in verdict.mistakes):
        return f"{mistakes} · hidden at the program’s own numbers"
    if verdict.right == verdict.checked:
        return mistakes
    return f"{mistakes} · {verdict.right:,} of {counted(verdict.checked, 'gradient')} right"


def _mistake(found: Mistake, view: View, program: str) -> MistakeView:
    return MistakeView(
        KINDS[found.kind].title,
        _marked(found),
        found.why,
        found.cure,
        found.span,
        found.frame,
        None if found.fix is None else fix_view(found.fix, view, program),
    )


def _marked(found: Mistake) -> Markup:
    """The message with its names as code and its numbers set off, without what its fix shows."""
    text = _CURE.sub("", str(escape(found.message)))
    if found.subject:
        name = re.escape(str(escape(found.subject))) + r"\.\w+"
        text = re.sub(name, lambda match: f"<code>{match[0]}</code>", text, count=1)
    return Markup(_ENDS.sub(r'ends at <b class="grad">\1</b>', text))  # noqa: S704  # escaped above


_CURE = re.compile(r" The partial is .*\Z")
_ENDS = re.compile(r"ends at ([^,\s]+)(?=,)")


def fix_view(fix: Fix, view: View, program: str) -> FixView:
    fixed = apply(program, fix)
    first = fix.span[0] - 1
    last = first + fix.text.rstrip("\n").count("\n")
    first += len(fix.text) - len(fix.text.lstrip("\n"))  # of lines added below, those alone
    lines = fixed.split("\n")[first : last + 1]
    given = json.dumps({"span": fix.span, "text": fix.text})
    address = replace(view, program=fixed, frame=None)
    return FixView(given, dedent("\n".join(lines)).strip(), f"/?{address.query()}")


def apply(program: str, fix: Fix) -> str:
    """The program with the fix."""
    line, column, end_line, end_column = fix.span
    lines = program.split("\n")
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
    after = "\n".join([lines[end_line - 1][end_column - 1 :], *lines[end_line:]])
    return before + fix.text + after


def _rows(shown: Trace) -> list[GradRow]:
    """The objects in the order computed, the wrong ones first."""
    assert shown.verdict is not None
    ends = shown.verdict.ends
    final: dict[str, float] = {}
    for changes in shown.changes[sum(f.pass_ == "forward" for f in shown.frames) :]:
        final.update(changes.numbers)
    rows = []
    kept = any(found.kind == "not_zeroed" for found in shown.verdict.mistakes)
    left = "bad" if kept else "added"
    for node in shown.nodes:
        if node.id not in ends or node.grad is None:
            continue
        yours = in_equation(final[node.id]) if node.id in final else "·"
        due = shown.true_grads.get(node.id)
        true = "?" if due is None else in_equation(due)
        state = {True: "ok", False: "bad", None: "unknown"}[ends[node.id]]
        if state == "ok" and {yours, true}.isdisjoint("·?") and yours != true:
            state = left
        says = _SAYS[state]
        if state == "ok" and (later := shown.verdict.later.get(node.id)) is not None:
            state, says = "later", f"right after the pass, later set to {in_equation(later)}"
        rows.append(GradRow(node.id, node.name, yours, true, state, says))
    return sorted(rows, key=lambda row: row.state != "bad")


_SAYS = {
    "ok": "right",
    "bad": "wrong",
    "added": "right: added to that of the pass before",
    "unknown": "could not be traced",
}

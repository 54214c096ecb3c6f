"""Why a gradient computed by hand is wrong, with a fix that was tried before it is offered.

Of the statements behind a wrong gradient many small changes are evaluated from the arrays of the
run. The program is run with those that give the true gradient, and the first is kept for which the
gradient is right then, and none is wrong that was right before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from engine.parser_lock import module
from engine.program import Program, ProgramError
from engine.verdict.model import Fix
from engine.verdict.text_edits import applied

from . import model
from .candidates import candidates
from .editing import GradientLine, TriedChange
from .evaluate import Impossible, KnownArrays, Unknown, run
from .judge import HandPass, hand_pass, statement_of
from .kinds import HAND_KINDS
from .model import HandGradient, HandMistake
from .number_changes import number_changes
from .origin import first_wrong
from .points import right_at
from .scenery import activations, is_scattered, scenery_of, setting_before, statements_of
from .stale import stale_changes
from .truth import ancestors, are_close
from .uses import left_out_use

TRIED = 12
"""Runs for one mistake, of changes that give the true gradient when they are evaluated."""
UNSURE = 24
"""Runs for one mistake, of changes that cannot be evaluated."""
MORE = 4
"""Runs for one mistake after the first that makes its gradient right, for a better change."""
AWAY = 8
"""How many changes of the line where the chain becomes wrong go before those of another line."""
LONG = 3
"""Runs of either kind where a run computes more than is recorded."""
EVALUATED = 600
MISTAKES = 3
"""Mistakes that are named, one after the other fixed."""
AGAIN = 2
"""Other numbers for which a change is tried."""


def mistakes(passed: HandPass) -> tuple[HandMistake, ...]:
    """The mistakes behind the wrong gradients of a pass, the first one first."""
    found: list[HandMistake] = []
    fixed: set[str] = set()
    for row in passed.gradients:
        is_open = row.state in (model.WRONG, model.SHAPE) and row.shown not in fixed
        if passed.points and any(mistake.span == row.span for mistake in found):
            continue  # of a list its first wrong item is told
        if is_open and len(found) < MISTAKES:
            mistake, right = _mistake(passed, row)
            found.append(mistake)
            fixed |= right
    return tuple(found)


def _mistake(passed: HandPass, row: HandGradient) -> tuple[HandMistake, set[str]]:
    """A mistake, and the names of the gradients that are right with its fix."""
    lines = statements_of(passed, row)
    start = first_wrong(passed, row)
    best = _best(passed, row, _promising(passed, row, lines, _line_of(passed, start)))
    if best is not None:
        change, right = best
        found = _named(passed, row, change.kind, change.told, change)
        return found._replace(fixes=frozenset(right)), right
    omitted = "" if passed.points else left_out_use(passed, row)
    if omitted:
        return _named(passed, row, "missing_use", omitted), set()
    kind = "shape" if row.state == model.SHAPE else "unknown"
    if start is None and passed.points:
        kind, start = "chain", _begun(passed, row)
    return _named(passed, row, kind, "", start=start), set()


def _begun(passed: HandPass, row: HandGradient) -> int:
    """The first node with the gradient's name that the gradient is computed from."""
    behind, nodes = {*ancestors(passed.nodes, row.node)}, passed.nodes
    named = (it.of for it in passed.run.array_record.names if it.name == row.name)
    return min((at for at in named if at in behind and nodes[at].op is not None), default=row.node)


def _best(
    passed: HandPass, row: HandGradient, changes: Iterator[TriedChange]
) -> tuple[TriedChange, set[str]] | None:
    """The first change that makes all gradients right, else that which makes most right.

    After one that makes this gradient right a few more are tried.
    """
    due = {it.shown for it in passed.gradients if it.state != model.OPEN}
    best: tuple[TriedChange, set[str]] | None = None
    left = MORE
    for change in changes:
        right = _mended(passed, row, change)
        if right is not None and (best is None or len(right) > len(best[1])):
            best = change, right
        left -= best is not None
        if best is not None and (due <= best[1] or left <= 0):
            break
    return best


def _line_of(passed: HandPass, at: int | None) -> int:
    return 0 if at is None else passed.run.source.span(passed.nodes[at].node)[0]


def _named(
    passed: HandPass,
    row: HandGradient,
    kind: str,
    told: str,
    change: TriedChange | None = None,
    start: int | None = None,
) -> HandMistake:
    words, span = HAND_KINDS[kind], row.span
    if start is not None:
        span = passed.run.source.span(statement_of(passed.run, passed.nodes[start].node))
    if change is not None:
        line = change.line or change.span[0]
        span = passed.program.source.span(_statement_at(passed, line))
    given = {"name": row.shown, "of": row.of, "line": span[0], "told": told}
    fix = None if change is None else Fix(change.span, change.text)
    return HandMistake(
        kind, words.title, words.sentence.format(**given), words.why.format(**given), span,
        row.shown, fix,
    )  # fmt: skip


def _statement_at(passed: HandPass, line: int) -> ast.AST:
    """The innermost statement around a line."""
    around = [
        node
        for kind in passed.program.source.parts
        if issubclass(kind, ast.stmt)
        for node in passed.program.source.each(kind)
        if getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", 0) or 0)
    ]
    return max(around, key=lambda node: getattr(node, "lineno", 0))


def _promising(
    passed: HandPass, row: HandGradient, lines: Sequence[GradientLine], start: int
) -> Iterator[TriedChange]:
    """Changes that may fix a gradient, those first that give it; the others are told by a run.

    `start` is the line from which on the chain is wrong, 0 if it is unknown.
    """
    yield from stale_changes(passed, row, lines)
    yield from _put_between(passed, row)
    unsure: list[tuple[int, TriedChange]] = []
    record = passed.run.array_record
    is_short = record is not None and (record.is_whole or passed.enough > 0)
    left = TRIED if is_short else LONG
    for rank, change, fits in _sorted_out(passed, row, lines, start):
        if fits is None:
            unsure.append((rank + (AWAY if start and change.span[0] != start else 0), change))
        elif fits and left:
            left -= 1
            yield change
    unsure.sort(key=lambda pair: pair[0])
    yield from [change for _, change in unsure[: UNSURE if is_short else LONG]]


def _put_between(passed: HandPass, row: HandGradient) -> Iterator[TriedChange]:
    """The derivative of an activation in a line of its own, for several gradients behind it."""
    source = passed.program.source
    known = activations(passed)
    for gradient in passed.gradients:
        activation = known.get(gradient.name)
        if activation is None:
            continue
        named = re.compile(rf"(?<![\w.]){re.escape(gradient.name)}(?!\w)")
        spots: dict[int, HandGradient] = {}
        for it in passed.gradients:
            if it.state in (model.WRONG, model.SHAPE):
                for line in statements_of(passed, it):
                    is_use = line.value is not None and gradient.name in line.names()
                    if is_use and line.line > gradient.span[0]:
                        spots[line.line] = it
        if len({it.name for it in spots.values()}) < 2 or row not in spots.values():
            continue
        first, last = min(spots), max(spots)
        new = f"d{activation.before}" if activation.before.isidentifier() else "dz"
        if re.search(rf"\b{new}\b", source.text):
            new = f"{gradient.name}_before"
        indent = re.match(r"\s*", source.lines[first - 1])
        space = indent[0] if indent else ""
        texts = [f"{space}{new} = {gradient.name} * {activation.factor}"]
        for number in range(first, last + 1):
            below = source.lines[number - 1]
            texts.append(named.sub(new, below) if number in spots else below)
        span = (first, 1, last, len(source.lines[last - 1]) + 1)
        yield TriedChange("activation", span, "\n".join(texts), activation.kind, first)


def _sorted_out(
    passed: HandPass, row: HandGradient, lines: Sequence[GradientLine], start: int
) -> Iterator[tuple[int, TriedChange, bool | None]]:
    """The changes of the statements, each with its place in the order of its line.

    And whether it gives the true gradient; None if that is unsure.
    """
    setting = setting_before(passed, row)
    factors, repeats = _factors(passed, row), is_scattered(passed, row, lines)
    count = 0
    has_shape = row.state != model.SHAPE
    ordered = [*reversed(lines)]
    if passed.points:  # of numbers any line of a chain can take a factor back: the first is meant
        ordered = sorted(lines, key=lambda it: it.line != start)
    for it in ordered:
        scenery = scenery_of(passed, row, it, setting)
        changes = (
            number_changes(it, scenery)
            if scenery.numbers
            else candidates(it, scenery, has_shape=has_shape)
        )
        for rank, change in enumerate(changes):
            count += 1
            if count > EVALUATED:
                return
            fits = None if repeats else _fits(row, lines, it, change, setting, factors)
            yield rank, change, fits


def _fits(
    row: HandGradient,
    lines: Sequence[GradientLine],
    it: GradientLine,
    change: TriedChange,
    before: KnownArrays,
    factors: frozenset[float],
) -> bool | None:
    """Whether the gradient is the true one with a change, by evaluating the statements anew."""
    if row.due is None:
        return None
    setting, name = before.copy(), ""
    try:
        for line in lines:
            text = _with(line, change) if line is it else line.text(line.node)
            for node in module(text).body:
                name = run(node, setting)
    except Impossible:
        return False
    except (Unknown, SyntaxError):
        return None
    found, due = setting.arrays[name], row.due
    return found.shape == due.shape and any(
        are_close(found.data, [k * x for x in due.data], 1e-5) for k in factors
    )


def _factors(passed: HandPass, row: HandGradient) -> frozenset[float]:
    """What a right gradient may be multiplied by: 1, or what those before it or itself are."""
    behind = set(ancestors(passed.nodes, row.node))
    before = {
        it.factor for it in passed.gradients if it.state == model.SCALED and it.node in behind
    }
    return frozenset({1.0, *before, *({abs(row.factor)} if row.factor < 0 else ())})


def _with(it: GradientLine, change: TriedChange) -> str:
    """The text of a statement with a change of it."""
    line, column = it.span[:2]
    first, last = change.span[0] - line, change.span[2] - line
    moved = change._replace(
        span=(
            first + 1, change.span[1] - (column - 1 if first == 0 else 0),
            last + 1, change.span[3] - (column - 1 if last == 0 else 0),
        )
    )  # fmt: skip
    return applied(it.text(it.node), moved.span, moved.text).replace(f"\n{it.indent}", "\n")


def _mended(passed: HandPass, row: HandGradient, change: TriedChange) -> set[str] | None:
    """The gradients that are right in a run with a change; None if it does not fix this one."""
    text = applied(passed.program.source.text, change.span, change.text)
    try:
        program: Program = passed.program.with_text(text)
        again = hand_pass(program, program.run(enough=passed.enough))
    except ProgramError:
        return None
    if again is None:
        return None
    right, before = again.right(), passed.right()
    if passed.points:  # the items of a list are fixed together
        before |= {
            it.shown for it in passed.gradients if it.span == row.span and it.due is not None
        }
    if row.shown not in right or not before <= right:
        return None
    program.output = again.matched.loss.of if passed.points else None
    for point in passed.points[:AGAIN]:
        right &= right_at(program, point, passed.enough) or set()
    return right if row.shown in right else None

"""Weights that were updated before a gradient was computed with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .editing import GradientLine, TriedChange
from .judge import HandPass, statement_of
from .model import HandGradient
from .truth import ancestors


def stale_changes(
    passed: HandPass, row: HandGradient, lines: Sequence[GradientLine]
) -> Iterator[TriedChange]:
    """Updates of weights, before the gradient was computed, moved behind it."""
    record, nodes = passed.run.array_record, passed.nodes
    forward = set(passed.matched.truth.order)
    behind = set(ancestors(nodes, row.node)) - forward
    known = {(it.name, it.owner): it.of for it in record.names if it.of in forward}
    gradients = {it.node for it in passed.gradients}
    for it in record.names:
        old = known.get((it.name, it.owner))
        is_new = it.of in behind and it.of not in gradients and nodes[it.of].op is not None
        if not is_new or old is None or old not in ancestors(nodes, it.of) or not lines:
            continue
        update = statement_of(passed.run, it.node)
        if isinstance(update, ast.stmt):
            yield from _moved(passed, GradientLine(passed.run.source, update), lines[-1], it.name)


def _moved(
    passed: HandPass, update: GradientLine, last: GradientLine, name: str
) -> Iterator[TriedChange]:
    """The update behind the last gradient in its block."""
    lines = passed.run.source.lines
    block = _block(passed, update.node)
    if last.node not in block or block.index(update.node) >= block.index(last.node):
        return
    written = {it.span[0] for it in passed.gradients}
    places = [at for at, node in enumerate(block) if node.lineno in written]
    behind = block[max([*places, block.index(last.node)])]
    end = behind.end_lineno or behind.lineno
    moved = lines[update.node.lineno - 1 : update.node.end_lineno]
    rest = lines[update.node.end_lineno or 0 : end]
    span = (update.node.lineno, 1, end, len(lines[end - 1]) + 1)
    yield TriedChange("stale", span, "\n".join([*rest, *moved]), name, last.line)


def _block(passed: HandPass, node: ast.stmt) -> list[ast.stmt]:
    parent = passed.run.source.parents.get(node)
    for name in ("body", "orelse", "finalbody"):
        found = getattr(parent, name, None)
        if isinstance(found, list) and node in found:
            return found
    return []

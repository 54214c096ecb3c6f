"""Gradients that are set to zero after the pass, before the update that needs them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from engine.record.source import Source


def zeroed_early(source: Source, call: ast.AST, gradients: Collection[str]) -> str:
    """What is said of statements behind the call of a pass; "" if all is in order.

    `gradients` are the names of the attributes that hold gradients.
    """
    cleared: dict[str, int] = {}
    for node in _behind(source, call):
        line = getattr(node, "lineno", 0)
        of = _clears(node, gradients)
        if of is not None:
            cleared.setdefault(of, line)
        elif reads := _update_of(node, gradients):
            first = [cleared[of] for of in (*reads, "") if of in cleared]
            if not first:
                return ""
            return (
                f"Line {first[0]} sets the gradients to 0 before line {line} uses them, "
                "so the update changes nothing."
            )
    return ""


def _behind(source: Source, call: ast.AST) -> Iterator[ast.AST]:
    """The simple statements behind a call in its block, those of loops one after the other."""
    inner, outer = call, source.parents.get(call)
    while outer is not None:
        block = next((b for b in _blocks(outer) if inner in b), None)
        if block is not None:
            for node in block[block.index(inner) + 1 :]:  # type: ignore[arg-type]
                yield from _simple(node)
            return
        inner, outer = outer, source.parents.get(outer)


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _simple(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.For | ast.With):
        for inner in node.body:
            yield from _simple(inner)
    else:
        yield node


def _clears(node: ast.AST, gradients: Collection[str]) -> str | None:
    """The gradient that a statement sets to 0, "" for those of a whole model."""
    match node:
        case ast.Assign(targets=[ast.Attribute(attr=attr) as target], value=ast.Constant(value=0)):
            return ast.unparse(target) if attr in gradients else None
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="zero_grad"))):
            return ""
    return None


def _update_of(node: ast.AST, gradients: Collection[str]) -> list[str]:
    """The gradients by which a statement changes the number of an object."""
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    is_update = isinstance(node, ast.Assign | ast.AugAssign) and any(
        isinstance(target, ast.Attribute) and target.attr not in gradients for target in targets
    )
    if not is_update:
        return []
    return [
        ast.unparse(part)
        for part in ast.walk(node.value)  # type: ignore[attr-defined]
        if isinstance(part, ast.Attribute) and part.attr in gradients
    ]

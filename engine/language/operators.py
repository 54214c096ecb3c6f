"""Signs that work on plain things: lists, texts and remainders."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from engine.value import Value

from .objects import Array, kind, plain_number, sentence
from .tape import Number, Refused

if TYPE_CHECKING:
    from .expressions import Expressions


def plain_binary(run: Expressions, sign: ast.operator, a: Any, b: Any, node: ast.AST) -> Any:
    """Signs beside the five operations: list + list, list * n, the same for texts, n % m."""
    if isinstance(a, Array) or isinstance(b, Array):
        hint = _items_hint(sign, a, b) or "Take its items one by one."
        raise Refused(node, "Arrays are not computed with as a whole here.", hint)
    if isinstance(sign, ast.Mult) and isinstance(b, list | str):
        a, b = b, a
    if isinstance(sign, ast.Add) and isinstance(a, list) and isinstance(b, list):
        run.tape.spend(node, len(a) + len(b))
        run.check_length(len(a) + len(b), node)
        return a + b
    if isinstance(sign, ast.Mult) and isinstance(a, list) and _counts(b):
        if any(isinstance(item, Value) for item in a):
            run.note(
                node,
                "A list times a number repeats the list; for products of its items "
                "write [v*2 for v in x].",
            )
        count = max(run.whole(b, node), 0) if a else 0
        run.check_length(len(a) * count, node)
        run.tape.spend(node, len(a) * count)
        return a * count
    if isinstance(sign, ast.Add) and isinstance(a, str) and isinstance(b, str):
        run.check_text(len(a) + len(b), node)
        return a + b
    if isinstance(sign, ast.Mult) and isinstance(a, str) and not isinstance(b, list | str):
        count = max(run.whole(b, node), 0) if a else 0
        run.check_text(len(a) * count, node)
        return a * count
    if isinstance(sign, ast.Mod) and not isinstance(a, str):
        return _remainder(run, a, b, node)
    name, hint = _SIGN_NAMES.get(type(sign), ("This sign", ""))
    if name == "This sign":
        raise Refused(
            node,
            f"{sentence(kind(a))} and {kind(b)} do not go together here.",
            _items_hint(sign, a, b) or "Use numbers or Values.",
        )
    raise Refused(node, f"The sign {name} is not part of this language.", hint)


def _counts(value: Any) -> bool:
    """Whether a list can be repeated `value` times."""
    return type(value) is int or (isinstance(value, Number) and value.whole)


def _items_hint(sign: ast.operator, a: Any, b: Any) -> str:
    """How to write a sign between lists, which NumPy and PyTorch apply to each item."""
    shown = _ITEM_SIGNS.get(type(sign))
    if shown is None or not (isinstance(a, list) or isinstance(b, list)):
        return ""
    if isinstance(a, list) and isinstance(b, list):
        each = f"[v{shown}w for v, w in zip(x, y)]"
    else:
        each = f"[v{shown}2 for v in x]" if isinstance(a, list) else f"[2{shown}v for v in x]"
    return f"Gradlens works on single numbers; write {each}."


_ITEM_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: " + ", ast.Sub: " - ", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip


def _remainder(run: Expressions, a: Any, b: Any, node: ast.AST) -> float:
    if any(isinstance(x, Value) and not isinstance(x, Number) for x in (a, b)):
        message = "The remainder of a Value has no gradient here."
        raise Refused(node, message, "Take that of its number: x.data % 2.")
    dividend, divisor = plain_number(a, node), plain_number(b, node)
    if divisor == 0:
        raise Refused(
            node, "There is no remainder of a division by 0.", "Divide by another number."
        )
    if type(dividend) is int and type(divisor) is int:
        return dividend % divisor
    return run.tape.number(dividend, node).data % run.tape.number(divisor, node).data


_SIGN_NAMES: dict[type[ast.operator], tuple[str, str]] = {
    ast.FloorDiv: ("//", "Write / for a division."),
    ast.MatMult: ("@", "Write sum(a*b for a, b in zip(xs, ys))."),
    ast.LShift: ("<<", "Write x * 2**n."),
    ast.RShift: (">>", "Write x / 2**n."),
    ast.BitOr: ("|", "Write abs(x) for the absolute value."),
    ast.BitAnd: ("&", "Write and between comparisons."),
    ast.BitXor: ("^", "Write ** for a power."),
    ast.Mod: ("% on a text", 'Write an f-string: f"{x:.4f}".'),
}

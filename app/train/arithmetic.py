"""Arithmetic as text, with the numbers in it: sums of products, losses, update rules.

Numbers have as many digits as it takes for the shown ones to give the shown result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.formulas import compile_text
from engine.nn import LINEAR
from engine.numbers import in_equation, more_digits
from engine.ops import OPS
from engine.training.optim import assignments
from engine.training.sample_pass import NeuronPass
from engine.value import Value

MOST_TERMS = 12
"""Terms of a sum that are written out; of a longer one, the first SOME are."""
SOME = 4
SIGNS = {"*": "·", "-": "−", "/": "/", "+": "+", "**": "^"}
_WORD = re.compile(r"[a-z]\w*|\*\*|[-+*/]|[^a-z+*/-]+")


def summed(
    start: float | None, left: Sequence[float], right: Sequence[float], result: float
) -> str:
    """`start` + Σ left·right = `result` with numbers; without `start`, the sum alone."""
    first = [] if start is None else [start]
    more = 0
    if len(left) <= MOST_TERMS:
        numbers = [*first, *left, *right]
        more = more_digits(numbers, result, lambda *xs: _sum(xs, len(first)))
    shown = len(left) if len(left) <= MOST_TERMS else SOME
    terms = [in_equation(x, more=more) for x in first]
    for x, y in zip(left[:shown], right, strict=False):
        factor = in_equation(x, paren=bool(terms), more=more)
        terms.append(f"{factor}·{in_equation(y, paren=True, more=more)}")
    terms += [f"… {len(left) - shown} more"] if shown < len(left) else []
    return f"{' + '.join(terms)} = {in_equation(result)}"


def _sum(numbers: Sequence[float], first: int) -> float:
    count = (len(numbers) - first) // 2
    left, right = numbers[first : first + count], numbers[first + count :]
    return sum(numbers[:first]) + sum(x * y for x, y in zip(left, right, strict=True))


def activated(activation: str, neuron: NeuronPass) -> str:
    """a = f(z) with numbers."""
    a = in_equation(neuron.a)
    if activation == LINEAR:
        return f"a = z = {a}"
    more = more_digits([neuron.z], neuron.a, OPS[activation].compute)
    return f"a = {activation}(z) = {activation}({in_equation(neuron.z, more=more)}) = {a}"


def expression(value: Value, given: Sequence[Value]) -> str:
    """The operations that lead from the Values `given` to a Value, and its number."""
    known = {id(one) for one in given}
    return f"{_written(value, known)} = {in_equation(value.data)}"


def _written(value: Value, known: set[int], *, inner: bool = False) -> str:
    op = value.op
    if op is None or id(value) in known:
        return in_equation(value.data, paren=inner)
    if op.is_word:
        return f"{op.name}({', '.join(_written(arg, known) for arg in value.args)})"
    parts = [_written(arg, known, inner=True) for arg in value.args]
    sign = SIGNS.get(op.name, op.symbol)
    text = f"{sign}{parts[0]}" if len(parts) == 1 else f" {sign} ".join(parts)
    return f"({text})" if inner else text


def rule(update: str, known: Mapping[str, float]) -> list[str]:
    """Each assignment of an update rule with the numbers of one parameter, in order.

    `known` are the numbers of its variables before the update.
    """
    numbers, lines = dict(known), []
    for name, text in assignments(update):
        words = _WORD.findall(text)
        used = [word for word in dict.fromkeys(words) if word in numbers]
        compute = compile_text(text, tuple(used))
        given = [numbers[word] for word in used]
        result = compute(*given)
        more = more_digits(given, result, compute)
        texts = {word: in_equation(numbers[word], paren=True, more=more) for word in used}
        symbols = "".join(SIGNS.get(word, word) for word in words)
        digits = "".join(texts.get(word) or SIGNS.get(word, word) for word in words)
        lines.append(f"{name} = {symbols} = {digits} = {in_equation(result)}")
        numbers[name] = result
    return lines

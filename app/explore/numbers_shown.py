"""The case of a formula that applies in a frame, and the digits with which its numbers add up.

A number is shown with four decimals unless an equation would then be wrong as shown, such as
1.0000 for tanh 6 beside 1 − y² = 2.4577e-05. Scripts take both from `flags` and `digits`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add, mul
from typing import NamedTuple

from app.caches import cached
from engine.formulas import Function, names_in
from engine.numbers import more_digits
from engine.ops import OPS
from engine.reverse import Contribution
from engine.trace import cases
from engine.trace.model import Frame, Node

ARITHMETIC = frozenset({"+", "-", "*", "/", "neg"})
"""Operations whose formulas have one case."""

Nodes = Mapping[str, Node]


class Rules(NamedTuple):
    """The texts of an operation's formula and partials, for a constant exponent if it has one."""

    formula: str
    partials: tuple[str, ...]
    formula_case: Function | None
    partial_cases: tuple[Function | None, ...]
    computed: tuple[bool, ...]
    """Whether a partial has a line with its numbers: not if it is a bare name or number."""
    used: tuple[tuple[int, ...], ...]
    """The numbers that occur in each partial: 0 is the output, 1 the first input."""


@cached("rules of operations")
def rules(name: str, exponent: float | None = None) -> Rules:
    """The texts that explain the operation `name`."""
    op = OPS[name]
    formula, partials = op.formula, op.partials
    slot = cases.EXPONENTS.get(name)
    if exponent is not None and slot is not None:
        param = op.params[slot]
        formula = cases.specialised(formula, param, exponent)
        partials = tuple(cases.specialised(text, param, exponent) for text in partials)
    with_output = ("y", *op.params)
    return Rules(
        formula,
        partials,
        _chooser(formula, op.params),
        tuple(_chooser(text, with_output) for text in partials),
        tuple(not all(map(cases.is_bare, cases.branches(text))) for text in partials),
        tuple(_used(text, with_output) for text in partials),
    )


def _used(text: str, params: tuple[str, ...]) -> tuple[int, ...]:
    found = names_in(text)
    return tuple(i for i, param in enumerate(params) if param in found)


def _chooser(text: str, params: tuple[str, ...]) -> Function | None:
    return cases.chooser(text, params) if len(cases.branches(text)) > 1 else None


def exponent(node: Node, nodes: Nodes) -> float | None:
    """The exponent of the operation of `node` if that is a constant of the program."""
    slot = cases.EXPONENTS.get(node.op or "")
    if slot is None or nodes[node.args[slot]].kind != "constant":
        return None
    return nodes[node.args[slot]].data


def flags(node: Node, frame: Frame, nodes: Nodes) -> list[str]:
    """The cases that apply: `f=1`, the second of the formula, `p0=0`, the first of a partial."""
    if node.op is None or node.op in ARITHMETIC:
        return []
    texts = rules(node.op, exponent(node, nodes))
    if frame.pass_ == "forward":
        choose = texts.formula_case
        return [f"f={choose(*_data(node, nodes)):.0f}"] if choose else []
    found = []
    for c in frame.contributions:
        choose = texts.partial_cases[c.slot]
        if choose:
            found.append(f"p{c.slot}={choose(node.data, *_data(node, nodes)):.0f}")
    return found


def digits(node: Node, frame: Frame, nodes: Nodes) -> dict[str, int]:
    """The further digits in equations, where there are any.

    `f` of the formula; of the contribution to slot 0 `c0` of the product, `s0` of the sum with what
    the receiver had, `r0` of the partial's rule.
    """
    found = dict[str, int]()
    if frame.pass_ == "forward" and node.op is not None:
        found["f"] = more_digits(_data(node, nodes), node.data, OPS[node.op].compute)
    if not frame.contributions:
        return {key: more for key, more in found.items() if more}
    texts = rules(node.op, exponent(node, nodes)) if node.op else None
    for c in frame.contributions:
        found[f"c{c.slot}"] = _of_product(c)
        if c.before or c.after != c.amount:
            found[f"s{c.slot}"] = more_digits((c.before, c.amount), c.after, add)
        if texts is not None and texts.computed[c.slot]:
            numbers = [node.data, *_data(node, nodes)]
            derive = OPS[node.op or ""].derive[c.slot]
            found[f"r{c.slot}"] = _of_rule(derive, numbers, texts.used[c.slot], c)
    return {key: more for key, more in found.items() if more}


def more(node: Node, frame: Frame, nodes: Nodes) -> dict[str, int]:
    """The further digits of every slot of the frame's card."""
    found = dict[str, int]()
    for key, more in digits(node, frame, nodes).items():
        slot = key[1:]
        match key[0]:
            case "f":
                found |= {f"x{i}.data": more for i in range(len(node.args))}
            case "c":
                found |= dict.fromkeys((f"c{slot}.upstream", f"c{slot}.partial"), more)
            case "s":
                found |= dict.fromkeys((f"s{slot}.before", f"s{slot}.amount"), more)
            case _:
                found |= dict.fromkeys(rule_slots(int(slot), len(node.args)), more)
    return found


def rule_slots(slot: int, count: int) -> list[str]:
    """The slots of the numbers in the rule of a partial: its inputs and the output."""
    return [f"r{slot}y.data", *(f"r{slot}x{i}.data" for i in range(count))]


def _of_rule(
    derive: Function, numbers: list[float], used: tuple[int, ...], c: Contribution[str]
) -> int:
    """The further digits of the numbers that a partial uses."""

    def compute(*shown: float) -> float:
        for i, x in zip(used, shown, strict=True):
            given[i] = x
        return derive(*given)

    given = numbers.copy()
    return more_digits([numbers[i] for i in used], c.partial, compute, _of_product(c))


def _of_product(c: Contribution[str]) -> int:
    if c.partial == 1.0 and c.amount == c.upstream:
        return 0
    return more_digits((c.upstream, c.partial), c.amount, mul)


def _data(node: Node, nodes: Nodes) -> Sequence[float]:
    return [nodes[arg].data for arg in node.args]

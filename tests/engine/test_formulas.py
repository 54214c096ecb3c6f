"""The evaluation of formulas over an algebra, held to the functions compiled from their text."""

from __future__ import annotations

import ast
import math
import operator
import struct
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import ClassVar

import pytest

from engine import real
from engine.formulas import (
    DEFINED,
    FUNCTIONS,
    Conditions,
    Function,
    Lazy,
    compile_over,
    condition,
    evaluate,
)
from engine.ops import OPS, Op
from tests.support.each import for_each


class Floats(Conditions[float, bool]):
    """Floats, which compiled formulas compute with too."""

    signs: ClassVar[dict[str, Function]] = {
        "+": operator.add, "-": operator.sub, "*": operator.mul, "neg": operator.neg,
        "/": real.divide, "%": real.modulo, "**": real.power,
    }  # fmt: skip

    def number(self, x: float, text: str = "", /) -> float:
        return x

    def operation(self, name: str, /, *args: float) -> float:
        known: dict[str, Function] = {**DEFINED, **FUNCTIONS, **self.signs}
        return known[name](*args)

    def choose(
        self, test: ast.expr, names: Mapping[str, float], a: Lazy[float], b: Lazy[float], /
    ) -> float:
        return a() if condition(test, names, self) else b()

    def compare(self, relation: str, a: float, b: float, /) -> bool:
        return bool(getattr(operator, relation)(a, b))

    def combine(self, every: bool, parts: Iterable[bool], /) -> bool:
        return all(parts) if every else any(parts)


def bits(x: float) -> bytes:
    return struct.pack("d", math.nan if x != x else x)


@for_each("op", OPS.values())
def test_every_formula_and_partial_gives_what_its_function_gives(op: Op) -> None:
    for sample in op.samples:
        y = op.compute(*sample)
        given = dict(zip(op.params, sample, strict=True))
        assert bits(evaluate(op.formula, given, Floats())) == bits(y)
        slopes = [evaluate(text, given | {"y": y}, Floats()) for text in op.partials]
        assert list(map(bits, slopes)) == [bits(float(x)) for x in op.partials_at(y, *sample)]


def test_a_formula_stays_what_it_is_when_it_is_compiled_for_another_kind_of_number() -> None:
    text = "x if x > 0 else 0.01 * x"
    assert evaluate(text, {"x": -2.0}, Floats()) == -0.02
    assert compile_over(text, ("x",), {}, number=Fraction)(Fraction(-2)) == Fraction(0.01) * -2
    assert evaluate(text, {"x": -2.0}, Floats()) == -0.02


@for_each("text", ["[a]", "a.b", "a @ b", "a if a else b", "'a'", "f(a)(b)"])
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        evaluate(text, {"a": 1.0, "b": 2.0}, Floats())


def test_only_the_branch_that_applies_is_evaluated() -> None:
    asked: list[str] = []

    class Watched(Floats):
        def constant(self, name: str, /) -> float:
            asked.append(name)
            return 1.0

    assert evaluate("p if a < 0 or a > 1 else q", {"a": 2.0}, Watched()) == 1.0
    assert asked == ["p"]

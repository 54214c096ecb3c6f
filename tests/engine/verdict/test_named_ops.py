"""Numbers and partials of methods by their names: all from the table of operations."""

from __future__ import annotations

import ast
import math

import pytest

from engine.named_ops import OTHERS, SPECIAL, op_named
from engine.ops import OPS, Op
from engine.record.model import Made
from engine.verdict.fixes import verdict_on
from engine.verdict.partials import formulas
from engine.verdict.results import expected
from tests.support.each import for_each

METHODS = {**OPS, **OTHERS, **{f"__{name}__": OPS[s] for s, name in SPECIAL.items() if s in OPS}}
UNWRITTEN = {"softplus", "silu"}
"""Their partials call other operations, which a program does not have by name."""


def slope(op: Op, args: tuple[float, ...], slot: int) -> float:
    """The central difference of an operation."""
    h = 1e-6
    up = op.compute(*(x + h * (i == slot) for i, x in enumerate(args)))
    down = op.compute(*(x - h * (i == slot) for i, x in enumerate(args)))
    return (up - down) / (2 * h)


@for_each("method", sorted(METHODS.keys() - UNWRITTEN))
def test_the_formulas_of_a_method_hold_its_partials(method: str) -> None:
    op = METHODS[method]
    for args in op.samples or ((0.5,), (3.0,)):
        numbers = []
        for slot, x in enumerate(args):
            other = args[1 - slot] if len(args) > 1 else x
            names = {"x": f"({x})", "y": f"({other})", "n": f"({other})"}
            texts = [text.format(r=f"({op.compute(*args)})", **names) for text in formulas(method)]
            numbers.append([_number(text) for text in texts])
            due = slope(op, args, slot)
            near = [x for x in numbers[slot] if math.isclose(x, due, rel_tol=1e-5, abs_tol=1e-7)]
            assert near, (args, slot, formulas(method))


def _number(text: str) -> float:
    try:
        found = eval(text, {"math": math})  # noqa: S307
    except (ArithmeticError, ValueError):  # the partial by the other operand, outside its domain
        return math.nan
    return found if isinstance(found, float | int) else math.nan


def test_a_method_of_no_known_name_may_be_any_of_the_usual_operations() -> None:
    assert {"{y}", "1.0", "1 - {r} ** 2", "{r}", "1 / {x}"} <= set(formulas("squash"))
    assert formulas("softplus") == formulas("squash")


def test_a_new_operation_is_known_by_its_entry_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert op_named("softsign") is None
    op = Op("softsign", ("x",), "x / (1 + abs(x))", ("1 / (1 + abs(x)) ** 2",), "", (), ())
    monkeypatch.setitem(OPS, "softsign", op)
    assert formulas("softsign") == ("1 / (1 + abs({x})) ** 2",)
    assert expected(made("softsign", 3.0)) == 0.75


def made(name: str, *numbers: float) -> Made:
    return Made(name, (), numbers, None, 0.0, ast.Pass(), None)


def test_numbers_of_signs_and_methods() -> None:
    assert expected(made("-", 2.0, 5.0)) == -3.0
    assert expected(made("ln", 1.0)) == 0.0
    assert expected(made("square", -3.0)) == 9.0
    assert expected(made("maximum", 2.0, 5.0)) == 5.0
    assert expected(made("log10", 1000.0)) == pytest.approx(3.0)
    for unknown in (made("/", 1.0, 0.0), made("log", -1.0), made("log", 8.0, 2.0)):
        assert expected(unknown) is None
    assert expected(made("cube", 2.0)) is None


CLASS = """
import math
class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self._backward = lambda: None
    def {name}(self):
        out = Value({number}, (self,))
        def _backward():
            self.grad += {partial} * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()
a = Value(2.0)
b = a.{name}()
b.backward()
"""


@for_each(
    ("name", "number", "partial", "kinds"),
    [
        ("log10", "math.log10(self.data)", "1 / (self.data * math.log(10))", []),
        ("log10", "math.log(self.data)", "1 / self.data", ["wrong_result"]),
        ("leaky_relu", "max(0.2 * self.data, self.data)", "(1.0 if self.data > 0 else 0.2)", []),
        ("inverse", "-self.data", "-1.0", []),
    ],
)
def test_a_method_is_held_to_its_name_unless_that_names_several_functions(
    name: str, number: str, partial: str, kinds: list[str]
) -> None:
    _, found = verdict_on(CLASS.format(name=name, number=number, partial=partial))
    assert [mistake.kind for mistake in found or ()] == kinds

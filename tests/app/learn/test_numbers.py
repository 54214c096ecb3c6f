"""Numbers in the text of lessons, against numbers worked out by hand."""

import pytest

from app.learn.numbers import Expression, NumberError
from app.learn.subjects import GraphNumbers, RunNumbers
from engine.program import Program
from engine.trace.build import trace
from engine.training.spec import TrainSpec
from tests.support.each import for_each

TWO_USES = GraphNumbers(trace(Program("a = 2.0\nb = 3.0\ne = a*b + b**2\nprint('b', 3, 0.5)")))

# e = ab + b²: ∂e/∂a = b, ∂e/∂b = a + 2b; the pass gives b its share of b**2 first.
BY_HAND = {
    "a.data": "2",
    "b.grad": "8",
    "b.grad @ 7": "6",
    '"a*b".data': "6",
    '"b**2".grad': "1",
    "b.grad - a.data": "6",
    "-(a.data + 1)**2": "−9",
    "abs(-a.data) / 4": "0.5",
    "exp(0*a.data)": "1",
    "b.grad :.1f": "8.0",
    "b.grad :d": "8",
    "values": "6",  # the constant 2 is one
    "operations": "3",
    "leaves": "2",
    "lines": "1",
    "printed(1)": "3",
    "output": "15",
    "mistakes": "0",
}


@for_each("text", BY_HAND)
def test_numbers_of_a_graph(text: str) -> None:
    expression = Expression.read(text)
    assert expression.written(expression.of(TWO_USES)) == BY_HAND[text]


@pytest.mark.parametrize(
    ("text", "holds"),
    [("values == 6", True), ("values == 6 and leaves > 2", False), ("b.grad >= 8", True)],
)
def test_comparisons(text: str, holds: bool) -> None:
    assert bool(Expression.read(text).of(TWO_USES)) is holds


@for_each(
    "text",
    ["c.data", "b.size", "loss(3)", "values(2)", "b.grad @ 1", "b", "'b'", "a.data if b else 1",
     "__import__('os')", "printed(1).real", "b..grad", ""],
)  # fmt: skip
def test_what_has_no_number_is_refused(text: str) -> None:
    with pytest.raises((NumberError, IndexError)):
        Expression.read(text).of(TWO_USES)


def test_another_state_is_named() -> None:
    expression = Expression.read("assigned: b.grad :.2f")
    assert (expression.state, expression.value_label, expression.slot) == ("assigned", "b", "grad")


def test_numbers_of_a_run() -> None:
    # One weight of a line through (x, y): the first loss needs no training.
    run = RunNumbers(TrainSpec.from_query({"data": "moons", "steps": "3", "layers": "2-4-1"}))
    numbers = [Expression.read(text).of(run) for text in ("parameters", "steps", "loss(0)")]
    assert numbers[:2] == [2 * 4 + 4 + 4 + 1, 3]
    assert numbers[2] > 0
    with pytest.raises(NumberError):
        Expression.read("loss(4)").of(run)
    with pytest.raises(NumberError):
        Expression.read("b.grad").of(run)

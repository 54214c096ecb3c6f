"""`sum` adds as the CPython of the sandbox does: floats with the errors of the steps before."""

from __future__ import annotations

import pytest

from engine.program import Program
from engine.sandbox.run import Budget
from engine.sandbox.sandbox import sandbox
from engine.trace.build import trace

TENTHS = "print(sum([0.1] * 10), sum([1e100, 1.0, -1e100]), sum([3, 0.1, 0.2, True]))"
DRAWN = """
import random
from fractions import Fraction
random.seed(7)
kinds = [
    lambda: random.uniform(-1, 1),
    lambda: random.uniform(-1, 1) * 10.0 ** random.randint(-20, 20),
    lambda: random.randint(-9, 9),
    lambda: random.randint(-9, 9) * 10 ** random.choice([0, 18, 30]),
    lambda: random.random() < 0.5,
    lambda: random.choice([0.0, -0.0, float("inf"), 1e308, -1e308]),
    lambda: Fraction(1, 3),
]
for turn in range(400):
    some = random.sample(kinds, 2 if turn % 2 else 1)
    items = [random.choice(some)() for _ in range(random.randrange(12))]
    start = random.choice([0, 0.0, 0.5, 2, -0.0])
    for given in ([items], [tuple(items), start], [(x for x in items)]):
        total = sum(*given)
        print(repr(total), type(total).__name__)
    print(sum(items, start=start))
"""
HELD = """
class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0
values = [Value(0.1 * i) for i in range(30)]
print(sum(value.data for value in values), sum([v.data for v in values], 0.5))
"""
UNRECORDED = "t = 0.0\nfor i in range(2000):\n    t += 0.5\n" + TENTHS


@pytest.mark.parametrize("program", [TENTHS, DRAWN, HELD, UNRECORDED])
def test_sums_are_python_s(program: str) -> None:
    plain = sandbox().run(program, export="execute", limits=Budget())
    run = Program(program).run()
    assert "\n".join(run.printed) == plain.text().rstrip("\n")
    assert plain.text()


def test_the_sum_of_ten_tenths_is_drawn_as_python_has_it() -> None:
    shown = trace("x = 0.1\ntotal = sum([x] * 10)")
    assert [node.data for node in shown.nodes if node.id == shown.output] == [1.0]
    assert next(node.grad for node in shown.nodes if node.label == "x") == 10.0


def test_a_sum_of_floats_is_run_again_for_another_number() -> None:
    program = Program("x = 0.1\ntotal = sum([x] * 10)")
    program.run()
    assert not program.replays({"x"})
    assert trace(program, {"x": 0.2}).nodes[-1].data == 2.0

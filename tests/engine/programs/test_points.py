"""Runs of one program at several points: each is the run that it would be alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.program import Program
from engine.record.session import Wanted
from engine.record.source import Limits
from engine.recording import Recording

CLASS = """
import math
{imports}
class Value:
    count = 0
    def __init__(self, data, children=()):
        self.data, self.grad, self.children, self.run = data, 0.0, children, lambda: None
        Value.count += 1
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def run():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.run = run
        return out
    def log(self):
        out = Value(math.log(self.data), (self,))
        def run():
            self.grad += out.grad / self.data
        out.run = run
        return out
a, b = Value(2.0), Value({number})
{before}
c = a * b
L = c.log()
L.grad = 1.0
L.run()
c.run()
print(L.data, a.grad, b.grad, Value.count)
"""
POINTS = [{"a": 1.5, "b": 4.0}, {"a": 3.0, "b": 0.25}, {"a": 7.0, "b": 1.0}]


def program(imports: str = "", number: str = "3.0", before: str = "", **limits: float) -> Program:
    text = CLASS.format(imports=imports, number=number, before=before)
    return Program(text, replace(Limits(), **limits))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("imports", "number"),
    [
        ("", "3.0"),
        ("import random", "random.random() + 1"),
        ("import random\nrandom.seed(5)", "random.gauss(4, 0.1)"),
        ("import numpy as np", "float(np.random.rand()) + 1"),
        ("import torch\ntorch.manual_seed(1)", "torch.rand(1).item() + 1"),
    ],
)
def test_each_is_the_run_that_it_is_alone(imports: str, number: str) -> None:
    of = program(imports, number)
    places = {leaf.key: leaf.place for leaf in of.run(is_judged=True).leaves}
    names = {place: key for key, place in places.items()}
    points = [{places[key]: x for key, x in point.items() if key in places} for point in POINTS]
    recording = Recording(of.source, of.limits)
    together = recording.records(Wanted(names, judged=True), points)
    alone = [recording.record(Wanted(names, changes, judged=True)) for changes in points]
    assert together == alone
    assert len(set(together)) == len(points)


def test_one_that_fails_is_left_out() -> None:
    found = program().runs([POINTS[0], {"a": -1.0}, POINTS[1]])
    assert [run.printed[0].split()[0] for run in found] == [
        "1.791759469228055",
        "-0.2876820724517809",
    ]


def test_one_that_does_not_end_takes_no_other_with_it() -> None:
    endless = program(before="while a.data > 5:\n    pass", seconds=0.5)
    found = endless.runs(POINTS)
    assert len(found) == 2

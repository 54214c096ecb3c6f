"""Exported programs: run as programs of their own, they print the losses of the run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.export.exports import export
from engine.runs.run import train
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.export_runs import OVERWRITTEN, RUNS, SPEC, close, losses
from tests.support.exported_programs import printed, printed_together


def test_the_programs_for_micrograd_print_the_losses(place: Path) -> None:
    """For two epochs of the smallest batches, and to the end where settings change on the way."""
    runs = {name: spec if spec.at else replace(spec, steps=6) for name, spec in RUNS.items()}
    found = printed_together([export(spec, "micrograd") for spec in runs.values()], place)
    assert len(found) == len(runs)
    wrong = [
        name
        for (name, spec), seen in zip(runs.items(), found, strict=True)
        if not close(seen, losses(spec))
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["own rows", "gelu inside", "dropout, batches"])
def test_the_program_for_micrograd_runs_on_its_own(name: str, place: Path) -> None:
    assert close(printed(export(RUNS[name], "micrograd"), place), losses(RUNS[name]))


@pytest.mark.parametrize("name", OVERWRITTEN)
def test_the_program_for_micrograd_makes_the_same_mistake(name: str, place: Path) -> None:
    spec = OVERWRITTEN[name]
    wanted = losses(spec)
    assert not close(losses(replace(spec, accumulate=True)), wanted)
    text = export(spec, "micrograd")
    assert ".grad = " in text
    assert ".grad += " not in text
    assert close(printed(text, place), wanted)


@pytest.mark.parametrize(
    "name", ["own rows", "a test set", "penalties", "two activations", "dropout", "features"]
)
def test_the_program_for_this_engine_prints_the_losses(name: str, place: Path) -> None:
    found = printed(export(RUNS[name], "seegrad"), place)
    assert found == [state.loss for state in train(RUNS[name])][:-1]
    assert close(found, losses(RUNS[name]))


@for_each("name", RUNS)
def test_the_program_for_pytorch_prints_the_losses(name: str, oracle: Oracle) -> None:
    lines = oracle("exports.printed", export(RUNS[name], "pytorch"))
    assert close([float(line) for line in lines], losses(RUNS[name]))


# What is in a program


def test_a_graph_deeper_than_python_recurses_is_walked(place: Path) -> None:
    deep = replace(SPEC, samples=3, layers=(2, 40, 40, 1), steps=2)  # a sum of 1,801 squares
    assert close(printed(export(deep, "micrograd"), place), losses(deep))
    wrong = replace(deep, accumulate=False)
    assert close(printed(export(wrong, "micrograd"), place), losses(wrong))

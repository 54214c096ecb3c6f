"""Edited samples as rows: in the order of the data, in its units, with the classes' numbers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.kernel import Run
from engine.training.samples import joined, load, rows_of_samples
from engine.training.spec import TrainSpec
from tests.support import node
from tests.support.each import for_each
from tests.support.learning import found

SCRIPT = Path(__file__).parent / "rows_text.mjs"
PETS = "1.6,50.5,cat\n1.7,60.2,cat\n1.8,80.1,dog\n1.9,92,dog\n1.5,45,cat\n1.95,99,dog"
QUERY = {"data": "rows", "rows": PETS, "test_share": "0.34", "layers": "2-3-1"}


def edited(
    spec: TrainSpec, drop: int | None, *more: Any, dragged: int | None = None
) -> tuple[list[str], float]:
    """The lines of a run's samples, without the row `drop`, with the inputs of the row `dragged`
    increased by 1, and with another sample at the end; and the share of those for testing.
    """
    setup = found("/setup", spec)
    order = setup["order"] or range(len(setup["samples"]))
    rows = zip(setup["samples"], order, strict=True)
    samples = [{**sample, "row": row} for sample, row in rows if row != drop]
    for sample in samples:
        if sample["row"] == dragged:
            sample["x"] = [x + 1.0 for x in sample["x"]]
    (answer,) = json.loads(node.run(SCRIPT, text=json.dumps([[[*samples, *more], setup]])))
    return answer["text"].splitlines(), answer["share"]


@pytest.mark.parametrize("scaling", ["none", "standardize"])
def test_rows_keep_their_order_and_their_numbers(scaling: str) -> None:
    spec = TrainSpec.from_query({**QUERY, "scaling": scaling}.items())
    given = PETS.replace(",", ", ").splitlines()
    assert edited(spec, None) == (given, 0.34)
    whole = replace(spec, test_share=0.0)
    new = {"x": [0, 0], "y": 1, "test": False}
    lines, _ = edited(whole, None, new)
    assert lines[:-1] == given
    assert lines[-1].endswith("dog")


def test_a_class_keeps_its_number_without_its_first_row() -> None:
    rows = "1,1,cat\n2,2,dog\n3,3,cat\n4,4,dog"
    spec = TrainSpec.from_query({**QUERY, "rows": rows, "test_share": "0"}.items())
    assert edited(spec, 0)[0] == ["3, 3, cat", "2, 2, dog", "4, 4, dog"]


def _sides(spec: TrainSpec) -> tuple[set[Any], set[Any]]:
    """The inputs and labels for training, and those for testing."""
    training, test = load(spec)
    return tuple(set(zip(side.inputs, side.labels, strict=True)) for side in (training, test))  # type: ignore[return-value]


@for_each(
    ("samples", "share", "seed", "drop"),
    [(20, 0.3, 3, None), (21, 0.5, 2**63, 4), (40, 0.2, 7, 0), (60, 0.25, 1337, None)],
)
def test_other_points_stay_for_training_or_testing(
    samples: int, share: float, seed: int, drop: int | None
) -> None:
    """Whatever is added, dragged or removed: the rows are in an order that is split alike."""
    spec = TrainSpec(data="moons", samples=samples, test_share=share, seed=seed)
    new = {"x": [0.125, -0.5], "y": 1, "test": False}
    own = _own(spec, *edited(spec, drop, new))
    before, after = _sides(spec), _sides(own)
    gone = set(before[0] | before[1]) - (after[0] | after[1])
    assert len(gone) == (drop is not None)
    assert after[0] == before[0] - gone | {((0.125, -0.5), 1.0)}
    assert after[1] == before[1] - gone
    places = rows_of_samples(own)
    for side, row in enumerate((places[0], places[-1])):  # for training, for testing
        dragged = _sides(_own(own, *edited(own, None, dragged=row)))
        x0, x1, label = own.rows[row]
        here, there = ((x, max(label, 0.0)) for x in ((x0, x1), (x0 + 1, x1 + 1)))
        assert dragged[side] == after[side] - {here} | {there}
        assert dragged[1 - side] == after[1 - side]
    kernel = Run(own).training  # which trains on those alone
    assert set(zip(kernel.inputs, kernel.labels, strict=True)) == after[0]


def _own(spec: TrainSpec, lines: list[str], share: float) -> TrainSpec:
    return replace(spec, data="rows", rows=_rows(lines), test_share=share)


def _rows(lines: list[str]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(cell) for cell in line.split(",")) for line in lines)


def test_places_of_samples_are_those_in_the_data() -> None:
    whole = TrainSpec(data="moons", samples=20, test_share=0.0)
    parted = TrainSpec(data="moons", samples=20, test_share=0.3)
    inputs = joined(*load(whole)).inputs
    found = joined(*load(parted)).inputs
    assert [inputs[i] for i in rows_of_samples(parted)] == list(found)

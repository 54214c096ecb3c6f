"""Edited samples as rows: in the order of the data, in its units, with the classes' numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.training.samples import joined, load, rows_of_samples
from engine.training.spec import TrainSpec
from tests.support import node
from tests.support.learning import found

SCRIPT = Path(__file__).parent / "rows_text.mjs"
PETS = "1.6,50.5,cat\n1.7,60.2,cat\n1.8,80.1,dog\n1.9,92,dog\n1.5,45,cat\n1.95,99,dog"
QUERY = {"data": "rows", "rows": PETS, "test_share": "0.34", "layers": "2-3-1"}


def edited(spec: TrainSpec, drop: int | None, *more: Any) -> list[str]:
    """The lines of a run's samples, without the row `drop`, with another sample at the end."""
    setup = found("/setup", spec)
    order = setup["order"] or range(len(setup["samples"]))
    rows = zip(setup["samples"], order, strict=True)
    samples = [{**sample, "row": row} for sample, row in rows if row != drop]
    asked = [[[*samples, *more], setup]]
    lines: list[str] = json.loads(node.run(SCRIPT, text=json.dumps(asked)))[0].splitlines()
    return lines


@pytest.mark.parametrize("scaling", ["none", "standardize"])
def test_rows_keep_their_order_and_their_numbers(scaling: str) -> None:
    spec = TrainSpec.from_query({**QUERY, "scaling": scaling}.items())
    given = PETS.replace(",", ", ").splitlines()
    assert edited(spec, None) == given
    new = {"x": [0, 0], "y": 1, "test": False}
    assert edited(spec, None, new)[:-1] == given
    assert edited(spec, None, new)[-1].endswith("dog")


def test_a_class_keeps_its_number_without_its_first_row() -> None:
    spec = TrainSpec.from_query({**QUERY, "rows": "1,1,cat\n2,2,dog\n3,3,cat\n4,4,dog"}.items())
    assert edited(spec, 0) == ["3, 3, cat", "2, 2, dog", "4, 4, dog"]


def test_places_of_samples_are_those_in_the_data() -> None:
    whole = TrainSpec(data="moons", samples=20, test_share=0.0)
    parted = TrainSpec(data="moons", samples=20, test_share=0.3)
    inputs = joined(*load(whole)).inputs
    found = joined(*load(parted)).inputs
    assert [inputs[i] for i in rows_of_samples(parted)] == list(found)

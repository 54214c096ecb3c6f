"""Every entry of a table has an independent reference; one without it fails here, and only here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from engine.ops import OPS
from engine.training.datasets import DATASETS
from engine.training.initialisation import INITS
from engine.training.losses import LOSSES
from engine.training.optim import OPTIMIZERS, SCHEDULES
from tests.support import references

OWN = frozenset({"rows"})  # what users bring themselves has no definition


class Checked(NamedTuple):
    """A table, the name of its references, and what a reference is."""

    entry: str
    table: Mapping[str, object]
    references: str
    is_: str


TABLES = (
    Checked("operation", OPS, "OPERATIONS", "its value by mpmath"),
    Checked("loss", LOSSES, "LOSSES", "the loss of one sample by mpmath"),
    Checked("optimizer", OPTIMIZERS, "OPTIMIZERS", "its published recurrence"),
    Checked("schedule", SCHEDULES, "SCHEDULES", "its rate after a share of the steps"),
    Checked("initialisation", INITS, "INITIALISATIONS", "the bounds of weights and biases"),
    Checked("data set", DATASETS, "DATA_SETS", "the distance of a sample from its formula"),
)
EACH = pytest.mark.parametrize("checked", TABLES, ids=lambda checked: checked.references)


def missing(checked: Checked) -> list[str]:
    """A sentence for each entry without a reference."""
    known = getattr(references, checked.references)
    return [
        f"The {checked.entry} {name!r} has no independent reference: add one, {checked.is_}, to"
        f" {checked.references} in tests/support/references.py."
        for name in checked.table
        if name not in known and name not in OWN
    ]


@EACH
def test_every_entry_has_an_independent_reference(checked: Checked) -> None:
    found = missing(checked)
    assert not found, "\n".join(found)


@EACH
def test_every_reference_is_of_an_entry(checked: Checked) -> None:
    assert set(getattr(references, checked.references)) <= set(checked.table)


@EACH
def test_an_entry_without_a_reference_is_named(checked: Checked) -> None:
    table = {"fresh": object()}
    (sentence,) = missing(checked._replace(table=table))
    assert sentence.startswith(f"The {checked.entry} 'fresh' has no independent reference")
    assert sentence.endswith(f"to {checked.references} in tests/support/references.py.")

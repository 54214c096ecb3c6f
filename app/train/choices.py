"""The choices of Train's form, derived from the tables of the engine.

A row added to a table is one more choice: its help, its formula, its data for the scripts and its
dependent controls follow from the row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.train.feature_maps import feature_map
from app.train.knobs import CARDS
from app.train.thumbnails import thumbnail
from engine.ops import OPS
from engine.training.datasets import DataSet
from engine.training.features import FEATURES, PLAIN, Features
from engine.training.fields import Activations, Name
from engine.training.optim import OPTIONS, OptimizerRule, Schedule
from engine.training.settings import FIELDS

SHORT = {"four_points": "4 points", "xor": "XOR", "three_spirals": "3 spirals", "rows": "your own"}
"""Short labels of data sets whose name does not fit on a card."""

_WORD = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a control. `uses` names the fields that are relevant only with it; `problem` is
    the type of a data set's problem, "" if its rows decide.
    """

    value: str
    label: str
    help: str = ""
    formula: str = ""
    uses: tuple[str, ...] = ()
    picture: str = ""
    problem: str = ""
    selected: bool = False

    @property
    def is_at_hand(self) -> bool:
        """Whether its card is seen at first sight."""
        return self.value in CARDS


def choices(name: str, value: str) -> tuple[Choice, ...]:
    """The choices of a field; an unknown value is appended, so that the form preserves it."""
    kind = FIELDS[name].kind
    if isinstance(kind, Features):
        return _features(kind.parse(value))
    if not isinstance(kind, Name | Activations):
        return ()
    found = [_choice(name, known, value) for known in kind.known]
    if name != "data" and not any(choice.selected for choice in found):
        found.append(Choice(value, value.rstrip(","), selected=True))
    return tuple(found)


def _features(chosen: object) -> tuple[Choice, ...]:
    """The features, each of which can be chosen."""
    names = chosen or PLAIN
    return tuple(
        Choice(
            value=feature.name,
            label=feature.label,
            help=feature.help,
            formula=feature.formula,
            picture=feature_map(feature.name),
            selected=isinstance(names, list | tuple) and feature.name in names,
        )
        for feature in FEATURES.values()
    )


def _choice(name: str, known: str, value: str) -> Choice:
    row = FIELDS[name].table.get(known)
    if row is None:
        formula = OPS[known].formula if known in OPS else "x"
        return Choice(known, known, "", f"y = {formula}", selected=known == value)
    label = known.replace("_", " ")
    return Choice(
        value=known,
        label=SHORT.get(known, label) if name == "data" else label,
        help=f"{row.problem}: {row.help}" if getattr(row, "problem", "") else row.help,
        formula=row.formula,
        uses=uses(row),
        picture=thumbnail(known) if name == "data" else "",
        problem=getattr(row, "problem", "").partition(",")[0].lower(),
        selected=known == value,
    )


def uses(row: object) -> tuple[str, ...]:
    """The fields that are relevant with a row of a table, but not with all rows."""
    if isinstance(row, DataSet):
        return (
            ("rows", "scaling") if row.name == "rows" else ("samples", "noise") if row.drawn else ()
        )
    if isinstance(row, OptimizerRule):
        words = _WORD.findall(row.update)
        return tuple(name for name in OPTIONS if name in words and name in FIELDS)
    if isinstance(row, Schedule):
        return ("schedule_end",) if "end" in _WORD.findall(row.rate) else ()
    return ()


DEPENDENT = frozenset(
    name for entry in FIELDS.values() for row in entry.table.values() for name in uses(row)
)
"""Fields that are relevant only with some choices of another field."""

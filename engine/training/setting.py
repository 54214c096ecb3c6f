"""The entry of a setting of a training run, and fields of a dataclass that carry one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .fields import FieldType, Name

MANY = 10**9  # beyond every limit, and exact as a float

T = TypeVar("T")


class Omitted:
    """The type of `OMITTED`."""

    def __repr__(self) -> str:
        return "the default for the data"


OMITTED: Any = Omitted()
"""The value of a setting that is not given: `engine.training.fitting.defaults` has its default."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The entry of a setting: its type, its description and its place on the Train page.

    `group` is the part of the form with its control, "" for a setting without one; `position` is
    the sort key of the control within the group. `label` is the text of the control, by default the
    name; `why` explains the effect of a switch that is off, or of far too large a value. `control`
    overrides the kind of control derived from `kind`. `table` has a row for each choice. `limit`
    names the bound in `TrainLimits`. A `sparse` setting is omitted from JSON when empty. A setting
    with `mid_run` may change during the run.
    """

    kind: FieldType
    help: str
    default: Any = None
    group: str = ""
    position: int = 0
    label: str = ""
    why: str = ""
    control: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)
    limit: str = ""
    sparse: bool = False
    mid_run: bool = False

    def title(self, name: str) -> str:
        """The text of the control of the setting `name`."""
        return self.label or name.replace("_", " ").capitalize()


def setting(default: T, kind: FieldType, help: str, group: str = "", **more: Any) -> T:  # noqa: A002
    """A field of `RunSettings` with its entry, for a dataclass; `more` are fields of Setting.

    `default` is the default for moons; other data sets have their own.
    """
    entry = Setting(kind, help, default, group, **more)
    found: T = field(default=OMITTED, metadata={"setting": entry})
    return found


def choice(default: str, table: Mapping[str, Any], help: str, group: str, **more: Any) -> str:  # noqa: A002
    """A setting whose value is a name from a table."""
    return setting(default, Name(tuple(table)), help, group, table=table, **more)

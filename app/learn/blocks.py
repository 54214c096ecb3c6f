"""The keys of the blocks of a lesson, and what is said of a wrong one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.learn.lesson import LessonError, Table


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a block. Those of `tables` hold lists of tables, each with keys of its own."""

    needed: Sequence[str] = ()
    optional: Sequence[str] = ()
    tables: Mapping[str, Keys] = field(default_factory=dict)

    def __or__(self, other: Keys) -> Keys:
        return Keys(
            (*self.needed, *other.needed),
            (*self.optional, *other.optional),
            {**self.tables, **other.tables},
        )

    def check(self, where: str, block: str, table: Table) -> None:
        """Raise LessonError for a key that is unknown or missing."""
        allowed = (*self.needed, *self.optional)
        says = f"{where}: {block} {{}}. Its keys: {', '.join(allowed)}."
        if unknown := [key for key in table if key not in allowed]:
            raise LessonError(says.format(f"has no key {unknown[0]!r}"))
        if missing := [key for key in self.needed if key not in table]:
            raise LessonError(says.format(f"needs the key {missing[0]!r}"))
        for name, keys in self.tables.items():
            for inner in _tables(where, name, table.get(name, [])):
                keys.check(where, f"[[{name}]] of {block}", inner)


def _tables(where: str, name: str, found: object) -> list[Table]:
    if not isinstance(found, list) or not all(isinstance(it, dict) for it in found):
        raise LessonError(f"{where}: {name!r} is written as [[{name}]].")
    return found

"""Changes of settings in mid-run, such as a smaller learning rate from step 120 on.

A change is written `120:learning_rate=0.01,batch=8`; in JSON and in Python it is an item of a
mapping, `{"120": {"learning_rate": 0.01, "batch": 8}}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from .fields import FieldType, nearest
from .refusals import SpecError, misplaced, refusal, shown

MOST = 50
"""The greatest number of changes of a run."""

EXAMPLE = "120:learning_rate=0.01"
_STEP = re.compile(r"0*[0-9]{1,12}")
_BETWEEN = re.compile(r"[,;]")


class Change(NamedTuple):
    """New values of some settings from the update after `step` updates on."""

    step: int
    settings: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Changes(FieldType):
    """Changes in the order of their steps; `kinds` gives the type of each setting that may change.

    It is called when a change is read, since the table of settings includes this one.
    """

    kinds: Callable[[], Mapping[str, FieldType]]
    joint: ClassVar[str] = ","

    def read(self, field: str, value: object) -> tuple[Change, ...]:
        if isinstance(value, tuple) and all(isinstance(change, Change) for change in value):
            value = {step: dict(settings) for step, settings in value}
        if not isinstance(value, Mapping):
            raise refusal(field, value, f"; write step:setting=value, such as {EXAMPLE}.")
        found = [self._change(field, step, items) for step, items in value.items()]
        if len(found) > MOST:
            raise SpecError(field, shown(value), f"{field} has {len(found)} changes; give {MOST}.")
        found.sort(key=lambda change: change.step)
        for before, after in pairwise(found):
            if before.step == after.step:
                raise misplaced(field, "a step", after.step, f"give it once in {field}.")
        return tuple(found)

    def _change(self, field: str, step: object, items: object) -> Change:
        at = int(step) if isinstance(step, str) and _STEP.fullmatch(step) else step
        if not isinstance(at, int) or isinstance(at, bool) or at < 1:
            wanted = "give a whole number from 1 upwards; other settings are those of step 0."
            raise misplaced(field, f"a step in {field}", step, wanted)
        if not isinstance(items, Mapping) or not items:
            wanted = 'give the new settings, such as {"learning_rate": 0.01}.'
            raise misplaced(field, f"{field} at step {at:,}", items, wanted)
        kinds = self.kinds()
        for name in items:
            if name not in kinds:
                words = f"{shown(name)} cannot change in mid-run"
                known = nearest(name if isinstance(name, str) else "", kinds)
                raise SpecError(field, shown(name), f"From step {at:,} on: {words}; {known}")
        return Change(at, tuple(self._settings(field, at, items, kinds)))

    def _settings(
        self, field: str, step: int, items: Mapping[str, object], kinds: Mapping[str, FieldType]
    ) -> Iterable[tuple[str, Any]]:
        for name, kind in kinds.items():
            if name in items:
                try:
                    yield name, kind.read(name, items[name])
                except SpecError as error:
                    message = f"From step {step:,} on: {error.message}"
                    raise SpecError(field, error.value, message) from None

    def parse(self, text: str) -> object:
        """The changes of a text; an item without a step belongs to the step before it."""
        kinds, step = self.kinds(), ""
        found: dict[str, dict[str, object]] = {}
        for item in filter(None, map(str.strip, _BETWEEN.split(text))):
            at, colon, rest = item.rpartition(":")
            name, equals, value = (part.strip() for part in rest.partition("="))
            step = at.strip() if colon else step
            if not equals or not step or name in found.get(step, ()):
                return text
            kind = kinds.get(name)
            found.setdefault(step, {})[name] = kind.parse(value) if kind else value
        return found

    def text(self, value: Iterable[Change]) -> str:
        kinds = self.kinds()
        return ",".join(
            f"{step}:" + ",".join(f"{name}={kinds[name].text(x)}" for name, x in settings)
            for step, settings in value
        )

    def plain(self, value: Iterable[Change]) -> dict[str, dict[str, Any]]:
        return {str(step): dict(settings) for step, settings in value}

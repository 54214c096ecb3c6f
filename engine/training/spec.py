"""The spec of a training run: its settings as plain data, strictly parsed and validated.

A run is a pure function of its spec, seed included. A spec round-trips through JSON and through a
query string. An invalid spec raises SpecError, which names the field, its value and valid values,
before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import json_text

from .checks import check
from .fields import Rows, SpecError, nearest, shown
from .fitting import defaults, with_ends
from .limits import TrainLimits, check_counts, check_limits, work_of
from .segments import segments
from .settings import DEFAULTS, FIELDS, MANY, OMITTED, RunSettings, Setting

__all__ = [
    "DEFAULTS",
    "FIELDS",
    "MANY",
    "Setting",
    "SpecError",
    "TrainLimits",
    "TrainSpec",
    "check_limits",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSpec(RunSettings):
    """The spec of a training run; FIELDS describes each field. Raises SpecError.

    Settings that are not given have the defaults of the data set. Lists are accepted for tuples,
    and for layers a text such as "2 → 16 → 1".
    """

    def __post_init__(self) -> None:
        given = {n: x for n in FIELDS if (x := getattr(self, n)) is not OMITTED}
        for name, default in defaults(given).items():
            if name not in given:
                object.__setattr__(self, name, default)
        if "layers" in given:
            object.__setattr__(self, "layers", with_ends(given))
        RunSettings.__post_init__(self)  # `super()` would look for the class before its slots
        check(self)
        if self.at:
            segments(self)

    @property
    def work(self) -> int:
        """The work of the run, in parameters × samples."""
        return work_of(self)

    # JSON

    @classmethod
    def from_text(cls, text: str | bytes, limits: TrainLimits | None = None) -> TrainSpec:
        """The spec in a JSON text. Raises SpecError, also for malformed JSON."""
        return cls.from_json(_json(text), limits)

    @classmethod
    def from_json(cls, obj: object, limits: TrainLimits | None = None) -> TrainSpec:
        """The spec of a JSON object, with defaults for missing keys. Raises SpecError."""
        if not isinstance(obj, dict):
            raise SpecError("spec", shown(obj), f"The spec is {shown(obj)}; give a JSON object.")
        for key in obj:
            _known(key)
        limits = limits or TrainLimits()
        check_counts(obj, limits)
        spec = cls(**obj)
        check_limits(spec, limits)
        return spec

    def with_weights(self, seed: int) -> TrainSpec:
        """The same run from other weights: its data and their order stay."""
        seeds = self.seeds
        return replace(self, seed=seed, data_seed=seeds.data, order_seed=seeds.order)

    def to_json(self) -> dict[str, Any]:
        """Every field as plain data, without empty sparse ones."""
        return {
            name: entry.kind.plain(getattr(self, name))
            for name, entry in FIELDS.items()
            if not entry.sparse or getattr(self, name) not in (None, ())
        }

    # Addresses

    @classmethod
    def from_query(
        cls,
        pairs: Mapping[str, str] | Iterable[tuple[str, str]],
        limits: TrainLimits | None = None,
        ignore: Iterable[str] = (),
    ) -> TrainSpec:
        """The spec of query parameters, except those in `ignore`. Raises SpecError."""
        passed_over, texts = frozenset(ignore), dict[str, str]()
        for name, text in pairs.items() if isinstance(pairs, Mapping) else pairs:
            if name in passed_over:
                continue
            _known(name)
            joint = FIELDS[name].kind.joint
            if name in texts and not joint:
                raise SpecError(name, shown(text), f"{name} is given twice; give it once.")
            texts[name] = joint.join((texts[name], text)) if name in texts else text
        found = {name: FIELDS[name].kind.parse(text) for name, text in texts.items()}
        if words := Rows().pasted(texts.get("rows", "")).names:
            found["class_names"] = words
        return cls.from_json(found, limits)

    def to_query(self) -> list[tuple[str, str]]:
        """Query parameters for the fields that differ from their defaults, in the order of FIELDS.

        A field is omitted only if it has the default of moons and of its own data, so that a link
        keeps its meaning whatever defaults a data set is given later.
        """
        return [(name, FIELDS[name].kind.text(value)) for name, value in self.particular().items()]

    def particular(self) -> dict[str, Any]:
        """The fields that have not both the default of moons and that of their own data."""
        names = ("data", "rows", "loss", "features")
        fit = defaults({name: getattr(self, name) for name in names})
        values = {name: getattr(self, name) for name in DEFAULTS}
        return {n: x for n, x in values.items() if not x == DEFAULTS[n] == fit[n]}


def _known(key: object) -> None:
    if key not in FIELDS:
        name = key if isinstance(key, str) else ""
        message = f"{shown(key)} is no field of a spec; {nearest(name, FIELDS)}"
        raise SpecError(shown(key).strip('"'), shown(key), message)


def _json(text: str | bytes) -> object:
    try:
        return json_text.read(text, _once)
    except json_text.NotJSON as error:
        seen = shown(text if isinstance(text, str) else "")
        raise SpecError("spec", seen, f"Not JSON: {error}.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            name = shown(key).strip('"')
            raise SpecError(name, shown(value), f"{name} is given twice; give it once.")
        found[key] = value
    return found

"""The form fitted to a changed setting: new texts of its controls, and a sentence about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.train.choices import SHORT
from app.train.form import Pairs, value_text
from app.train.presets import PRESETS
from engine.training.datasets import DATASETS
from engine.training.fitting import defaults, refit
from engine.training.losses import LOSSES
from engine.training.settings import FIELDS


@dataclass(frozen=True, slots=True)
class Fitted:
    """Adjusted pairs, the new text of each adjusted control, and what was adjusted in words."""

    pairs: Pairs
    controls: Mapping[str, str]
    says: str


def fit_to(pairs: Pairs, changed: str, before: str = "") -> Fitted:
    """The pairs adjusted to the setting `changed`.

    `before` is the data set of the form before the change, "" if unknown.
    """
    texts = {name: text for name, text in pairs if name in FIELDS}
    starts = _starts(before) if before and before != texts.get("data") else ()
    fit = refit(texts, changed, starts)
    kept = [(name, text) for name, text in pairs if name not in fit]
    fitting = [(name, FIELDS[name].kind.text(value)) for name, value in fit.items()]
    controls = {name: value_text(name, value) for name, value in fit.items()}
    says = _says(texts, controls) if changed != "features" else ""
    return Fitted([*kept, *fitting], controls, says)


def _starts(data: str) -> list[dict[str, Any]]:
    """The settings that a form with this data set may have been filled with.

    Own rows may have begun as the samples of any data set.
    """
    names = list(DATASETS) if data == "rows" else [data]
    found = [defaults({"data": name}) for name in names]
    specs = [preset.spec for preset in PRESETS.values() if preset.spec.data in names]
    return [*found, *({name: getattr(spec, name) for name in FIELDS} for spec in specs)]


def _says(texts: Mapping[str, str], controls: Mapping[str, str]) -> str:
    """The adjustments in words: a loss that the data rule out, then the other settings."""
    rest = dict(controls)
    data = texts.get("data", "")
    whose = "your rows" if data == "rows" else SHORT.get(data, data.replace("_", " "))
    said = []
    old = LOSSES.get(texts.get("loss", ""))
    if old and "loss" in rest and LOSSES[rest["loss"]].regression and not old.regression:
        loss, output = rest.pop("loss"), rest.pop("output_activation", "linear")
        task = f"{whose}: numbers to predict, which {old.name} cannot take"
        said.append(f"{task}. The loss is now {loss}, the output {output}.")
    if "initial" in rest:
        del rest["initial"]
        said.append("Your weights fit another network: this one starts with drawn ones.")
    if rest:
        names = [FIELDS[name].title(name).lower() for name in rest]
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        said.append(f"Fitted to {whose}: {listed}.")
    words = " ".join(said)
    return words[:1].upper() + words[1:]

"""Every setting changes the run, alike in the textbook loop, the kernel and the exports.

The form, the JSON and the documents take a new entry as it is, so that nothing else asks for its
mathematics.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.export.exports import ExportError, export
from engine.kernel import Run
from engine.training.fields import Number
from engine.training.setting import Setting
from engine.training.spec import FIELDS, TrainSpec
from engine.training.textbook import textbook
from tests.support.export_runs import ROWS, close
from tests.support.exported_programs import printed_together

BASE = TrainSpec(
    samples=12, layers=(2, 3, 1), activation="tanh", loss="mse", learning_rate=0.1, steps=4, seed=5
)
HERE = "tests/engine/export/test_settings_act.py"


class Example(NamedTuple):
    """Another value of a setting, and the settings beside which it acts."""

    value: Any
    beside: Mapping[str, Any] = {}


EXAMPLES: dict[str, Example] = {
    "data": Example("circles"),
    "samples": Example(15),
    "noise": Example(0.3),
    "test_share": Example(0.25),
    "data_seed": Example(7),
    "rows": Example(ROWS[1:], {"data": "rows", "rows": ROWS}),
    "scaling": Example("standardize"),
    "features": Example(("x1", "x1_x2")),
    "layers": Example((2, 4, 1)),
    "activation": Example("sigmoid"),
    "output_activation": Example("tanh"),
    "init": Example("xavier"),
    "initial": Example(tuple(0.1 * (-1) ** i for i in range(BASE.parameter_count))),
    "loss": Example("hinge"),
    "l1": Example(0.01),
    "l2": Example(0.02),
    "dropout": Example(0.5),
    "optimizer": Example("adam"),
    "learning_rate": Example(0.05),
    "momentum": Example(0.5, {"optimizer": "momentum"}),
    "weight_decay": Example(0.3, {"optimizer": "adamw"}),
    "schedule": Example("cosine"),
    "schedule_end": Example("80%", {"schedule": "linear"}),
    "batch": Example(4),
    "shuffle": Example(False, {"batch": 4}),
    "steps": Example(6),
    "order_seed": Example(9, {"batch": 4}),
    "seed": Example(6),
    "at": Example({2: {"learning_rate": 0.01}}),
    "zero_grad": Example(False),
    "accumulate": Example(False),
}
WORDS = {"class_names": "the words for the classes of the rows, which nothing computes with"}
"""Settings without mathematics, each with its reason."""


class Pair(NamedTuple):
    """A run, and the same with another value of one setting."""

    setting: str
    before: TrainSpec
    after: TrainSpec

    def __str__(self) -> str:
        return f"{self.setting}={EXAMPLES[self.setting].value!r}"


def pair(name: str) -> Pair:
    example = EXAMPLES[name]
    before = replace(BASE, **example.beside)
    return Pair(name, before, replace(before, **{name: example.value}))


def losses(spec: TrainSpec) -> list[float]:
    return [state.loss for state in textbook(spec)][:-1]


def by_kernel(spec: TrainSpec) -> list[float]:
    return [state.loss for state in Run(spec).snapshots()][:-1]


def code(spec: TrainSpec, name: str) -> str | None:
    """An exported program without its title; None if it cannot be written."""
    try:
        tree = ast.parse(export(spec, name))
    except ExportError:
        return None
    return ast.unparse(tree.body[1:])  # type: ignore[arg-type]


def without_example() -> list[str]:
    """What is to be added for settings of which nobody says how to change them."""
    return [
        f"{name}: say how to change it. Add {name!r}: Example(VALUE, {{settings beside which it "
        f"acts}}) to EXAMPLES in {HERE}, or a reason to WORDS"
        for name in FIELDS
        if name not in {*EXAMPLES, *WORDS}
    ]


def unchanged_in_textbook(pairs: Sequence[Pair]) -> list[str]:
    return [
        f"{it} leaves the losses of the textbook loop as they were. Use `spec.{it.setting}` where "
        "runs are computed: engine/training/textbook.py, or the table that it is about. If it acts "
        f"beside other settings alone, name these in EXAMPLES in {HERE}"
        for it in pairs
        if close(losses(it.after), losses(it.before))
    ]


def unlike_in_kernel(pairs: Sequence[Pair]) -> list[str]:
    return [
        f"{it}: the kernel's losses are not those of the textbook loop. Add it to engine/kernel"
        for it in pairs
        if not close(by_kernel(it.after), losses(it.after))
    ]


def unlike_in_exports(pairs: Sequence[Pair], place: Path) -> list[str]:
    found = [
        f"{it} leaves the program for {name} as it was. Add it to engine/export"
        for it in pairs
        for name in ("seegrad", "pytorch")
        if code(it.after, name) == code(it.before, name)
    ]
    programs = printed_together([export(it.after, "micrograd") for it in pairs], place)
    return found + [
        f"{it}: the program for micrograd prints other losses than the textbook loop has. Add it "
        "to engine/export"
        for it, printed in zip(pairs, programs, strict=True)
        if not close(printed, losses(it.after))
    ]


PAIRS = [pair(name) for name in FIELDS if name in EXAMPLES]


def test_every_setting_has_an_example_or_a_reason() -> None:
    assert not without_example(), "\n".join(without_example())
    assert not {*EXAMPLES, *WORDS} - {*FIELDS}
    assert all(it.before != it.after for it in PAIRS)


@pytest.mark.parametrize("faults", [unchanged_in_textbook, unlike_in_kernel])
def test_every_setting_changes_the_losses(faults: Callable[[Sequence[Pair]], list[str]]) -> None:
    found = faults(PAIRS)
    assert not found, "\n".join(found)


def test_every_setting_changes_the_exported_programs(place: Path) -> None:
    found = unlike_in_exports(PAIRS, place)
    assert not found, "\n".join(found)


def test_a_setting_without_mathematics_is_told_what_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXAMPLES, "momentum", Example(0.5))  # without its optimizer
    (fault,) = unchanged_in_textbook([pair("momentum")])
    assert re.match(r"momentum=0\.5 leaves the losses of the textbook loop as they were\.", fault)
    monkeypatch.setitem(FIELDS, "unused", Setting(Number(), "The largest gradient."))
    (fault,) = without_example()
    assert fault.startswith(
        "unused: say how to change it. Add 'unused': Example(VALUE, {settings be"
    )
    assert fault.endswith(f" to EXAMPLES in {HERE}, or a reason to WORDS")

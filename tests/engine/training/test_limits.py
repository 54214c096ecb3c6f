"""Limits of a run: each names itself, the number reached, and a number that would do."""

from __future__ import annotations

import dataclasses

from engine.ops import ACTIVATIONS
from engine.training.spec import TrainLimits, TrainSpec, check_limits
from tests.support.each import for_each
from tests.support.specs import refused


@for_each(
    ("limit", "most", "field", "reached"),
    [
        ("samples", 99, "samples", "100 samples"),
        ("columns", 1, "layers", "2 inputs"),
        ("neurons", 15, "layers", "16 neurons a layer"),
        ("layers", 2, "layers", "3 layers"),
        ("parameters", 336, "layers", "337 parameters"),
        ("steps", 99, "steps", "100 steps"),
        ("work", 4_494_799, "steps", "4,494,800"),
        ("rate", 0, "noise", "0.1"),
    ],
)
def test_a_limit_names_itself_and_what_was_reached(
    limit: str, most: int, field: str, reached: str
) -> None:
    error = refused({}, dataclasses.replace(TrainLimits(), **{limit: most}))
    assert error.field == field
    assert reached in error.message
    assert f"{most:,}" in error.message
    if limit != "rate":
        TrainSpec.from_json({}, dataclasses.replace(TrainLimits(), **{limit: most + 1}))


def test_every_limit_is_tested_here() -> None:
    """That of the doctor's trials refuses no run: tests of the examination have it."""
    assert set(TrainLimits.__dataclass_fields__) - {"trials"} == {
        "samples", "columns", "neurons", "layers", "parameters", "steps", "work", "rate",
    }  # fmt: skip


def test_limits_hold_for_own_rows_too() -> None:
    wide = {"data": "rows", "rows": [[0.0] * 17 + [0], [1.0] * 17 + [1]], "layers": [17, 1]}
    assert "17 inputs; at most 16" in refused(wide).message
    check_limits(TrainSpec(**wide), TrainLimits(columns=17))  # type: ignore[arg-type]


def test_too_much_work_is_refused_with_the_steps_that_would_do() -> None:
    spec = {"samples": 2000, "layers": [2, 128, 128, 1], "steps": 100_000}
    most = 10**10 // (2000 * (17_025 + 257 * 3) + 4 * 17_025)
    assert f"give at most {most} steps" in refused(spec).message
    TrainSpec.from_json({**spec, "steps": most})


def test_a_large_test_set_and_dear_activations_are_work() -> None:
    base = TrainSpec(samples=1000, batch=10)
    assert dataclasses.replace(base, test_share=0.5).work > 10 * base.work
    assert dataclasses.replace(base, activation="gelu").work > 3 * base.work
    for name in ACTIVATIONS:
        assert dataclasses.replace(base, activation=name).work >= base.work

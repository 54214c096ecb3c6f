"""Refused specs: the field, the value, and a value that would do."""

from __future__ import annotations

import math
from typing import Any

from engine.training.losses import LOSSES
from engine.training.spec import FIELDS, TrainSpec
from tests.support.each import for_each
from tests.support.specs import THREE, refused

REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"data": "moon"}, "data", '"moon"', "did you mean moons?"),
    ({"data": 3}, "data", "3", "there are four_points, xor, moons"),
    ({"data": None}, "data", "null", "there are four_points, xor, moons"),
    ({"samples": 1}, "samples", "1", "a whole number from 2 to 2,000."),
    ({"samples": 0}, "samples", "0", "a whole number from 2"),
    ({"samples": 1_000_000}, "samples", "1,000,000", "at most 2,000"),
    ({"samples": 10**5000}, "samples", "a whole number of 16,610 bits", "a whole number from 2"),
    ({"samples": 100.0}, "samples", "100.0", "a whole number"),
    ({"samples": True}, "samples", "true", "a whole number"),
    ({"samples": "100"}, "samples", '"100"', "a whole number"),
    ({"data": "three_spirals", "samples": 2, "layers": [2, 3]}, "samples", "2", "at least 3"),
    ({"noise": -0.1}, "noise", "-0.1", "from 0 upwards"),
    ({"noise": math.nan}, "noise", "NaN", "from 0 upwards"),
    ({"noise": 20_000}, "noise", "20000", "the largest rate is 10,000"),
    ({"test_share": 0.95}, "test_share", "0.95", "from 0 to 0.9"),
    ({"test_share": -1}, "test_share", "-1", "from 0 to 0.9"),
    ({"test_share": 0.9, "samples": 2}, "test_share", "0.9", "give less"),
    ({"data": "rows"}, "rows", "[]", "at least one row"),
    ({"data": "rows", "rows": []}, "rows", "[]", "at least one row"),
    ({"data": "rows", "rows": "1,2"}, "rows", '"1,2"', "a list of rows"),
    ({"data": "rows", "rows": [[]]}, "rows", "[]", "the inputs and then the label"),
    ({"data": "rows", "rows": [[1, 2, 0], [1]]}, "rows", "[1]", "the inputs and then the label"),
    ({"data": "rows", "rows": [[1, 2, 0], 7]}, "rows", "7", "the inputs and then the label"),
    (
        {"data": "rows", "rows": [[1, 2, 0], [1, 1]]},
        "rows",
        "row 2 of rows is [1, 1]",
        "as in row 1, 3",
    ),
    (
        {"data": "rows", "rows": [[1, 2, 0], [-1e308, 2, 1]]},
        "rows",
        "row 2, column 1 of rows is -1e+308",
        "from −1e+100 to 1e+100.",
    ),
    ({"data": "rows", "rows": [[1, "a", 0]]}, "rows", '"a"', "a finite number"),
    ({"data": "rows", "rows": [[1, None, 0]]}, "rows", "null", "a finite number"),
    ({"data": "rows", "rows": [[1, True, 0]]}, "rows", "true", "a finite number"),
    ({"data": "rows", "rows": [[1, [2], 0]]}, "rows", "[2]", "a finite number"),
    ({"data": "rows", "rows": [[1, math.inf, 0]]}, "rows", "Infinity", "a finite number"),
    ({"data": "rows", "rows": [[1, 10**400, 0]]}, "rows", "1,329 bits", "a finite number"),
    ({"data": "rows", "rows": [[1, 2, 1], [2, 3, 1]]}, "rows", "1", "at least two classes"),
    (
        {"data": "rows", "loss": "hinge", "rows": [[1, 2, 0.5], [2, 3, 1]]},
        "rows",
        "0.5",
        "0 and 1, -1 and 1",
    ),
    (
        {"data": "rows", "loss": "hinge", "rows": [[1, 2, -2], [2, 3, 1]]},
        "rows",
        "-2.0",
        "whole numbers from 0",
    ),
    ({"data": "rows", "loss": "hinge", "rows": [[1, 2, -1], [2, 3, 0]]}, "rows", "-1", "-1 and 1"),
    (
        {"data": "rows", "rows": THREE, "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "3 classes",
    ),
    (
        {"data": "rows", "rows": [[0, 0], [1, 1]], "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "write 1-16-16-1",
    ),
    (
        {"data": "rows", "loss": "hinge", "rows": [[0, 0, 1e30], [1, 1, 0]]},
        "rows",
        "1e+30",
        "from 0 to 999",
    ),
    ({"rows": [[1, 2]] * 3000}, "rows", "3,000", "at most 2,000"),
    ({"features": ["x3"]}, "features", '"x3"', "there are x1, x2"),
    ({"layers": [2]}, "layers", "[2]", "such as [2, 16, 1]"),
    ({"layers": 2}, "layers", "2", "such as [2, 16, 1]"),
    ({"layers": [2, 0, 1]}, "layers", "layers[1] is 0", "from 1 upwards"),
    ({"layers": [2, -4, 1]}, "layers", "layers[1] is -4", "from 1 upwards"),
    ({"layers": [2, 10_000, 1]}, "layers", "10,000", "at most 128"),
    ({"layers": [3, 4, 1]}, "layers", "[3, 4, 1]", "moons has 2 inputs: write 2-4-1"),
    (
        {"data": "four_points", "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "write 3-16-16-1",
    ),
    ({"layers": [2, 4, 2, 5]}, "layers", "[2, 4, 2, 5]", "end with 1 or 2"),
    ({"data": "three_spirals", "layers": [2, 16, 16, 1]}, "layers", "[2, 16, 16, 1]", "3 classes"),
    (
        {"loss": "cross_entropy", "layers": [2, 16, 16, 1]},
        "layers",
        "[2, 16, 16, 1]",
        "end with 2.",
    ),
    (
        {"data": "sine", "layers": [1, 2], "loss": "hinge"},
        "loss",
        '"hinge"',
        f"use {' or '.join(name for name, loss in LOSSES.items() if loss.regression)}",
    ),
    ({"data": "sine", "layers": [1, 2], "loss": "mse"}, "layers", "[1, 2]", "end with 1."),
    ({"activation": "rellu"}, "activation", '"rellu"', "did you mean relu"),
    ({"activation": "zz"}, "activation", '"zz"', "there are tanh"),
    ({"activation": ["relu"]}, "activation", '["relu"]', "one name, or 2"),
    ({"activation": ["relu", 1]}, "activation", "1", "there are tanh"),
    ({"activation": {"a": 1}}, "activation", "an object", "there are tanh"),
    ({"output_activation": "Tanh"}, "output_activation", '"Tanh"', "did you mean tanh?"),
    ({"init": "xaver"}, "init", '"xaver"', "did you mean xavier?"),
    ({"initial": [1, 2]}, "initial", "initial has 2 numbers", "337 parameters"),
    ({"initial": 5}, "initial", "5", "a list of numbers"),
    ({"initial": [1, "2"]}, "initial", 'initial[1] is "2"', "a finite number"),
    ({"loss": "mean"}, "loss", '"mean"', f"there are {', '.join(LOSSES)}"),
    ({"l1": -1}, "l1", "-1", "from 0 upwards"),
    ({"l2": 1e5}, "l2", "100000.0", "the largest rate is 10,000"),
    ({"optimizer": "adamax"}, "optimizer", '"adamax"', "did you mean adam"),
    ({"learning_rate": -1}, "learning_rate", "-1", "from 0 upwards"),
    ({"learning_rate": 10**400}, "learning_rate", "1,329 bits", "from 0 upwards"),
    ({"momentum": 1}, "momentum", "1", "from 0 to just below 1"),
    ({"momentum": -0.5}, "momentum", "-0.5", "from 0 to just below 1"),
    ({"dropout": 1}, "dropout", "1", "from 0 to just below 1"),
    ({"weight_decay": "much"}, "weight_decay", '"much"', "from 0 upwards"),
    ({"schedule": "cosinus"}, "schedule", '"cosinus"', "did you mean cosine?"),
    ({"schedule_end": -1e-9}, "schedule_end", "-1e-09", "from 0 upwards"),
    ({"class_names": "cat"}, "class_names", '"cat"', 'such as ["cat", "dog"]'),
    ({"scaling": "standardise"}, "scaling", '"standardise"', "did you mean standardize?"),
    ({"data_seed": -1}, "data_seed", "-1", "a whole number from 0"),
    ({"order_seed": 1.5}, "order_seed", "1.5", "a whole number from 0"),
    ({"batch": 0}, "batch", "0", 'from 1 upwards, or "all"'),
    ({"batch": 2.0}, "batch", "2.0", 'from 1 upwards, or "all"'),
    ({"batch": "ALL"}, "batch", '"ALL"', 'from 1 upwards, or "all"'),
    ({"batch": 101}, "batch", "101", "there are 100 samples to train on"),
    ({"batch": 2, "samples": 2, "test_share": 0.5}, "batch", "2", "there is 1 sample to train on"),
    ({"batch": 51, "test_share": 0.5}, "batch", "51", "there are 50 samples to train on"),
    ({"shuffle": 1}, "shuffle", "1", "true or false"),
    ({"steps": 0}, "steps", "0", "a whole number from 1 to 100,000."),
    ({"steps": 1e9}, "steps", "1000000000.0", "a whole number from 1 to 100,000."),
    ({"steps": 10**10}, "steps", "10000000000", "a whole number from 1 to 100,000."),
    ({"steps": 100_001}, "steps", "100,001", "at most 100,000"),
    ({"seed": -1}, "seed", "-1", "from 0 to 18,446,744,073,709,551,615"),
    ({"seed": 2**64}, "seed", "18446744073709551616", "from 0 to 18,446"),
    ({"at": [120]}, "at", "[120]", "such as 120:learning_rate=0.01"),
    ({"at": {"x": {"l2": 0}}}, "at", '"x"', "a whole number from 1 upwards"),
    ({"at": {"0": {"l2": 0}}}, "at", '"0"', "other settings are those of step 0"),
    ({"at": {"5": {}}}, "at", "an object", 'such as {"learning_rate": 0.01}'),
    ({"at": {"5": {"batches": 8}}}, "at", '"batches"', "did you mean batch?"),
    ({"at": {"5": {"seed": 8}}}, "at", "From step 5 on", "there are l1, l2, dropout"),
    (
        {"at": {"5": {"learning_rate": -1}}},
        "at",
        "From step 5 on: learning_rate is -1",
        "from 0 upwards",
    ),
    ({"at": {"5": {"learning_rate": 1e5}}}, "learning_rate", "100000.0", "the largest rate"),
    ({"at": {"5": {"batch": 101}}}, "at", "From step 5 on: batch is 101", "there are 100 samples"),
    ({"at": {"100": {"l2": 0}}}, "at", "the run has 100 steps", "more steps there"),
    ({"at": {"50": {"steps": 50}}}, "at", "the run has 50 steps", "more steps there"),
    ({"at": {"5": {"l2": 0}, "05": {"l1": 0}}}, "at", "a step is 5", "give it once"),
    ({"at": {str(i): {"l2": 0} for i in range(1, 52)}}, "at", "51 changes", "give 50"),
    ({"at": {"100": {"steps": 200_000}}}, "steps", "200,000", "at most 100,000"),
    ({"zero_grad": "false"}, "zero_grad", '"false"', "true or false"),
    ({"accumulate": None}, "accumulate", "null", "true or false"),
    ({"": 1}, "", '""', "there are data, samples"),
    ({"x" * 5000: 1}, "x" * 58 + "…", "xxx…", "there are data, samples"),
    ({"data": "\x1b[31m\n"}, "data", '"\\u001b[31m\\n"', "there are four_points"),
    ({"data": "\ud800"}, "data", '"\\ud800"', "there are four_points"),
    ({"data": "a" * 10_000}, "data", "aaa…", "there are four_points"),
]


@for_each(
    ("spec", "field", "value", "would_do"),
    REFUSED,
    ids=[f"{i}-{field[:9]}" for i, (_, field, _, _) in enumerate(REFUSED)],
)
def test_a_refusal_names_the_field_the_value_and_what_would_do(
    spec: dict[str, Any], field: str, value: str, would_do: str
) -> None:
    error = refused(spec)
    assert error.field == field
    assert value in error.message
    assert would_do in error.message


def test_every_field_is_refused_somewhere_here() -> None:
    assert set(FIELDS) <= {field for _, field, _, _ in REFUSED}


def test_value_that_a_message_proposes_is_accepted() -> None:
    for spec in (
        {"data": "four_points", "layers": "3-16-16-1"},
        {"loss": "cross_entropy", "layers": [2, 16, 16, 2]},
        {"data": "sine", "layers": [1, 2, 1], "loss": "mse"},
        {"data": "rows", "rows": THREE, "layers": [2, 3]},
        {"data": "rows", "rows": [[1, 2], [2, 1]], "layers": [1, 2, 1], "loss": "mse"},
        {"samples": 2_000, "steps": 10_000, "layers": [2, 16, 1]},
        {"batch": 50, "test_share": 0.5},
        {"activation": [], "layers": [2, 1]},
        {"rows": [[1, 2], [3, 4]]},  # kept for another day
        {"learning_rate": 0, "schedule_end": 10_000},
    ):
        TrainSpec.from_json(spec)

"""Seeds of the data, the weights and the order: each varies its part alone."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from engine.kernel import Run
from engine.runs.sweep import sweep
from engine.training.dropout import masks_of
from engine.training.samples import initial_parameters, load
from engine.training.segments import segment_at
from engine.training.spec import TrainSpec
from engine.training.textbook import textbook

SPEC = TrainSpec(
    samples=12, test_share=0.25, layers=(2, 3, 1), batch=4, dropout=0.5, steps=6, seed=5
)


def parts(spec: TrainSpec) -> tuple[object, object, object]:
    """The samples, the weights, and the batches with the masks of the first sample."""
    steps = range(spec.steps)
    order = [(segment_at(spec, step).batch(step), masks_of(spec, step, 0)) for step in steps]
    return load(spec), initial_parameters(spec), order


def test_each_seed_varies_its_part_alone() -> None:
    before = parts(SPEC)
    others = (replace(SPEC, data_seed=6), SPEC.with_weights(6), replace(SPEC, order_seed=6))
    for i, spec in enumerate(others):
        changed = [x != y for x, y in zip(parts(spec), before, strict=True)]
        assert changed == [i == part for part in range(3)]


def test_the_seed_alone_is_that_of_all_parts() -> None:
    assert SPEC.seeds == (5, 5, 5)
    assert TrainSpec(seed=7, data_seed=7, order_seed=7) == TrainSpec(seed=7)
    assert TrainSpec(seed=7).to_query() == [("seed", "7")]
    spec = TrainSpec.from_query({"seed": "7", "data_seed": "0", "order_seed": ""})
    assert spec.seeds == (0, 7, 7)
    assert spec.to_query() == [("data_seed", "0"), ("seed", "7")]
    assert spec.to_json()["data_seed"] == 0
    assert "order_seed" not in spec.to_json()
    assert TrainSpec.from_json(spec.to_json()) == spec


def test_weights_are_those_of_cpython_for_their_seed() -> None:
    random.seed(1)
    weights = [random.uniform(-1, 1) for _ in range(9)]
    spec = TrainSpec(layers=(2, 3, 1), init="zero_bias", seed=1, data_seed=2, order_seed=3)
    found = iter(initial_parameters(spec))
    rest = iter(weights)
    for inputs, neurons in ((2, 3), (3, 1)):
        for _ in range(neurons):
            assert [next(found) for _ in range(inputs)] == [next(rest) for _ in range(inputs)]
            assert next(found) == 0.0


def test_kernel_and_textbook_use_the_same_seeds() -> None:
    spec = replace(SPEC, data_seed=2**64 - 1, order_seed=0)
    for slow, fast in zip(textbook(spec), Run(spec).snapshots(), strict=True):
        assert abs(slow.loss - fast.loss) <= 1e-12 * (1 + slow.loss)


def test_a_sweep_over_weights_keeps_the_data() -> None:
    with ThreadPoolExecutor(1) as executor:
        found = sweep(SPEC, [0.1], [5, 6], executor)
    assert found["runs"][0]["losses"] == list(
        Run(replace(SPEC, learning_rate=0.1)).history([]).losses
    )
    for run in found["runs"]:
        spec = replace(SPEC, learning_rate=0.1, data_seed=5, order_seed=5, seed=run["seed"])
        assert load(spec) == load(SPEC)
        assert run["losses"] == list(Run(spec).history([]).losses)

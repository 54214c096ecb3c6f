"""What pages are told of a run, its setup and its states, beside the textbook's numbers."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from app.train.form import texts
from app.train.live_run import LiveRun
from app.train.sample_points import CURVE as CURVE_POINTS
from app.train.sample_points import GRID, MAP, sample_points, shade
from app.train.state import plain, setup, state
from engine.training.samples import load
from engine.training.snapshot import Snapshot
from engine.training.spec import TrainSpec
from engine.training.textbook import answer, network, textbook
from tests.support.each import for_each
from tests.support.learning import (
    CURVE,
    DIVERGING,
    MINIBATCH,
    SMALL,
    SPECS,
    THREE,
    WIDE,
    found,
    numbers,
    shades,
)
from tests.support.pages import client


def near(values: object) -> object:
    """`values` up to rounding."""
    return pytest.approx(values, rel=1e-9, abs=1e-12)


def history(spec: TrainSpec) -> list[Snapshot]:
    """The textbook's states."""
    return list(textbook(spec))


def answers(spec: TrainSpec, parameters: list[float], x: tuple[float, ...]) -> list[float]:
    """What the network says to one sample."""
    return [value.data for value in answer(network(spec, parameters), x)]


# The setup


@for_each("name", SPECS)
def test_setup_is_that_of_the_spec(name: str) -> None:
    spec = SPECS[name]
    told = setup(spec)
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert TrainSpec.from_json(told["spec"]) == spec
    assert TrainSpec.from_query(parse_qsl(told["query"])) == spec
    assert told["parameter_count"] == sum((a + 1) * b for a, b in pairwise(spec.layers))
    assert (told["inputs"], told["outputs"]) == (spec.layers[0], spec.layers[-1])
    assert told["layers"] == list(spec.layers)
    assert told["steps"] == spec.steps
    assert len(told["map_limits"]) == len(spec.layers)
    assert told["limit"] == told["map_limits"][-1] > 0
    assert all(limit > 0 for limit in told["map_limits"])


def test_setup_of_the_default_names_a_run() -> None:
    assert setup(TrainSpec())["query"] == "data=moons"


def test_seeds_that_scripts_would_round_are_text() -> None:
    """JavaScript has no 2⁵³ + 1."""
    large = replace(SMALL, seed=2**53 + 1, data_seed=2**64 - 1, order_seed=2**53)
    spec = setup(large)["spec"]
    seeds = [spec[name] for name in ("seed", "data_seed", "order_seed")]
    assert seeds == [str(2**53 + 1), str(2**64 - 1), 2**53]
    swept = found("/sweep", SMALL, rates="0.1", seeds=f"1,{2**53 + 1}")
    assert swept["seeds"] == [run["seed"] for run in swept["runs"]] == [1, str(2**53 + 1)]


def test_setup_in_detail() -> None:
    told = setup(MINIBATCH, ((3, 1, 0.5),))
    assert told["kind"] == "classes"
    assert told["classes"] == 2
    assert told["steps_per_epoch"] == 4
    assert told["activations"] == ["tanh", "linear"]
    assert told["edits"] == [[3, 1, 0.5]]
    assert told["map_limits"][1:] == [1.0, 1.0]
    assert setup(THREE)["limit"] == 4.0
    assert setup(CURVE)["kind"] == "regression"
    assert setup(CURVE)["classes"] == 0


def test_samples_are_those_of_the_data_training_first() -> None:
    training, test = load(MINIBATCH)
    told = setup(MINIBATCH)["samples"]
    assert [sample["test"] for sample in told] == [False] * 15 + [True] * 5
    assert [tuple(sample["x"]) for sample in told] == [*training.inputs, *test.inputs]
    assert [sample["y"] for sample in told] == [*training.labels, *test.labels]


def test_bounds_hold_all_samples_with_a_margin() -> None:
    told = setup(MINIBATCH)
    xs, ys = zip(*(sample["x"] for sample in told["samples"]), strict=True)
    for column, (low, high) in zip((xs, ys), (told["bounds"][:2], told["bounds"][2:]), strict=True):
        margin = 0.1 * (max(column) - min(column))
        assert low == near(min(column) - margin)
        assert high == near(max(column) + margin)


def test_bounds_of_one_input_are_those_of_its_targets_too() -> None:
    told = setup(CURVE)
    ys = [sample["y"] for sample in told["samples"]]
    assert told["bounds"][2] < min(ys) < max(ys) < told["bounds"][3]
    assert setup(WIDE)["bounds"] is None


def test_bounds_are_never_empty() -> None:
    spec = TrainSpec(data="rows", rows=((1.0, 2.0, 0.0), (1.0, 3.0, 1.0)), layers=(2, 1))
    assert setup(spec)["bounds"][:2] == [0.0, 2.0]


# The state


@for_each("name", SPECS)
def test_state_has_the_textbooks_numbers(name: str) -> None:
    spec = SPECS[name]
    past = history(spec)
    for step in (0, 1, spec.steps // 2, spec.steps):
        wanted = past[step]
        if not all(map(math.isfinite, (*wanted.parameters, *wanted.gradient, wanted.loss))):
            continue
        told = state(LiveRun(spec), step, losses=True)
        assert told["step"] == step
        assert told["loss"] == near(wanted.loss)
        assert told["accuracy"] == wanted.accuracy
        assert told["test_accuracy"] == wanted.test_accuracy
        assert told["test_loss"] == (near(wanted.test_loss) if wanted.test_loss else None)
        assert told["learning_rate"] == near(wanted.learning_rate)
        assert told["parameters"] == near(wanted.parameters)
        assert told["gradient"] == near(wanted.gradient)
        assert told["losses_from"] == 0
        assert told["losses"] == near([state.loss for state in past[:step]])
        known = [state.accuracy for state in past[:step] if state.accuracy is not None]
        assert told["accuracies"] == known
        tested = [state.test_loss for state in past[:step] if state.test_loss is not None]
        assert told["test_losses"] == near(tested)


@for_each("name", SPECS)
def test_predictions_and_batch_are_the_runs(name: str) -> None:
    spec = SPECS[name]
    told, run = state(LiveRun(spec), 3), LiveRun(spec)
    training, _ = load(spec)
    assert told["batch"] == run.kernel.batch_of(3)
    wanted = [y for x in training.inputs for y in answers(spec, told["parameters"], x)]
    assert [y for outputs in told["predictions"] for y in numbers(outputs)] == near(wanted)
    assert len(told["predictions"]) == len(training)


def test_norms_are_those_of_the_layers() -> None:
    told = state(LiveRun(SMALL), 4)
    sizes = [9, 4]
    assert [row["layer"] for row in told["norms"]] == [1, 2]
    for name, key in (("weights", "parameters"), ("gradients", "gradient")):
        rest = list(told[key])
        for size, row in zip(sizes, told["norms"], strict=True):
            part, rest = rest[:size], rest[size:]
            assert row[name] == near(math.sqrt(sum(x * x for x in part)))


def test_updates_are_what_the_last_step_has_added() -> None:
    spec = replace(SMALL, optimizer="adam", learning_rate=0.01)
    before, after = (snapshot.parameters for snapshot in history(spec)[3:5])
    told, end = state(LiveRun(spec), 4), 0
    for size, row in zip([9, 4], told["norms"], strict=True):
        start, end = end, end + size
        assert row["updates"] == near(math.dist(after[start:end], before[start:end]))
    assert [row["updates"] for row in state(LiveRun(spec), 0)["norms"]] == [None, None]


def test_activations_are_counted_in_bins_by_layer() -> None:
    told, training = state(LiveRun(SMALL), 4), load(SMALL)[0]
    counts = told["activations"]
    assert [sum(row) for row in counts] == [size * len(training) for size in SMALL.layers[1:]]
    net = network(SMALL, told["parameters"])
    wanted = [0] * 32
    limit = sample_points(SMALL, *load(SMALL)).limits[1]
    for x in training.inputs:
        for neuron in net.layers[0].neurons:
            level = shade([neuron(x).data], limit)[0]
            wanted[min((level - 1) * 32 // 255, 31)] += 1
    assert counts[0] == wanted


def test_penalties_are_told_with_the_losses() -> None:
    spec = replace(SMALL, l2=0.01)
    told = state(LiveRun(spec), 4, losses=True)["penalties"]
    assert told == near([0.01 * sum(p * p for p in s.parameters) for s in history(spec)[:4]])
    assert "penalties" not in state(LiveRun(replace(SMALL, l2=0.0)), 4, losses=True)


def test_the_way_there_makes_no_difference() -> None:
    run = LiveRun(MINIBATCH)
    first = json.dumps(state(run, 23, losses=True))
    for step in (40, 0, 7, 30):
        state(run, step)
    assert json.dumps(state(run, 23, losses=True)) == first
    assert json.dumps(state(LiveRun(MINIBATCH), 23, losses=True)) == first


def test_numbers_that_are_not_finite_are_strings() -> None:
    told = state(LiveRun(DIVERGING), 60, losses=True)
    assert json.dumps(told, allow_nan=False)
    assert told["loss"] in ("nan", "inf")
    assert {"nan", "inf", "-inf"} & {x for x in told["parameters"] if isinstance(x, str)}
    assert {"nan", "inf"} & {x for x in told["losses"] if isinstance(x, str)}
    assert plain([1.0, math.inf, -math.inf, math.nan]) == [1.0, "inf", "-inf", "nan"]
    assert plain([1e308, 1e308]) == [1e308, 1e308]


# Pictures


def test_bytes_of_numbers() -> None:
    assert list(shade([-3, -2, 0, 2, 3, 1, -1], 2.0)) == [1, 1, 128, 255, 255, 192, 65]


@pytest.mark.parametrize("spec", [SMALL, THREE])
def test_the_grid_is_drawn_from_the_top(spec: TrainSpec) -> None:
    told, frame = state(LiveRun(spec), 5), setup(spec)
    grid = shades(told["grid"])
    assert len(grid) == GRID * GRID * spec.outputs
    left, right, bottom, top = frame["bounds"]
    for row, column in ((0, 0), (3, 90), (99, 0), (42, 57), (99, 99)):
        x = left + (right - left) * (column + 0.5) / GRID
        y = top - (top - bottom) * (row + 0.5) / GRID
        for output, number in enumerate(answers(spec, told["parameters"], (x, y))):
            byte = grid[output * GRID * GRID + row * GRID + column]
            assert abs(byte - shade([number], frame["limit"])[0]) <= 1


@pytest.mark.parametrize("spec", [SMALL, THREE, MINIBATCH])
def test_every_neuron_has_its_map(spec: TrainSpec) -> None:
    told, frame = state(LiveRun(spec), 5), setup(spec)
    maps, area = shades(told["maps"]), MAP * MAP
    assert len(maps) == sum(spec.layers) * area
    left, right, bottom, top = frame["bounds"]
    net = network(spec, told["parameters"])
    for row, column in ((0, 0), (5, 20), (23, 11)):
        x = left + (right - left) * (column + 0.5) / MAP
        y = top - (top - bottom) * (row + 0.5) / MAP
        seen: list[list[float]] = [[x, y]]
        for layer in net.layers:
            out = layer(seen[-1])
            seen.append([value.data for value in (out if isinstance(out, list) else [out])])
        wanted = [
            byte
            for layer, limit in zip(seen, frame["map_limits"], strict=True)
            for byte in shade(layer, limit)
        ]
        for neuron, byte in enumerate(wanted):
            assert abs(maps[neuron * area + row * MAP + column] - byte) <= 1


def test_one_input_has_a_curve() -> None:
    told, frame = state(LiveRun(CURVE), 5), setup(CURVE)
    xs, ys = told["curve"]
    assert told["grid"] is None
    assert len(xs) == len(ys) == CURVE_POINTS
    assert [xs[0], xs[-1]] == near(frame["bounds"][:2])
    for i in (0, 77, 199):
        assert [ys[i]] == near(answers(CURVE, told["parameters"], (xs[i],)))
    assert len(shades(told["maps"])) == 7 * MAP
    assert list(shades(told["maps"])[:MAP]) == sorted(shades(told["maps"])[:MAP])


def test_maps_of_more_inputs_have_a_stripe_for_each_sample() -> None:
    run = LiveRun(WIDE)
    told, maps = state(run, 2), shades(state(run, 2)["maps"])
    assert told["grid"] is told["curve"] is None
    assert setup(WIDE)["map_kind"] == "samples"
    assert len(maps) == sum(WIDE.layers) * MAP * MAP
    rows = [maps[start : start + MAP] for start in range(0, len(maps), MAP)]
    assert all(row == rows[i - i % MAP] for i, row in enumerate(rows))
    count, limit = len(run.kernel.training), setup(WIDE)["map_limits"][-1]
    for x, byte in enumerate(rows[-1]):
        answer = run.kernel.predictions()[x * count // MAP][-1]
        assert abs(byte - max(1.0, min(255.0, answer * 127 / limit + 128))) <= 1


def test_points_are_shared_between_runs() -> None:
    one, other = (sample_points(SMALL, *load(SMALL)) for _ in range(2))
    assert one.grid is other.grid
    assert one.map is other.map


# Over HTTP


@for_each("name", SPECS)
def test_the_addresses_answer_with_the_same(name: str) -> None:
    spec = SPECS[name]
    told = {**setup(spec), "controls": texts(spec)}
    assert found("/setup", spec) == json.loads(json.dumps(told))
    assert found("/state", spec, step=4) == json.loads(json.dumps(state(LiveRun(spec), 4)))
    with_losses = found("/state", spec, step=spec.steps, losses=1)
    assert with_losses == json.loads(json.dumps(state(LiveRun(spec), spec.steps, losses=True)))
    assert len(with_losses["losses"]) == spec.steps
    assert "losses" not in found("/state", spec, losses=0)


def test_edits_belong_to_the_address() -> None:
    wanted = state(LiveRun(SMALL, ((6, 2, 0.5),)), 9)
    assert found("/state", SMALL, step=9, set="2:0.5", at=6) == json.loads(json.dumps(wanted))
    assert found("/state", SMALL, step=9)["parameters"] != wanted["parameters"]
    assert found("/state", SMALL, step=6, set="2:0.5", at=6)["parameters"][2] == 0.5
    assert found("/setup", SMALL, set="2:0.5", at=6)["edits"] == [[6, 2, 0.5]]


@pytest.mark.parametrize("labels", ["0.5,-7", "0,1"])
def test_the_largest_numbers_of_own_rows_are_answered_and_larger_ones_refused(labels: str) -> None:
    low, high = labels.split(",")
    rows = f"1e100,-1e100,{low};-1e100,3,{high};0,0,{low}"
    for path in ("", "/setup", "/state", "/kernel", "/boundary.png", "/network.svg", "/losses.csv"):
        answer = client().get(f"/train{path}", params={"data": "rows", "rows": rows, "step": "3"})
        assert answer.status_code == 200, path
    answer = client().get(
        "/train/setup", params={"data": "rows", "rows": rows.replace("100", "308")}
    )
    assert answer.status_code == 422
    assert answer.json()["detail"] == (
        "row 1, column 1 of rows is 1e+308; give a number from −1e+100 to 1e+100."
    )

"""Each illness on a run that has it and on one that has not; its numbers; how much is looked at."""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from statistics import median
from typing import Any

import pytest

from engine.doctor import evidence as evidence_module
from engine.doctor.evidence import (
    LOOKS,
    SAMPLES,
    WORK,
    Evidence,
    forward,
    goes_silent,
    limits_of,
    spread,
)
from engine.doctor.illnesses import ILLNESSES, Verdict, diagnose
from engine.ops import ACTIVATIONS
from engine.runs.run import train
from engine.training.dropout import masks
from engine.training.fields import Name
from engine.training.losses import LOSSES
from engine.training.samples import initial_parameters, load
from engine.training.snapshot import Snapshot
from engine.training.spec import FIELDS, Setting, TrainSpec
from engine.training.textbook import answer, network, textbook
from engine.value import Value

SMALL = TrainSpec(
    samples=24, layers=(2, 6, 1), l2=0.0, learning_rate=0.1, schedule="constant", steps=25
)
SEEDS = TrainSpec(
    data="four_points", layers=(3, 4, 4, 1), activation="tanh", output_activation="tanh",
    loss="sum_squares", l2=0.0, learning_rate=0.05, schedule="constant", steps=30,
)  # fmt: skip
"""What the tutorials train."""
ONE = TrainSpec(
    data="rows", rows=((1.0, 1.0), (-1.0, -1.0)), layers=(1, 1), loss="sum_squares", l2=0.0,
    schedule="constant", steps=3,
)  # fmt: skip
"""One weight and one bias."""
DEEP = replace(
    SMALL, activation="sigmoid", layers=(2, 4, 4, 4, 4, 4, 4, 4, 1), init="xavier", steps=15
)
HEAVY = replace(
    SMALL, samples=8, layers=(2, 8, 8, 8, 1), loss="sum_squares", learning_rate=0.01, steps=2
)
HEAVY = replace(HEAVY, initial=tuple(4 * p for p in initial_parameters(HEAVY)))
UNSCALED = replace(
    SMALL, data="rows", loss="bce", learning_rate=1e-5,
    rows=tuple((i % 5 * 500.0 - 900, i % 3 * 300.0, float(i % 5 > 2)) for i in range(15)),
)  # fmt: skip


def verdicts(spec: TrainSpec) -> list[Verdict]:
    return diagnose(textbook(spec), spec)


def named(spec: TrainSpec, name: str) -> list[Verdict]:
    return [verdict for verdict in verdicts(spec) if verdict.name == name]


ILL: list[tuple[str, str, dict[str, Any], int | None]] = [
    # the illness, the run that it is made from, with what, the layer
    ("not_a_number", "ONE", {"learning_rate": 1e4, "steps": 60}, None),
    ("dead_relu", "SMALL", {"learning_rate": 10.0}, 1),
    ("dead_relu", "SMALL", {"init": "zeros"}, 1),
    ("saturated", "SEEDS", {"learning_rate": 5.0}, 1),
    ("saturated", "UNSCALED", {"activation": "tanh"}, 1),
    ("saturated", "UNSCALED", {"activation": "sigmoid"}, 1),
    ("symmetric", "SMALL", {"init": "zeros", "activation": "tanh"}, 1),
    ("vanishing", "DEEP", {"loss": "bce"}, 1),
    ("vanishing", "DEEP", {}, None),
    ("exploding", "HEAVY", {}, 4),
    ("exploding", "CORRECTED", {}, 1),
    ("rate_too_large", "SMALL", {"learning_rate": 1000.0}, None),
    ("rate_too_large", "ONE", {"learning_rate": 1.0, "steps": 20}, None),
    ("rate_too_large", "SMALL", {"learning_rate": 50.0, "batch": 6, "steps": 60}, None),
    ("rate_too_small", "SMALL", {"learning_rate": 1e-4}, None),
    ("rate_too_small", "SMALL", {"learning_rate": 0.0}, None),
    ("rate_too_small", "SMALL", {"learning_rate": 1e-4, "batch": 5, "steps": 40}, None),
]
CORRECTED = replace(
    UNSCALED, activation="tanh", layers=(2, 2, 1), learning_rate=1e-6,
    initial=(1e-4, 2e-4, 0.1, 2e-4, -1e-4, -0.1, 1.0, -1.0, 0.0),
)  # fmt: skip
"""Small weights make up for large inputs, but not in the gradient."""
BASES = {
    "SMALL": SMALL,
    "SEEDS": SEEDS,
    "ONE": ONE,
    "DEEP": DEEP,
    "HEAVY": HEAVY,
    "UNSCALED": UNSCALED,
    "CORRECTED": CORRECTED,
}


@pytest.mark.parametrize(("name", "base", "changes", "layer"), ILL)
def test_an_illness_is_named(name: str, base: str, changes: dict[str, Any], layer: int) -> None:
    spec = replace(BASES[base], **changes)
    found = named(spec, name)
    assert found, verdicts(spec)
    assert found[0].layer == layer
    assert 0 <= found[0].step <= spec.steps


def test_every_illness_of_the_table_is_tried() -> None:
    assert {name for name, *_ in ILL} == set(ILLNESSES)


HEALTHY: dict[str, TrainSpec] = {
    "small": SMALL,
    "two layers": replace(SMALL, layers=(2, 8, 8, 1), samples=16),
    "tanh": replace(SMALL, activation="tanh"),
    "sigmoid": replace(SMALL, activation="sigmoid", learning_rate=0.5),
    "deep and relu": replace(DEEP, activation="leaky_relu", init="he", learning_rate=0.05),
    "batches": replace(SMALL, batch=5, steps=60),
    "one at a time": replace(SMALL, batch=1, learning_rate=0.02, steps=72),
    "adam": replace(SMALL, optimizer="adam", learning_rate=0.02),
    "heavy with adam": replace(HEAVY, optimizer="adam", steps=12),
    "heavy and slow": replace(HEAVY, learning_rate=1e-7, steps=12),
    "bce": replace(SMALL, loss="bce"),
    "three classes": replace(
        SMALL, data="three_spirals", layers=(2, 6, 3), loss="cross_entropy", activation="silu"
    ),
    "regression": replace(SMALL, data="sine", layers=(1, 6, 1), loss="mse", activation="tanh"),
    "seeds": SEEDS,
    "seeds, long": replace(SEEDS, steps=300),
    "micrograd's demo, small": TrainSpec(samples=24, layers=(2, 8, 8, 1), steps=20),
    "one step": replace(SMALL, steps=1),
    "dropout": replace(SMALL, dropout=0.2, steps=100),
    "dropout, batches": replace(SMALL, dropout=0.5, batch=12, steps=60),
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_run_has_no_verdict(name: str) -> None:
    assert verdicts(HEALTHY[name]) == []


def test_the_default_run_has_no_verdict() -> None:
    spec = TrainSpec()
    states = list(train(spec))
    assert diagnose(states, spec) == []
    assert diagnose(states[:31], spec) == []
    assert diagnose(states[::10], spec) == []
    assert diagnose(states[::10], spec, [state.loss for state in states]) == []


@pytest.mark.parametrize("name", ["SMALL", "SEEDS"])
@pytest.mark.parametrize("gap", [2, 10])
def test_a_part_of_a_run_will_do(name: str, gap: int) -> None:
    spec = BASES[name]
    assert diagnose(list(textbook(spec))[::gap], spec) == []
    wild = replace(spec, learning_rate=1000.0, steps=120)
    found = {verdict.name for verdict in diagnose(list(textbook(wild))[::gap], wild)}
    assert found & {"rate_too_large", "saturated", "dead_relu"}


def test_of_nothing_and_of_one_state_there_is_nothing_to_say() -> None:
    assert diagnose([], SMALL) == []
    assert diagnose(islice(textbook(SMALL), 1), SMALL) == []


# Numbers that are not finite


def test_a_weighted_sum_that_overflows_is_named() -> None:
    spec = replace(ONE, rows=((1e150, 1.0), (0.0, -1.0)), initial=(1e-5, 0.0), learning_rate=1e4)
    states = list(textbook(spec))
    assert math.isfinite(states[0].loss)
    assert not math.isfinite(states[1].loss)
    (found,) = named(spec, "not_a_number")
    assert (found.step, found.layer) == (1, 1)
    weight = abs(states[1].parameters[0])
    said = f"a weighted sum of layer 1 overflowed, with weights of up to {weight:.4g}"
    assert said in found.message
    assert found.advice == "Try a tenth of the learning rate, 1000."


def test_a_loss_that_overflows_is_named_with_its_operation() -> None:
    spec = replace(ONE, initial=(3.0, 0.0), learning_rate=1.0, steps=900)
    found = named(spec, "not_a_number")[0]
    # The loss is 2·(w - 1)², so that each update makes w - 1, 2 at first, -3 times as large.
    largest = math.log(sys.float_info.max)
    assert found.step == math.ceil((largest / 2 - math.log(2)) / math.log(3))
    assert found.layer is None
    assert "the loss of a sample overflowed, ** of " in found.message


def test_a_penalty_that_overflows_is_named() -> None:
    rows = ((0.0, 1.0), (0.0, -1.0))
    (found,) = verdicts(replace(ONE, rows=rows, initial=(1e200, 0.0), l2=1e-4))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, None)
    assert "the penalty overflowed, with parameters of up to 1e+200" in found.message
    assert "smaller weights" in found.advice


def test_a_gradient_that_overflows_is_named_with_its_layer() -> None:
    rows = ((1e200, 1.0), (0.0, -1.0))  # the output is 1e150, its slope by the weight 2e350
    (found,) = verdicts(replace(ONE, rows=rows, initial=(1e-50, 0.0)))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, 1)
    assert found.message.startswith("At step 0 the backward pass overflowed: the loss is 1e+300")


def test_an_update_that_overflows_is_named() -> None:
    spec = replace(ONE, rows=((1e152, 1.0), (0.0, -1.0)), initial=(1.0, 0.0), learning_rate=1e4)
    found = named(spec, "not_a_number")[0]
    assert (found.step, found.layer) == (1, 1)
    assert "with a learning rate of 10,000 and a gradient of up to 2e+304" in found.message


def test_a_parameter_that_was_lost_between_two_states_is_named() -> None:
    spec = replace(ONE, learning_rate=1.0, steps=900)
    states = [state for state in textbook(spec) if state.step % 300 == 0]
    found = diagnose(states, spec)[0]
    assert (found.name, found.step, found.layer) == ("not_a_number", 600, None)
    found = diagnose([states[1], states[3]], spec)[0]
    assert (found.step, found.layer) == (900, 1)
    assert f"at step 300 the loss was {states[1].loss:.4g}" in found.message


def test_a_mask_that_makes_an_activation_overflow_is_named() -> None:
    spec = replace(
        ONE, layers=(1, 1, 1), activation="linear", dropout=0.5, initial=(1e308, 0.0, 1e-300, 0.0)
    )
    kept = next(seed for seed in range(20) if masks(0.5, seed, 0, 0, [1]) == [[2.0]])
    (found, *_) = verdicts(replace(spec, seed=kept))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, 1)
    assert "an activation of layer 1 overflowed, linear of 1e+308" in found.message


def test_an_activation_that_overflows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIELDS, "output_activation", Setting(Name(("exp",)), "Any operation."))
    (found, *_) = verdicts(replace(ONE, output_activation="exp", initial=(720.0, 0.0)))
    assert (found.name, found.step, found.layer) == ("not_a_number", 0, 1)
    assert "an activation of layer 1 overflowed, exp of 720" in found.message


def test_losses_of_all_steps_tell_the_first_one_that_is_lost() -> None:
    spec = replace(ONE, initial=(3.0, 0.0), learning_rate=1.0, steps=900)
    states = list(textbook(spec))
    losses = [state.loss for state in states[:-1]]
    lost = next(k for k, loss in enumerate(losses) if not math.isfinite(loss))
    found = diagnose(states[::100], spec, losses)[0]
    assert (found.name, found.step, found.layer) == ("not_a_number", lost, None)
    there = f"At step {lost} the loss is not finite, and at step 400 the loss of a sample"
    assert found.message.startswith(there)
    found = diagnose(states[:301:100], spec, losses)[0]
    assert (found.step, found.message) == (lost, f"At step {lost} the loss is not finite.")


def test_losses_of_all_steps_tell_what_the_states_hide() -> None:
    losses = [0.5 + 0.2 * (-1) ** k for k in range(40)]
    states = with_losses([*losses, losses[0]])[::2]
    assert "rate_too_large" not in {verdict.name for verdict in diagnose(states, SMALL)}
    (found,) = diagnose(states, SMALL, losses)
    assert (found.name, found.step) == ("rate_too_large", 0)
    assert Evidence(states, SMALL, losses).steps == list(range(41))
    assert diagnose(list(textbook(SMALL))[::5], SMALL, [s.loss for s in textbook(SMALL)]) == []


def test_nothing_after_the_first_broken_state_is_read() -> None:
    def states() -> Iterator[Snapshot]:
        for state in textbook(replace(SMALL, steps=4)):
            yield replace(state, loss=math.nan) if state.step == 2 else state
            assert state.step <= 2

    found = diagnose(states(), SMALL)[0]
    assert (found.name, found.step) == ("not_a_number", 2)


# Activations


def activations(spec: TrainSpec, state: Snapshot, layer: int) -> list[list[float]]:
    """What each neuron of a layer, from 1, says to each training sample, by Values."""
    net = network(spec, state.parameters)
    del net.layers[layer:]
    said = [answer(net, x) for x in load(spec)[0].inputs]
    return [[value.data for value in column] for column in zip(*said, strict=True)]


def test_dead_neurons_are_counted_since_their_step() -> None:
    spec = replace(SMALL, learning_rate=10.0)
    states = list(textbook(spec))
    found = named(spec, "dead_relu")[0]
    dead = [sum(not any(neuron) for neuron in activations(spec, state, 1)) for state in states]
    assert f"{dead[-1]} of 6 neurons of layer 1 are dead since step {found.step}" in found.message
    assert all(count >= 3 for count in dead[found.step :])
    assert dead[found.step - 1] < 3
    assert "for all 24 samples" in found.message


def test_neurons_that_recover_are_not_called_dead() -> None:
    spec = replace(SMALL, learning_rate=10.0)
    states = list(textbook(spec))
    well = list(textbook(replace(SMALL, steps=3)))
    later = [replace(state, step=len(states) + state.step) for state in well]
    assert "dead_relu" not in {verdict.name for verdict in diagnose([*states, *later], spec)}


def test_saturated_neurons_are_counted() -> None:
    spec = replace(SEEDS, learning_rate=5.0)
    last = list(textbook(spec))[-1]
    for verdict in named(spec, "saturated"):
        assert verdict.layer is not None
        neurons = activations(spec, last, verdict.layer)
        stuck = sum(all(abs(y) > 0.98 for y in neuron) for neuron in neurons)
        who = {1: "The neuron", 4: "All 4 neurons"}.get(stuck, f"{stuck} of 4 neurons")
        assert verdict.message.startswith(who if len(neurons) > 1 else "The neuron")
        assert "tanh is near -1 or 1" in verdict.message


def test_an_output_at_the_limit_that_it_should_reach_is_well() -> None:
    spec = replace(SEEDS, learning_rate=0.5, steps=1, initial=())
    rows = ((0.0, 0.0, 1.0, 1.0), (0.0, 0.0, -1.0, -1.0))
    right = replace(
        spec, data="rows", rows=rows, layers=(3, 1), activation=(), initial=(0.0, 0.0, 9.0, 0.0)
    )
    assert verdicts(right) == []
    wrong = replace(right, initial=(0.0, 0.0, -9.0, 0.0))
    assert [verdict.name for verdict in verdicts(wrong)] == ["saturated"]


def test_which_activations_have_limits_and_which_go_silent() -> None:
    assert {name: limits_of(name) for name in ACTIVATIONS if limits_of(name)} == {
        "tanh": (-1.0, 1.0),
        "sigmoid": (0.0, 1.0),
    }
    assert [name for name in ACTIVATIONS if goes_silent(name)] == ["relu"]
    assert limits_of("linear") is None
    assert not goes_silent("linear")


def test_neurons_of_random_weights_are_not_alike() -> None:
    assert named(replace(SMALL, activation="tanh"), "symmetric") == []


# Gradients


def sizes(spec: TrainSpec, state: Snapshot) -> list[float]:
    """The root mean square of the gradient in each layer."""
    out, start = [], 0
    for nin, nout in zip(spec.layers, spec.layers[1:], strict=False):
        part = state.gradient[start : start + (nin + 1) * nout]
        out.append(math.sqrt(sum(g * g for g in part) / len(part)))
        start += len(part)
    return out


def test_vanishing_gradients_are_given_with_their_ratio() -> None:
    spec = replace(DEEP, loss="bce")
    seen = [sizes(spec, state) for state in textbook(spec)]
    ratio = median(s[0] / s[-1] for s in seen)
    (found,) = named(spec, "vanishing")
    assert f"is {ratio:.4g} times that of layer 8" in found.message
    first, last = (median(s[i] for s in seen) for i in (0, -1))
    assert f"{first:.4g} against {last:.4g}" in found.message
    assert found.advice == "Try relu instead of sigmoid, or take fewer layers."


def test_penalties_do_not_hide_a_vanishing_gradient() -> None:
    assert named(replace(DEEP, loss="bce", l2=0.01, l1=0.001), "vanishing")


def test_exploding_gradients_are_given_with_their_size() -> None:
    states = list(textbook(HEAVY))
    (found,) = named(HEAVY, "exploding")
    first = sizes(HEAVY, states[0])
    assert found.layer == 1 + first.index(max(first))
    assert f"The gradient is {max(first):,.0f} in layer {found.layer} at step 0" in found.message


def test_inputs_that_are_not_scaled_are_named() -> None:
    (found,) = named(CORRECTED, "exploding")
    assert found.advice == "Scale the inputs, which go up to 1100, to -1 to 1."


# The learning rate


def with_losses(losses: list[float], spec: TrainSpec = SMALL) -> list[Snapshot]:
    """A real state with other losses: what becomes of the loss alone decides."""
    state = next(textbook(spec))
    return [replace(state, step=step, loss=loss) for step, loss in enumerate(losses)]


def test_a_loss_that_rises_is_given_with_both_ends() -> None:
    falling = [1.0 - 0.04 * k for k in range(20)]
    states = with_losses([*falling, *[falling[-1] + 0.05 * k for k in range(1, 21)]])
    (found,) = diagnose(states, SMALL)
    assert (found.name, found.step) == ("rate_too_large", 19)
    mean = sum(state.loss for state in states[-8:]) / 8
    assert (
        found.message
        == f"The loss rose from 0.24 at step 19 to {mean:.4g} on average from step 32 on."
    )


def test_a_loss_that_goes_up_and_down_is_given_with_its_stretch() -> None:
    states = with_losses([0.5 + 0.2 * (-1) ** k for k in range(41)])
    (found,) = diagnose(states, SMALL)
    assert (found.name, found.step) == ("rate_too_large", 0)
    assert (
        "Between steps 0 and 20 the loss rose in 10 of 20 steps and changed by 0.4" in found.message
    )


def test_losses_next_to_overflow_are_compared() -> None:
    states = with_losses([1.0] * 5 + [1.7e308] * 25)
    (found,) = diagnose(states, SMALL)
    assert found.message == "The loss rose from 1 at step 0 to 1.7e+308 on average from step 24 on."
    states = with_losses([1e308, 1.7e308] * 20)
    assert [verdict.name for verdict in diagnose(states, SMALL)] == ["rate_too_large"]


def test_one_jump_or_ever_smaller_ones_are_no_illness() -> None:
    falling = [0.9**k for k in range(60)]
    assert diagnose(with_losses([*falling[:5], 2.0, *falling[5:]]), SMALL) == []
    assert (
        diagnose(with_losses([x * (1 + 0.4 * (-1) ** k) for k, x in enumerate(falling)]), SMALL)
        == []
    )
    noisy = random.Random(7)
    near_zero = [1e-4 * noisy.random() for _ in range(60)]
    assert diagnose(with_losses([*falling, *near_zero]), SMALL) == []


def test_a_loss_that_hardly_falls_is_extrapolated() -> None:
    states = with_losses([1.0 - 0.0002 * k for k in range(101)])
    (found,) = diagnose(states, SMALL)
    fallen, wait = "the loss went from 1 to 0.98, by 2 %", "halving it would take about 2500 steps"
    assert found.message == f"In 100 steps {fallen}: {wait}."
    assert found.advice == "Try a learning rate of 10."  # a hundred times as much


def test_a_loss_that_stays_because_the_best_is_reached_is_well() -> None:
    rows = ((0.0, 1.0), (0.0, -1.0))  # the same input, two answers: nothing is better than 0
    spec = replace(ONE, rows=rows, initial=(0.5, 0.0), learning_rate=0.01, steps=30)
    assert verdicts(spec) == []


def test_a_whole_epoch_counts_as_one_loss() -> None:
    spec = replace(SMALL, batch=5, steps=40, learning_rate=0.0)
    levels = Evidence(textbook(spec), spec).levels
    assert [step for step, _ in levels] == [4, 9, 14, 19, 24, 29, 34, 39]
    assert max(x for _, x in levels) < 1.2 * min(x for _, x in levels)


# Mistakes


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        (replace(SEEDS, zero_grad=False, steps=60), "Set the gradients to 0"),
        (replace(SEEDS, accumulate=False), "Accumulate the contributions to a gradient"),
        (replace(SEEDS, accumulate=False, zero_grad=False), "Accumulate the contributions"),
    ],
)
def test_mistakes_are_named_as_the_cause(spec: TrainSpec, word: str) -> None:
    found = verdicts(spec)
    assert found
    assert all(verdict.advice.startswith(word) for verdict in found)


# How much is looked at, and how it is said


def test_activations_are_computed_at_few_steps_and_for_few_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = replace(SMALL, samples=300, steps=2000)
    states = with_losses([0.999**k for k in range(2001)], spec)
    calls: list[int] = []
    made: list[int] = []

    def counted(*args: Any) -> Any:
        calls.append(1)
        return forward(*args)

    monkeypatch.setattr(evidence_module, "forward", counted)
    monkeypatch.setattr(Value, "__init__", lambda *args, **rest: made.append(1))
    evidence = Evidence(states, spec)
    assert [look.step for look in evidence.looks][:: LOOKS - 1] == [0, 2000]
    assert len(calls) == LOOKS * SAMPLES
    assert made == []


def test_a_large_network_is_looked_at_less_often() -> None:
    spec = TrainSpec(layers=(2, 120, 120, 1), steps=100)
    parameters = initial_parameters(spec)
    states = [
        Snapshot(step, parameters, parameters, 1.0, None, None, None, 1.0) for step in range(41)
    ]
    evidence = Evidence(states, spec)
    assert 3 <= len(evidence.looks) <= max(3, WORK // (SAMPLES * spec.parameter_count))
    assert (evidence.looks[0].step, evidence.looks[-1].step) == (0, 40)


@pytest.mark.parametrize("count", [1, 2, 3, 40, 41, 1000])
def test_a_spread_holds_both_ends(count: int) -> None:
    items = list(range(count))
    chosen = spread(items, 40)
    assert (chosen[0], chosen[-1], len(chosen)) == (0, count - 1, min(count, 40))
    assert chosen == sorted(set(chosen))


@pytest.mark.parametrize("activation", [*ACTIVATIONS, "linear"])
def test_the_plain_forward_pass_gives_the_numbers_of_the_values(activation: str) -> None:
    spec = replace(SMALL, layers=(2, 5, 3, 1), activation=activation)
    state = next(textbook(spec))
    layers = evidence_module.by_layer(spec, state.parameters)
    seen = [forward(spec, layers, x) for x in load(spec)[0].inputs]
    for layer in (1, 2, 3):
        columns = zip(*(out[layer - 1][1] for out in seen), strict=True)
        assert [list(c) for c in columns] == activations(spec, state, layer)


@pytest.mark.parametrize(("name", "base", "changes", "layer"), ILL)
def test_a_verdict_is_two_plain_sentences(
    name: str, base: str, changes: dict[str, Any], layer: int | None
) -> None:
    found = verdicts(replace(BASES[base], **changes))
    assert json.loads(json.dumps([verdict.to_json() for verdict in found])) == [
        {
            "name": verdict.name,
            "step": verdict.step,
            "layer": verdict.layer,
            "message": verdict.message,
            "advice": verdict.advice,
        }
        for verdict in found
    ]
    for verdict in found:
        for sentence in (verdict.message, verdict.advice):
            assert sentence[0].isupper() or sentence[0].isdigit()
            assert sentence.endswith(".")
            assert ". " not in sentence
            assert "\n" not in sentence
        assert any(character.isdigit() for character in verdict.message)


def test_the_table_is_ordered_by_its_names_and_gives_reasons() -> None:
    for name, illness in ILLNESSES.items():
        assert illness.name == name
        assert illness.help.endswith(".")
        for threshold in illness.thresholds.values():
            assert threshold.value > 0
            assert threshold.why
    found = verdicts(replace(SEEDS, learning_rate=5.0))
    order = list(ILLNESSES)
    assert [order.index(v.name) for v in found] == sorted(order.index(v.name) for v in found)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("activation", [*ACTIVATIONS, "linear"])
def test_whatever_becomes_of_a_run_it_is_diagnosed(loss: str, activation: str) -> None:
    layers = (2, 3, LOSSES[loss].least_outputs)
    wild = replace(SMALL, samples=6, layers=layers, loss=loss, activation=activation, steps=12)
    for rate, output in product((1e4, 30.0), ("linear", activation)):
        spec = replace(wild, learning_rate=rate, output_activation=output)
        states = list(textbook(spec))
        broken = [state.step for state in states if not evidence_module.is_whole(state)]
        found = {verdict.name: verdict for verdict in diagnose(states, spec)}
        assert ("not_a_number" in found) == bool(broken)
        assert not broken or found["not_a_number"].step == broken[0]

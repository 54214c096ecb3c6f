"""The kernel at its address: another engine computes with it what the server computes."""

from __future__ import annotations

import gzip
from base64 import b64decode
from dataclasses import replace
from typing import Any

from app.train.live_run import LiveRun
from engine.kernel.layout import POINTS
from engine.training.spec import TrainLimits, TrainSpec
from engine.wasm.instance import Instance
from tests.support.each import for_each
from tests.support.learning import (
    CURVE,
    MINIBATCH,
    SMALL,
    WIDE,
    found,
)


def instance(told: dict[str, Any]) -> Instance:
    """The code with its memory, and the indices that are not sent."""
    made = Instance(gzip.decompress(b64decode(told["code"])))
    made.write(0, gzip.decompress(b64decode(told["memory"])))
    made.write_indices(told["layout"]["identity"], range(told["layout"]["count"]))
    return made


@for_each("spec", [SMALL, MINIBATCH, CURVE, WIDE])
def test_another_engine_goes_on_with_the_kernel(spec: TrainSpec) -> None:
    told = found("/kernel", spec, step=4, set="0:0.5", at=2)
    layout, other = told["layout"], instance(told)
    assert other.index(layout["step"]) == 4
    other.call("train", spec.steps - 4)
    here = LiveRun(spec, ((2, 0, 0.5),))
    here.seek(spec.steps)
    parameters = other.numbers(layout["parameter"], layout["parameters"]).tolist()
    assert parameters == here.kernel.parameters()
    losses = other.numbers(layout["losses"], layout["logged"])[4 : spec.steps]
    assert losses == here.kernel.losses[4 : spec.steps]
    if len(here.kernel.test):
        tested = other.numbers(layout["test_losses"], layout["logged"])[4 : spec.steps]
        assert tested == here.kernel.test_log[4 : spec.steps]
    other.call("look")
    gradient = other.numbers(layout["gradient"], layout["parameters"]).tolist()
    assert gradient == here.kernel.snapshot().gradient
    start = found("/kernel", spec, step=0, set="0:0.5", at=2)
    other.write(0, gzip.decompress(b64decode(start["memory"]))[: layout["saved"]])
    assert other.index(layout["step"]) == 0


def test_kernel_takes_other_numbers_for_its_settings() -> None:
    """What is written where the table says is the run of the spec with that setting."""
    spec = replace(MINIBATCH, l2=0.01, schedule="linear", schedule_end="30%")
    told = found("/kernel", spec)
    ranges = {entry["name"]: entry for entry in told["settings"]}
    assert set(ranges) == {"learning_rate", "momentum", "weight_decay", "l2", "steps"}
    for name, value in (("learning_rate", 0.02), ("l2", 0.3), ("steps", 25.0), ("steps", 60.0)):
        other = instance(told)
        for place, factor in ranges[name]["writes"]:
            other.write_numbers(place, [value * factor])
        other.call("train", 25)
        number = int(value) if name == "steps" else value
        here = LiveRun(TrainSpec.from_json({**spec.to_json(), name: number}))
        here.seek(25)
        parameters = other.numbers(told["layout"]["parameter"], told["layout"]["parameters"])
        assert parameters.tolist() == here.kernel.parameters()
    assert (ranges["momentum"]["least"], ranges["momentum"]["most"]) == (0, 1 - 2**-53)
    assert ranges["steps"]["most"] == TrainLimits().steps
    assert ranges["l2"]["positive"]
    assert not found("/kernel", spec, at="5:learning_rate=0.1")["settings"]


def test_kernels_around_a_run_are_those_of_their_own() -> None:
    """What a pool has once makes the code and the memory that each network has alone."""
    told = found("/kernels", SMALL)
    pool = gzip.decompress(b64decode(told["pool"]))
    assert [kernel["layers"] for kernel in told["kernels"]] == [[2, 4, 1], [2, 2, 1]]
    for kernel in told["kernels"]:
        alone = found("/kernel", replace(SMALL, layers=tuple(kernel["layers"])))
        start, size = kernel["code"]
        assert pool[start : start + size] == gzip.decompress(b64decode(alone["code"]))
        memory = bytearray(alone["layout"]["size"])
        for address, start, size in kernel["memory"]:
            memory[address : address + size] = pool[start : start + size]
        assert memory == gzip.decompress(b64decode(alone["memory"]))
        assert {n: kernel[n] for n in ("layout", "settings")} == {
            n: alone[n] for n in ("layout", "settings")
        }
    most = TrainLimits().neurons
    wide = found("/kernels", replace(SMALL, layers=(2, most, 1), steps=2))
    assert [kernel["layers"] for kernel in wide["kernels"]] == [[2, most - 1, 1]]


def test_the_kernel_draws_what_the_server_draws() -> None:
    told, frame = found("/kernel", SMALL, step=9), found("/setup", SMALL)
    layout, count = told["layout"], frame["grid"] ** 2
    other = instance(told)
    grid = LiveRun(SMALL).sample_points.grid
    assert grid is not None
    other.write(layout["records"]["points"], grid.records)
    other.write_numbers(layout["shade"], [127 / frame["limit"]])
    blocks = -(-count // (2 * layout["pairs"]))
    other.call(
        "shades", layout["records"]["points"], blocks, layout["outputs"], layout["row"],
        layout["map"], 2 * layout["pairs"] * blocks,
    )  # fmt: skip
    assert other.read(layout["map"], count) == b64decode(found("/state", SMALL, step=9)["grid"])
    assert count <= layout["points"] == POINTS

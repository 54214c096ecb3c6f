"""The same bits: whatever the process, thread, engine, optimisation level, tile or block."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path

import pytest
import wasmtime

from engine.kernel import Run, layout, tiling
from engine.kernel.module import program
from engine.training.spec import TrainSpec
from tests.support import node

STEPS = 500
SPECS = {
    "default": TrainSpec(steps=STEPS),
    "classes": TrainSpec(
        data="three_spirals",
        samples=60,
        layers=(2, 9, 7, 3),
        activation="tanh",
        loss="cross_entropy",
        optimizer="adam",
        learning_rate=0.01,
        schedule="cosine",
        steps=STEPS,
    ),
    "batches": TrainSpec(
        data="sine",
        samples=37,
        layers=(1, 6, 1),
        activation="gelu",
        loss="mse",
        l1=1e-4,
        batch=8,
        optimizer="nesterov",
        learning_rate=0.02,
        steps=STEPS,
    ),
    "smooth": TrainSpec(
        data="circles",
        samples=21,
        layers=(2, 5, 4, 1),
        activation=("softplus", "silu"),
        output_activation="sigmoid",
        loss="bce",
        zero_grad=False,
        learning_rate=0.01,
        steps=STEPS,
    ),
    "dropout": TrainSpec(
        samples=30,
        layers=(2, 7, 5, 1),
        activation="gelu",
        dropout=0.3,
        batch=8,
        learning_rate=0.05,
        steps=STEPS,
    ),
}
EVERY = pytest.mark.parametrize("name", SPECS)


def fingerprint(run: Run) -> str:
    return sha256(run.memory()[: run.layout.saved]).hexdigest()


def trained(spec: TrainSpec) -> str:
    run = Run(spec)
    run.advance(STEPS)
    assert run.step == STEPS
    return fingerprint(run)


@EVERY
def test_in_one_call_or_in_many(name: str) -> None:
    run = Run(SPECS[name])
    for count in (1, 2, 3, 94, 100, 300):
        run.snapshot()
        run.advance(count)
    assert fingerprint(run) == trained(SPECS[name])


def test_in_another_process() -> None:
    specs = json.dumps([spec.to_json() for spec in SPECS.values()])
    program = (
        "import json, sys; from tests.engine.kernel.test_bits import TrainSpec, trained\n"
        "for spec in json.load(sys.stdin): print(trained(TrainSpec.from_json(spec)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], input=specs, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == [trained(spec) for spec in SPECS.values()]


@EVERY
def test_in_several_threads_at_once(name: str) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(trained(SPECS[name]))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {trained(SPECS[name])}
    assert len(found) == 4


def elsewhere(run: Run, config: wasmtime.Config) -> str:
    """What STEPS steps give in a wasmtime engine that is configured otherwise."""
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    exports = wasmtime.Instance(store, wasmtime.Module(engine, run.code), []).exports(store)
    memory, train = exports["memory"], exports["train"]
    assert isinstance(memory, wasmtime.Memory)
    assert isinstance(train, wasmtime.Func)
    memory.write(store, run.memory(), 0)
    train(store, STEPS)
    return sha256(bytes(memory.read(store, 0, run.layout.saved))).hexdigest()


@EVERY
@pytest.mark.parametrize("level", ["none", "speed", "speed_and_size"])
def test_at_every_optimisation_level(name: str, level: str) -> None:
    config = wasmtime.Config()
    config.cranelift_opt_level = level
    assert elsewhere(Run(SPECS[name]), config) == trained(SPECS[name])


@EVERY
def test_with_relaxed_instructions_allowed(name: str) -> None:
    """They would change bits where there were any."""
    config = wasmtime.Config()
    config.wasm_relaxed_simd = True
    assert elsewhere(Run(SPECS[name]), config) == trained(SPECS[name])


@EVERY
def test_in_nodes_own_engine(name: str, tmp_path: Path) -> None:
    run = Run(SPECS[name])
    code, memory = tmp_path / "code.wasm", tmp_path / "memory"
    code.write_bytes(run.code)
    memory.write_bytes(run.memory())
    script = Path(__file__).with_name("kernel.mjs")
    ran = node.run(script, code, memory, STEPS, run.layout.saved)
    assert ran.strip() == trained(SPECS[name])


@EVERY
@pytest.mark.parametrize("registers", [3, 8, 30])
def test_with_other_tiles_and_blocks(
    name: str, registers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of every sum is fixed, so that tuning never changes a result."""
    expected = Run(SPECS[name])
    expected.advance(STEPS)
    monkeypatch.setattr(tiling, "REGISTERS", registers)
    monkeypatch.setattr(layout, "CACHE", 100 * registers)
    tiling.tile.cache_clear()
    program.cache_clear()
    try:
        other = Run(SPECS[name])
        other.advance(STEPS)
    finally:
        tiling.tile.cache_clear()
        program.cache_clear()
    assert other.parameters() == expected.parameters()
    assert list(other.losses) == list(expected.losses)


def test_another_seed_gives_other_bits() -> None:
    """The fingerprint is able to differ."""
    assert trained(TrainSpec(seed=1, steps=STEPS)) != trained(TrainSpec(seed=2, steps=STEPS))

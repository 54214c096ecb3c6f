"""Contestants in their own processes, and rounds of alternating turns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import isfinite, nan
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.train import limit
from benchmarks.train.tasks import Task, loss

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7
TURN = 0.15  # target duration of a turn in seconds
SLOW = 5.0  # seconds of the first step, compilation included, above which one step is measured
PATIENCE = 4.0  # limit of a contestant's total time in seconds, if steps are slow
PARITY = 10  # steps after which the losses are compared
ALONE = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
}
"""One thread for NumPy and PyTorch, defaults for JAX on the CPU."""

OURS = "Seegrad"
LIMIT = "C by hand"
SCAN = "JAX scan"
EAGER = "PyTorch eager"
PEERS = {
    SCAN: "jax_scan",
    "JAX jit per step": "jax_step",
    "NumPy plain": "numpy_plain",
    EAGER: "torch_eager",
    "closures (micrograd's way)": "closures",
}
"""The contestants, and their modules in `peers`."""
LANES = {
    OURS: "128 bits, as WebAssembly has them, without fused multiply-add",
    "JAX": "256 bits, seldom 512",  # counted in the object files of --xla_dump_to on AVX-512
    "NumPy, PyTorch": "the processor's widest, up to 512 bits",
    LIMIT: "the processor's widest, up to 512 bits",
}
"""The vectors that each contestant computes with."""
PACKAGES = ("jax", "numpy", "torch")
ASK_VERSIONS = """
import sys
from importlib.metadata import PackageNotFoundError, version
for package in sys.argv[1:]:
    try:
        print(package, version(package))
    except PackageNotFoundError:
        pass
"""


@dataclass(slots=True)
class Result:
    """A contestant's result on a task: seconds per step in each round, and losses on all rows.

    `losses` are by number of steps; `own` is the contestant's own loss after the last of them;
    `absent` is the reason for a missing result.
    """

    times: list[float] = field(default_factory=list)
    losses: dict[int, float] = field(default_factory=dict)
    own: float | None = None
    absent: str = ""


class Refusal(Exception):
    """A contestant cannot execute a command."""


def _keep_on_one_core(process: int) -> None:
    """Keep a process that has just begun on the last core that we may use, where Linux lets us."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, {max(os.sched_getaffinity(0))})


class Worker:
    """A process that trains on command, on one core; see `worker` for the commands."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | ALONE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        _keep_on_one_core(self.process.pid)

    def ask(self, command: str) -> str:
        """The reply to a command. Raises Refusal."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(f"{command}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended; reading its reply below reports that
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise Refusal(f"ended with status {self.process.wait()}")
        word, _, rest = answer.partition(" ")
        if word == "missing":
            raise Refusal(f"not installed, `pip install {rest}`")
        if word == "failed":
            raise Refusal(rest)
        return answer

    def start(self, task: Task) -> int:
        """Start the task; returns the minimum number of steps per call."""
        return int(self.ask(f"start {task.name}").split()[1])

    def train(self, steps: int) -> float:
        """The seconds that `steps` steps took."""
        return float(self.ask(f"train {steps}"))

    def loss(self, task: Task) -> float:
        """The loss on all rows at the current parameters."""
        return loss(task, [float(p) for p in self.ask("parameters").split()])

    def own_loss(self) -> float | None:
        answer = self.ask("loss")
        return None if answer == "unknown" else float(answer)

    def close(self) -> None:
        """Close its input and wait for its end."""
        self.process.communicate()


class LimitWorker(Worker):
    """The C program, which receives a task's numbers and computes no loss."""

    def start(self, task: Task) -> int:
        numbers = [*(number for row in task.rows for number in row), *task.start()]
        return int(self.ask(f"start {task.name} {' '.join(map(repr, numbers))}").split()[1])

    def own_loss(self) -> None:
        return None


@contextmanager
def workers(python: str) -> Iterator[tuple[dict[str, Worker], dict[str, str]]]:
    """The contestants' processes, peers run by `python`, and the reasons of absent ones."""
    module = ["-m", "benchmarks.train.worker"]
    found: dict[str, Worker] = {}
    absent: dict[str, str] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        makers: dict[str, Callable[[], Worker]] = {
            OURS: lambda: Worker([sys.executable, *module, "seegrad"]),
            **{name: partial(Worker, [python, *module, peer]) for name, peer in PEERS.items()},
            LIMIT: lambda: LimitWorker([str(limit.build(folder))]),
        }
        for name, make in makers.items():
            try:
                found[name] = make()
            except (OSError, limit.CompileError) as error:
                absent[name] = str(error)
            else:
                stack.callback(found[name].close)
        yield found, absent


def versions(python: str) -> str:
    """The peers' packages installed in `python`, with versions."""
    try:
        command = [python, "-c", ASK_VERSIONS, *PACKAGES]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return f"no answer from {python}"
    return ", ".join(done.stdout.splitlines()) or "no packages"


def compete(task: Task, contestants: Mapping[str, Worker]) -> dict[str, Result]:
    """The results of all contestants on a task, measured in alternating turns."""
    results = {name: Result() for name in contestants}
    turns = {}
    for name, worker in contestants.items():
        try:
            turns[name] = _prepare(task, worker, results[name])
        except Refusal as reason:
            results[name].absent = str(reason)
    for number in range(ROUNDS):
        for name, (steps, rounds) in turns.items():
            if number < rounds and not results[name].absent:
                try:
                    results[name].times.append(contestants[name].train(steps) / steps)
                except Refusal as reason:
                    results[name].absent = str(reason)
    return results


def agree(results: Iterable[Result]) -> float:
    """The largest relative difference of two losses after equal steps; nan if one is nan.

    The contestants' own losses are included.
    """
    by_steps: dict[int, list[float]] = {}
    for result in results:
        for steps, figure in result.losses.items():
            by_steps.setdefault(steps, []).append(figure)
        if result.own is not None:
            by_steps.setdefault(PARITY, []).append(result.own)
    if not all(isfinite(figure) for figures in by_steps.values() for figure in figures):
        return nan
    return max(((max(x) - min(x)) / max(map(abs, x)) for x in by_steps.values()), default=0.0)


def _prepare(task: Task, worker: Worker, result: Result) -> tuple[int, int]:
    """Record the losses of the first steps; returns the steps per turn and the number of turns."""
    worker.start(task)
    first = worker.train(1)
    result.losses[1] = worker.loss(task)
    if first > SLOW:
        result.times.append(first)
        return 1, 0
    worker.train(PARITY - 1)
    result.losses[PARITY] = worker.loss(task)
    result.own = worker.own_loss()
    steps, unit = 0, worker.start(task)
    took = 0.0
    while took < TURN / 4:
        steps = max(unit, 4 * steps)
        took = worker.train(steps)
    each = took / steps
    steps = max(unit, round(TURN / each / unit) * unit)
    return steps, max(1, min(ROUNDS, int(PATIENCE / (steps * each))))

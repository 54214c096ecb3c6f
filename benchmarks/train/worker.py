"""A contestant in its own process: `python -m benchmarks.train.worker numpy_plain`.

Reads one command per line and replies with one line:

    start T2     ->  ready 1, with the minimum number of steps per call, or
                     missing jax, with the missing package
    train 100    ->  the processor time of 100 steps in seconds
    parameters   ->  the current parameters, separated by spaces
    loss         ->  the loss on all rows as computed by the contestant, or unknown

Errors are reported as `failed` with the reason.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from benchmarks.train.tasks import TASKS


@dataclass(frozen=True, slots=True)
class Training:
    """A started task: `train(n)` performs n more steps."""

    train: Callable[[int], None]
    parameters: Callable[[], list[float]]
    unit: int = 1
    loss: Callable[[], float] | None = None


def serve(peer: str) -> None:
    """Execute commands until the end of input."""
    training: Training | None = None
    for line in sys.stdin:
        command, *words = line.split()
        try:
            if command == "start":
                gc.collect()  # the previous task
                module = importlib.import_module(f"benchmarks.train.peers.{peer}")
                training = module.start(TASKS[words[0]])
                print(f"ready {training.unit}", flush=True)
            elif training is not None:
                print(_answer(training, command, words), flush=True)
        except Exception as error:
            print(excuse(error), flush=True)


def excuse(error: Exception) -> str:
    """The reply to a failed command."""
    package = (getattr(error, "name", None) or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and package not in ("engine", "benchmarks"):
        return f"missing {package}"
    return f"failed {type(error).__name__}: {error}".replace("\n", " ")


def _answer(training: Training, command: str, words: list[str]) -> str:
    if command == "train":
        steps = int(words[0])
        began = process_time()
        training.train(steps)
        return repr(process_time() - began)
    if command == "parameters":
        return " ".join(repr(float(p)) for p in training.parameters())
    if command == "loss":
        return "unknown" if training.loss is None else repr(float(training.loss()))
    raise ValueError(f"unknown command {command!r}")


if __name__ == "__main__":
    serve(sys.argv[1])

"""One contestant in a process of its own: `python -m benchmarks.train.worker numpy_plain`.

It reads commands, one a line, and answers each with one line:

    start T2     ->  ready 1, the least number of steps that it trains at a time
                     missing jax, the package that it lacks
    train 100    ->  the seconds that 100 steps took
    parameters   ->  all of them at this step, with spaces between
    loss         ->  the loss on all rows, as the contestant itself computes it, or unknown

Whatever goes wrong is answered with `failed` and the reason.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from benchmarks.train.tasks import TASKS


@dataclass(frozen=True, slots=True)
class Training:
    """A task under way: `train(n)` does n steps more and returns when they are done."""

    train: Callable[[int], None]
    parameters: Callable[[], list[float]]
    unit: int = 1
    loss: Callable[[], float] | None = None


def serve(peer: str) -> None:
    """Answer commands until the input ends."""
    training: Training | None = None
    for line in sys.stdin:
        command, *words = line.split()
        try:
            if command == "start":
                gc.collect()  # what is left of the task before
                module = importlib.import_module(f"benchmarks.train.peers.{peer}")
                training = module.start(TASKS[words[0]])
                print(f"ready {training.unit}", flush=True)
            elif training is not None:
                print(_answer(training, command, words), flush=True)
        except Exception as error:
            print(excuse(error), flush=True)


def excuse(error: Exception) -> str:
    """The answer to a command that went wrong."""
    package = (getattr(error, "name", None) or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and package not in ("engine", "benchmarks"):
        return f"missing {package}"
    return f"failed {type(error).__name__}: {error}".replace("\n", " ")


def _answer(training: Training, command: str, words: list[str]) -> str:
    if command == "train":
        steps = int(words[0])
        began = perf_counter()
        training.train(steps)
        return repr(perf_counter() - began)
    if command == "parameters":
        return " ".join(repr(float(p)) for p in training.parameters())
    if command == "loss":
        return "unknown" if training.loss is None else repr(float(training.loss()))
    raise ValueError(f"there is no command {command!r}")


if __name__ == "__main__":
    serve(sys.argv[1])

"""One figure of the kernel, in its own process: `python -m benchmarks.train.kernel seek`.

Prints the samples as JSON, in milliseconds unless noted. The network is TrainSpec's default unless
noted.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, sleep
from typing import Any

from benchmarks.train.tasks import TASKS
from engine.kernel import Run
from engine.training.spec import TrainSpec

LONG = 100_000
ENDLESS = 10**9
SEEKS = 60
GRIDS = 60
SIDE = 100
ROUNDS = 7
TURN = 0.25  # seconds
TICK = 0.001  # seconds


def _milliseconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return (perf_counter() - began) * 1000


def _long_run(steps: int = ENDLESS) -> Run:
    return Run(TrainSpec(steps=steps))


def _first(spec: dict[str, Any]) -> list[float]:
    return [_milliseconds(lambda: Run(TrainSpec.from_json(spec)).advance(1))]


def first_step() -> list[float]:
    """From plain data to the end of the first step, in a fresh process."""
    return _first(TrainSpec().to_json())


def first_step_wide() -> list[float]:
    """The same for task T4, the largest network."""
    return _first(TASKS["T4"].spec(100))


def seek() -> list[float]:
    """Seeking to random steps in a finished run."""
    run, chance = _long_run(LONG), random.Random(0)
    run.advance(LONG)
    return [_milliseconds(lambda: run.seek(chance.randrange(LONG + 1))) for _ in range(SEEKS)]


Points = tuple[tuple[float, float], ...]


def _points() -> Points:
    side = [-1.5 + 4 * i / (SIDE - 1) for i in range(SIDE)]
    return tuple((x, y) for y in side for x in side)


def _mapped(work: Callable[[Run, Points], object]) -> list[float]:
    """The duration of `work` at fixed points, with a training step before each repetition."""
    run, points = _long_run(), _points()
    work(run, points)
    found = []
    for _ in range(GRIDS):
        run.advance(10)
        found.append(_milliseconds(lambda: work(run, points)))
    return found


def grid() -> list[float]:
    """The output at 100 × 100 points."""
    return _mapped(Run.grid)


def shades() -> list[float]:
    """Every neuron's activation at 100 × 100 points, as bytes for pictures."""
    return _mapped(Run.shades)


def both() -> list[float]:
    """Two runs in two threads: their steps per second relative to a single run's."""
    runs = [_long_run(), _long_run()]
    runs[0].advance(1000)
    steps = int(TURN * 1e6 / _milliseconds(lambda: runs[0].advance(1000)))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda run: run.advance(steps), runs))
        return [
            2
            * _milliseconds(lambda: runs[0].advance(steps))
            / _milliseconds(lambda: list(pool.map(lambda run: run.advance(steps), runs)))
            for _ in range(ROUNDS)
        ]


async def _longest_pause(work: Callable[[], object]) -> float:
    """The longest pause of the event loop while `work` runs in a thread."""
    task = asyncio.create_task(asyncio.to_thread(work))
    longest, last = 0.0, perf_counter()
    while not task.done():
        await asyncio.sleep(TICK)
        now = perf_counter()
        longest, last = max(longest, now - last), now
    await task
    return longest * 1000


def pause() -> list[float]:
    """The event loop's longest pause while a run trains in a thread."""
    run = _long_run()
    run.advance(1000)
    steps = int(TURN * 1e6 / _milliseconds(lambda: run.advance(1000)))
    return [asyncio.run(_longest_pause(lambda: run.advance(steps))) for _ in range(ROUNDS)]


def idle() -> list[float]:
    """The same while the thread sleeps: the baseline of the machine."""
    return [asyncio.run(_longest_pause(lambda: sleep(TURN))) for _ in range(ROUNDS)]


FIGURES: dict[str, Callable[[], list[float]]] = {
    work.__name__: work
    for work in (first_step, first_step_wide, seek, grid, shades, both, pause, idle)
}

if __name__ == "__main__":
    print(json.dumps(FIGURES[sys.argv[1]]()))

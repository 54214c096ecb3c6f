"""Figures of Seegrad's kernel besides throughput, each from its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.report import NO_GOAL, AtLeast, Goal, spread
from benchmarks.train.rounds import ROOT


@dataclass(frozen=True, slots=True)
class Figure:
    """A function of `kernel`, the number of processes to run it in, and a goal."""

    says: str
    measure: str
    goal: Goal | AtLeast | None
    processes: int = 1
    counts: Callable[[Sequence[float]], float] = median


FIGURES = (
    Figure("from spec to first step, new process, ms", "first_step", Goal(20), 5),
    Figure("the same with T4, ms", "first_step_wide", Goal(20), 5),
    Figure("any step of a run of 100,000, ms", "seek", Goal(50)),
    Figure("output at 100 × 100 points, ms", "grid", Goal(1)),
    Figure("maps of all 33 neurons at 100 × 100 points, ms", "shades", Goal(1)),
    Figure("two runs in two threads, × the steps of one alone", "both", AtLeast(1.7)),
    Figure("event loop's longest pause (the largest counts), ms", "pause", Goal(20), 1, counts=max),
    Figure("the same while nothing trains, ms", "idle", None),
)


def rows() -> Iterator[Sequence[str]]:
    """A row for each figure: median and range, goal, and whether it is met."""
    for figure in FIGURES:
        try:
            samples = [x for _ in range(figure.processes) for x in _apart(figure.measure)]
        except subprocess.CalledProcessError as error:
            yield figure.says, f"failed: {_last_line(error.stderr)}", *NO_GOAL
            continue
        goal = figure.goal.words(figure.counts(samples)) if figure.goal else NO_GOAL
        yield figure.says, spread(samples), *goal


def _apart(measure: str) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.train.kernel", measure]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    samples: list[float] = json.loads(done.stdout)
    return samples


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]

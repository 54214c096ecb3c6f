"""Generated exercises: the same for ever, easy by hand, and right against central differences."""

import hashlib
import math
import re

import pytest

from engine.exercise.exercise import exercise
from engine.exercise.generator import LEVELS, MOST_SEED, Fresh, fresh
from engine.exercise.judging import RIGHT, judge
from engine.exercise.known import known
from engine.exercise.task import Task
from engine.numbers import short
from engine.trace.build import trace
from tests.support.each import for_each

SEEDS = range(200)
STEP = 1e-5
NAMES = {"tanh": math.tanh, "relu": lambda x: max(x, 0.0), "__builtins__": {}}


def measured(program: str) -> dict[str, float]:
    """The derivative of L by each name, by central differences of the program in CPython."""
    moved = re.sub(r"^(\w) = (.*)$", r"\1 = (\2) + h['\1']", program, flags=re.MULTILINE)
    code = compile(moved, "exercise", "exec")
    defined = re.findall(r"^(\w) =", program, flags=re.MULTILINE)

    def output(name: str, by: float) -> float:
        space = {**NAMES, "h": dict.fromkeys(defined, 0.0) | {name: by}}
        exec(code, space)  # noqa: S102  # of our own text, on purpose in CPython
        return float(space["L"])  # type: ignore[arg-type]

    return {name: (output(name, STEP) - output(name, -STEP)) / (2 * STEP) for name in defined}


def is_easy(difficulty: int, found: Fresh, data: list[float]) -> bool:
    """Whether an exercise has small numbers of few digits, and is of its difficulty."""
    level = LEVELS[difficulty]
    uses = [arg for step in found.steps for arg in step.args]
    return (
        all(0 < abs(x) <= 60 for x in data)
        and all(round(x, 1) == x for x in found.leaves.values())
        and ("tanh" in level.needs or all(abs(round(x, 2) - x) < 1e-9 for x in data))
        and len(found.steps) == level.operations
        and (len(uses) > len({*uses})) == level.reuse
    )


@pytest.mark.parametrize("difficulty", LEVELS)
def test_every_generated_exercise_is_easy_and_solved_by_measured_gradients(difficulty: int) -> None:
    for seed in SEEDS:
        found = fresh(difficulty, seed)
        asked = exercise(trace(found.program), Task())
        assert is_easy(difficulty, found, [node.data for node in asked.trace.nodes])
        slopes = measured(found.program)
        done: list[str] = []
        for question in asked.questions:
            slope = slopes[asked.name(question.node)]
            assert question.answer == pytest.approx(slope, rel=1e-4, abs=1e-4), (seed, question)
            typed = short(question.answer)
            assert 0 < abs(question.answer) <= 60
            assert judge(asked, question, typed, known(asked, done)).outcome == RIGHT
            done.append(question.key)
        assert {asked.name(question.node) for question in asked.questions} == {*slopes} - {"L"}


def test_students_get_different_programs() -> None:
    for difficulty in LEVELS:
        programs = {fresh(difficulty, seed).program for seed in SEEDS}
        assert len(programs) > 0.9 * len(SEEDS)


def test_same_seed_gives_the_same_exercise_for_ever() -> None:
    assert fresh(1, 0).program == "a = -3.0\nb = 5.0\nc = 2.0\np = a*b\nL = p + c"
    text = "\n\n".join(fresh(d, seed).program for d in LEVELS for seed in SEEDS)
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == "7957cce21c955198ed7c4d5f20a0d0b5bfbdbce0a2ff2fc647055ca1bca65154"


@for_each(("difficulty", "seed"), [(0, 1), (6, 1), (3, -1), (3, MOST_SEED + 1)])
def test_others_are_refused(difficulty: int, seed: int) -> None:
    with pytest.raises(ValueError, match="no exercise"):
        fresh(difficulty, seed)

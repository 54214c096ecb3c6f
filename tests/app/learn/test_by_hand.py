"""Backward passes by hand: solutions are right by measured slopes, slips are named line by line."""

from __future__ import annotations

import math

import pytest

from app.learn.by_hand.exercises import EXERCISES, ByHandExercise
from app.learn.by_hand.judge import CHANGED, judged
from app.learn.tasks import LineVerdict
from app.settings import from_environment
from engine.program import Program
from tests.support.each import for_each
from tests.support.pages import client
from tests.support.pages import read as parsed

STEPS = (1e-5, -1e-5)
LIMITS = from_environment({}).limits
each = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES.keys())


def verdicts(exercise: ByHandExercise, text: str) -> list[LineVerdict]:
    found = judged(exercise, text, LIMITS)
    assert not isinstance(found, str), found
    return found


@each
def test_solution_is_right_and_nothing_else_is(exercise: ByHandExercise) -> None:
    assert all(it.is_right for it in verdicts(exercise, exercise.program(solved=True)))
    assert not any(it.is_right for it in verdicts(exercise, exercise.program()))
    for line in exercise.lines:
        solved = exercise.program(solved=True)
        own = f"{line.name} = {line.right}"
        wrong = solved.replace(own, f"{own} + 1")
        found = {it.name: it for it in verdicts(exercise, wrong)}
        assert not found[line.name].is_right, line.name


@each
def test_solution_is_that_of_measured_slopes(exercise: ByHandExercise) -> None:
    """Of the loss along the first number of each array."""
    solved = exercise.program(solved=True)
    for line in exercise.lines:
        of = line.name.removeprefix("d")
        head, _, rest = f"\n{exercise.forward.strip()}".partition(f"\n{of} = ")
        body, _, after = rest.partition("\n")
        nudged = f"{of} = np.array({body})\n{of}[(0,) * {of}.ndim] +="
        texts = [f"import numpy as np\n{head}\n{nudged} {h}\n{after}\nprint(loss)" for h in STEPS]
        up, down, slope = (
            float(Program(text, LIMITS).run().printed[-1])
            for text in (*texts, f"{solved}\nprint({line.name}.flatten()[0])")
        )
        assert math.isclose((up - down) / 2e-5, slope, rel_tol=1e-4, abs_tol=1e-6), line.name


@for_each(
    ("slug", "right", "wrong", "name", "words"),
    [
        ("product", "x.T @ dy", "(dy.T @ x)", "dW", "transpose"),
        ("ten", "dp / total + dtotal", "dp / total", "de", "more than once"),
        ("ten", "db1 = dz.sum(axis=0)", "db1 = dz.mean(axis=0)", "db1", "Mean in place of sum"),
        ("ten", "dh * (1 - h**2)", "dh * (1 - z**2)", "dz", "derivative"),
    ],
)
def test_slip_is_named(slug: str, right: str, wrong: str, name: str, words: str) -> None:
    exercise = EXERCISES[slug]
    text = exercise.program(solved=True)
    assert text.count(right) == 1
    found = {it.name: it for it in verdicts(exercise, text.replace(right, wrong))}
    assert words.lower() in found[name].says.lower()


def test_what_cannot_be_judged_says_why() -> None:
    exercise = EXERCISES["product"]
    for text, words in (
        (exercise.program().replace("y**2", "y"), CHANGED),
        ("", CHANGED),
        (exercise.program(solved=True).replace("x.T @ dy", "x @ dy"), "Line 10"),
        (exercise.program().replace("dy = None", "dy = "), "Line 9"),
    ):
        found = judged(exercise, text, LIMITS)
        assert isinstance(found, str)
        assert words in found


def test_page_judges_by_forms_and_keeps_its_answers() -> None:
    site, exercise = client(), EXERCISES["ten"]
    html = site.get("/learn/by-hand/ten").text
    for line in exercise.lines:
        assert f"{line.name} = {line.right}" not in html
        assert line.hint not in html
    page = parsed(site.post("/learn/by-hand/ten", data={"program": exercise.program()}).text)
    assert page.one("div", class_="not-yet").text == "0 of 11 lines are right."
    text = exercise.program(solved=True)
    page = parsed(site.post("/learn/by-hand/ten", data={"program": text}).text)
    assert page.one("div", class_="right").text.startswith("Every line is right.")
    for act, words in (("hint", "labels"), ("show", "-onehot / n")):
        form = {"program": exercise.program(), "act": act}
        assert (
            words
            in parsed(site.post("/learn/by-hand/ten", data=form).text).one("div", id="reply").text
        )
    hostile = exercise.program() + "\nraise ValueError('<script>x</script>')"
    assert "<script>x" not in site.post("/learn/by-hand/ten", data={"program": hostile}).text
    assert site.get("/learn/by-hand/nope").status_code == 404

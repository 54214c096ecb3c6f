"""Exercises of the debugger: mistakes are refused on hidden programs, fixed classes pass."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from app.learn import checks
from app.learn.fixing.exercises import EXERCISES, FixExercise
from app.learn.fixing.judge import HIDDEN, judged
from app.learn.fixing.right_class import RIGHT
from app.main import create_app
from engine.program import Program

each = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES.keys())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app()) as made:
        yield made


def cpython(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@each
def test_a_mistake_is_refused_and_its_fix_passes(exercise: FixExercise) -> None:
    assert RIGHT.count(exercise.right) == 1
    wrong, right = judged(exercise.program), judged(exercise.solution)
    assert wrong.right < len(HIDDEN)
    assert wrong.fault
    assert (right.right, right.fault) == (len(HIDDEN), "")


@each
def test_its_program_prints_in_cpython_what_it_prints_here(exercise: FixExercise) -> None:
    wrong, right = cpython(exercise.program), cpython(exercise.solution)
    assert wrong != right  # the program shows the mistake
    assert Program(exercise.program).run().printed == wrong
    assert Program(exercise.solution).run().printed == right


@each
def test_the_answer_is_not_in_the_page(exercise: FixExercise, client: TestClient) -> None:
    text = client.get(f"/learn/fix/{exercise.slug}").text
    assert exercise.right.strip().replace('"', "&#34;") not in text
    assert not any(hint in text for hint in (*exercise.hints, exercise.said))


@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("print(1)", "no `class Value`"),
        ("class Value(Value):\n    pass", "no `class Value`"),
        ("class Value:\n    pass", "stops in a hidden program"),
        (RIGHT.replace("import math", "import math\nx = = 2"), "stops in line 2"),
        (RIGHT + "\nwhile True:\n    pass", "stops in"),
        (RIGHT + "\nprint('= hidden program =')", ""),
        (RIGHT + "\n# a mark in a comment", ""),
        ("", "no `class Value`"),
    ],
)
def test_other_texts(text: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SECONDS", 0.7)  # all are taken up by what never ends
    found = judged(text)
    assert found.is_right == (not says)
    assert says in found.fault


def test_a_class_is_checked_without_scripts(client: TestClient) -> None:
    exercise = next(iter(EXERCISES.values()))
    address = f"/learn/fix/{exercise.slug}"
    page = client.post(address, data={"program": exercise.program, "act": "check"})
    assert "Not yet." in page.text
    assert "<textarea" in page.text
    fixed = client.post(
        address, data={"program": exercise.solution, "act": "check"}, headers={"hx-request": "true"}
    )
    assert f"Right on all {len(HIDDEN)}." in fixed.text
    assert "<html" not in fixed.text
    hinted = client.post(address, data={"program": "", "act": "hint", "hints": "1"})
    assert hinted.text.count('class="hint"') == 2
    shown = client.post(address, data={"program": "", "act": "show"})
    assert exercise.right.strip() in shown.text
    form = {"program": exercise.program, "act": "debugger"}
    explore = client.post(address, data=form, follow_redirects=False)
    assert explore.status_code == 303
    assert explore.headers["location"].startswith("/?program=")
    assert client.post("/learn/fix/nothing", data=form).status_code == 404


def test_a_text_that_looks_like_a_number_of_a_lesson_is_escaped(client: TestClient) -> None:
    text = RIGHT.replace("self.grad = 1.0", "raise ValueError('[[<b>bold</b>]]')")
    page = client.post("/learn/fix/no-seed", data={"program": text}).text
    reply = page[page.index('id="reply"') :]
    assert "ValueError" in reply
    assert "<b>bold" not in reply

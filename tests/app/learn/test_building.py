"""The reader's engine: right and wrong submissions of each piece, and the last task from pieces."""

import ast
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.learn import checks, course
from app.learn.building import moons
from app.learn.building.assembly import assembled, left_to_us, started
from app.learn.building.judge import judged
from app.learn.building.own_states import own_steps
from app.learn.building.pieces import MARK, definitions, marked, with_piece
from app.learn.building.stage import ENGINE, ORDER, STAGES, BuildingStage
from app.learn.lesson import LessonPiece
from app.learn.states import States
from app.learn.subjects import GraphNumbers
from app.main import create_app
from app.settings import from_environment
from tests.support.each import for_each

MISTAKES = tomllib.loads(Path("tests/data/engine-mistakes.toml").read_text("utf-8"))
WRONG = [(STAGES[slug], row) for slug, rows in MISTAKES.items() for row in rows]
each_stage = pytest.mark.parametrize("stage", STAGES.values(), ids=ORDER)
BY_HAND = """
import math, random

class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad = data, 0.0
        self._prev, self._op = set(_children), _op
        self._backward = lambda: None
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, visited = [], set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()
    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"
"""
"""An engine as a lecture writes it, up to `backward`; its inputs are in a set."""


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app()) as made:
        yield made


@each_stage
def test_the_right_piece_passes(stage: BuildingStage) -> None:
    found = judged(stage, stage.engine)
    assert (found.right, found.says) == (found.programs, "")
    assert found.programs >= (500 if stage.is_whole else len(stage.checks))


def test_each_stage_has_ten_wrong_submissions() -> None:
    assert {slug: len(rows) for slug, rows in MISTAKES.items()} == dict.fromkeys(ORDER, 10)


@for_each(("stage", "row"), WRONG, ids=[f"{it.slug}-{row['says'][:20]}" for it, row in WRONG])
def test_a_wrong_piece_is_refused_with_its_thought(
    stage: BuildingStage, row: dict[str, str]
) -> None:
    assert row["from"] in stage.engine
    found = judged(stage, stage.engine.replace(row["from"], row["to"], 1))
    assert not found.is_right
    assert found.right < found.programs
    assert row["says"] in f"{found.says} {found.mistake}".replace("\\", "")


@pytest.mark.usefixtures("sandboxed")
def test_other_texts_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SECONDS", 0.7)  # all are taken up by what never ends
    stage = STAGES["backward"]
    for text, says in (
        ("", "no program yet"),
        ("x = 1", "stops in"),
        ("class Value:\n    x = = 2\n", "stops in line 2"),
        (f"{stage.engine}\nwhile True:\n    pass\n", "more than 0.7 seconds"),
        (f"{stage.engine}\nprint('= hidden program = [1]')\n", ""),
        (f"{stage.engine}\nimport json\njson.dumps = lambda *a: '[]'\n", "stops in"),
    ):
        assert says in judged(stage, text).says
    begun = time.process_time()
    judged(stage, f"{stage.engine}\nwhile True:\n    pass\n# again\n")
    assert time.process_time() - begun < 4  # it is not run again to be judged, for up to 5 s


@each_stage
def test_who_leaves_a_piece_out_gets_ours_marked_so(stage: BuildingStage) -> None:
    skipped = left_to_us(stage, STAGES[ORDER[0]].engine)
    assert judged(stage, skipped).is_right
    found = assembled(skipped, ORDER[: stage.number])
    assert found.text == skipped
    if stage.number > 1:
        assert found.ours[-1] == stage.slug
        assert found.yours == (ORDER[0],)
        assert MARK in skipped


def test_pieces_are_put_into_a_text_whose_rest_stays() -> None:
    text = "# mine\nclass Value:\n    pass\n\n\ndef other():\n    return 1\n"
    once = with_piece(text, STAGES["value"].right, is_ours=True)
    assert once.startswith("# mine\nclass Value:\n    # Seegrad's piece\n    def __init__")
    assert once.endswith("def other():\n    return 1\n")
    assert marked(once) == {"Value.__init__", "Value.__repr__"}
    assert with_piece(once, STAGES["value"].right, is_ours=True) == once
    assert with_piece(once, "class Value:\n    def __repr__(self): pass", is_ours=False) == once
    assert with_piece("class :", STAGES["value"].right, is_ours=True) == "class :"
    assert definitions("def f(): pass").keys() == {"f"}
    begun = started(STAGES["functions"], BY_HAND)
    ast.parse(begun)  # it is Python
    assert "def exp(self):\n        pass" in begun
    assert "_children=()" in begun  # what was there stays


def test_a_lecturers_engine_goes_on_from_where_it_is() -> None:
    assert judged(STAGES["backward"], BY_HAND).is_right
    found = assembled(BY_HAND)
    assert found.yours == ("value", "operations", "gradients", "backward")
    assert judged(STAGES["loop"], found.text).is_right


@pytest.mark.usefixtures("sandboxed")
def test_the_last_task_trains_the_two_moons_from_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every piece is put into a text that has only those before; then the whole is trained."""
    text = ""
    for stage in STAGES.values():
        begun = started(stage, text)
        text = with_piece(begun, stage.right, is_ours=True) if stage.starter else stage.engine
        text = text.replace(f"    {MARK}\n", "").replace(f"{MARK}\n", "")
    run = moons.trained(assembled(text).text)
    assert assembled(text).ours == ()
    assert (run.fault, run.parameters, len(run.losses)) == ("", 33, sum(moons.CHUNKS))
    assert run.right == moons.SAMPLES
    assert run.losses[-1] < run.losses[0] / 50
    assert run.losses == pytest.approx(_in_cpython(text), rel=1e-9)
    assert [it.step for it in run.maps] == [0, 10, 40, 80]
    assert all(len(it.cells) == moons.ACROSS * moons.DOWN for it in run.maps)
    monkeypatch.setattr(moons, "SECONDS", 0.5)
    for bad, says in ((f"{text}\ndef train(*a):\n    while True: pass", "0.5 s"), ("", "ended")):
        assert says in moons.trained(bad).fault


def _in_cpython(engine: str) -> list[float]:
    xs, ys = moons.samples()
    lines = moons.LINES.replace("random.seed", "import random; random.seed")
    program = f"{engine}\nxs, ys = {xs}, {ys}\n{lines}\nprint(losses)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    return [float(x) for x in done.stdout.strip("[]\n").split(", ")]


def test_the_readers_lines_stand_beside_those_of_pytorch() -> None:
    mine = ENGINE.replace("p.grad = 0.0", "p.grad = 0").replace(
        "loss.backward()", "loss.backward() # !"
    )
    rows = {row.idea: row for row in moons.side_by_side(mine)}
    assert rows["backward"].yours == "    loss.backward() # !"
    assert rows["zero"].yours == "    for p in model.parameters():\n        p.grad = 0"
    assert rows["update"].torch == "    optimizer.step()"
    assert all(row.yours.strip() and row.torch.strip() for row in rows.values())


def test_lessons_are_drawn_by_the_readers_engine_with_the_same_numbers() -> None:
    states = States(from_environment())
    drawn: dict[str, int] = {}
    for slug in ("accumulate", "order", "mlp"):
        lesson = course.lessons()[slug]
        for own in own_steps(states, lesson, ENGINE):
            ours = states.shown(lesson, lesson.steps[own.step - 1].state).subject
            theirs = own.shown.subject
            assert isinstance(ours, GraphNumbers)
            assert isinstance(theirs, GraphNumbers)
            assert theirs.trace.program.startswith(("import", "class Value"))
            assert theirs.number("output", None) == pytest.approx(ours.number("output", None))
            assert own.engine.ours == ()
            drawn[slug] = drawn.get(slug, 0) + 1
    assert drawn == {"accumulate": 7, "order": 6, "mlp": 6}
    wrong = ENGINE.replace("self.grad += out.grad", "self.grad = out.grad")
    lesson = course.lessons()["accumulate"]
    fixed = next(own_steps(states, lesson, wrong))
    assert set(fixed.engine.ours) >= {"gradients"}  # a wrong piece gives way to ours


def test_every_piece_is_asked_for_in_its_lesson() -> None:
    asked = [
        (lesson.slug, part.stage)
        for lesson in course.lessons().values()
        for step in lesson.steps
        for part in step.parts
        if isinstance(part, LessonPiece)
    ]
    assert asked == [(stage.lesson, stage.slug) for stage in STAGES.values()]


@each_stage
def test_the_answer_is_not_in_the_page(stage: BuildingStage, client: TestClient) -> None:
    text = unescape(client.get(f"/learn/engine/{stage.slug}").text)
    assert stage.right not in text
    assert not any(hint in text for hint in (*stage.hints, stage.said))
    own = stage.right.split("def _backward():")[1:] if stage.slug == "functions" else []
    assert not any(line.strip().split("\n")[0] in text for line in own)


def test_the_pages_work_without_scripts(client: TestClient) -> None:
    overview = client.get("/learn/engine")
    assert overview.status_code == 200
    assert all(f'href="/learn/engine/{slug}"' in overview.text for slug in (*ORDER, "moons"))
    stage = STAGES["gradients"]
    address = f"/learn/engine/{stage.slug}"
    wrong = stage.engine.replace("self.grad += other.data", "self.grad += self.data")
    page = client.post(address, data={"program": wrong, "act": "check"})
    assert "Times <em>swaps</em>" in page.text
    assert '<img src="/graph.svg?' in page.text
    assert "self.data * out.grad" in page.text  # what was sent stays in the field
    right = client.post(address, data={"program": stage.engine, "act": "check"})
    assert f"Right on all {len(stage.checks)}." in right.text
    assert 'formaction="/learn/engine/backward"' in right.text
    begun = client.post(
        "/learn/engine/backward", data={"program": stage.engine, "act": "start"}
    ).text
    assert "def backward(self):\n        pass" in unescape(begun)
    hinted = client.post(address, data={"program": "", "act": "hint", "hints": "1"})
    assert hinted.text.count('class="hint"') == 2
    shown = client.post(address, data={"program": "", "act": "show"})
    assert "other.data * out.grad" in shown.text
    skipped = client.post(address, data={"program": "", "act": "skip"}).text
    assert MARK in unescape(skipped)
    file = client.post(address, data={"program": stage.engine, "act": "download"})
    assert file.headers["content-disposition"] == 'attachment; filename="engine.py"'
    assert file.text == stage.engine
    long = client.post(address, data={"program": "#" * 30_000, "act": "check"})
    assert "longer than 20,000 letters" in long.text
    for path in ("/learn/engine/nothing", "/learn/nothing/own"):
        assert client.post(path, data={"program": ""}).status_code == 404


def test_the_last_task_is_a_page_too(client: TestClient) -> None:
    assert "Train it" in client.get("/learn/engine/moons").text
    page = client.post("/learn/engine/moons", data={"program": STAGES["powers"].engine}).text
    assert "40 of 40 points are right" in page
    assert "Seegrad’s pieces in it: exp, tanh and log" in page
    assert "optimizer.zero_grad()" in page
    part = client.post(
        "/learn/engine/moons", data={"program": "1 / 0"}, headers={"hx-request": "true"}
    )
    assert "The program ended before the training did" in part.text
    assert "<html" not in part.text


def test_the_pictures_of_a_lesson_are_asked_for_with_the_engine(client: TestClient) -> None:
    found = client.post("/learn/chain-rule/own", data={"program": STAGES["backward"].engine}).json()
    assert found["steps"].keys() == set("1234567")
    assert found["ours"] == ["Powers, minus and plain numbers"]
    assert client.get(found["steps"]["2"]["address"]).status_code == 200
    assert client.post("/learn/chain-rule/own", data={"program": ""}).json()["steps"] == {}

"""Programs that are stopped: the last finished scene is shown, with all that was printed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.program import Limits, Program, ProgramError
from engine.recording import Recording
from engine.sandbox.run import SandboxOutcome
from engine.trace.build import trace

LIMITS = Limits(seconds=0.3)
SCENES = """
a = Value(2.0)
for i in range(3):
    a.grad = 0.0
    L = a * i
    L.backward()
    print("turn", i)
"""
OWN = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents
        self.push = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def push():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.push = push
        return out
    def backward(self):
        self.grad = 1.0
        self.push()
a = Value(2.0)
t = 0
while True:
    a.grad = 0.0
    L = a * Value(0.5)
    L.backward()
    a.data -= 0.001 * a.grad
    t += 1
    print(t)
"""
ENDLESS = {
    "a loop": "while True: pass",
    "recursion": "def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)\nfib(60)",
    "one operation of C": "sum(range(2**31 - 1))",
    "an exception that is caught": "while True:\n    try: 1/0\n    except: pass",
    "memory": "kept = []\nwhile True: kept.append([0.0] * 100_000)",
    "one list": "kept = [0.0] * 2**29",
}


@pytest.mark.parametrize("is_judged", [False, True])
@pytest.mark.parametrize("rest", ENDLESS.values(), ids=ENDLESS)
def test_the_last_finished_scene_and_all_output_are_kept(rest: str, is_judged: bool) -> None:
    run = Program(SCENES + rest, LIMITS).run(is_judged=is_judged)
    assert run.stopped is not None
    assert run.notes[0] == run.stopped
    assert run.stopped.message.startswith("The program was stopped: it takes more ")
    assert "Shown is its last recorded scene, L.backward(), line 6, turn 3." in run.stopped.message
    assert list(run.printed) == ["turn 0", "turn 1", "turn 2"]
    assert [scene.id for scene in run.scenes] == [1, 2, 3]
    assert run.stage is not None
    drawn = {value.label: value.data for value in run.stage.backward.order}
    assert drawn == {"a": 2.0, "L": 4.0, "i": 2.0}


@pytest.mark.parametrize("rest", ENDLESS.values(), ids=ENDLESS)
def test_without_a_scene_the_reason_and_the_output_are_told(rest: str) -> None:
    with pytest.raises(
        ProgramError, match=r"stopped: it takes more than 0\.3 seconds|^MemoryError$"
    ) as e:
        Program(f'print("so far")\n{rest}', LIMITS).run()
    assert e.value.printed == ("so far",)


def test_an_endless_training_is_judged_at_the_last_turn_that_it_finished() -> None:
    shown = trace(OWN, limits=Limits(seconds=0.5, recorded=5_000))
    assert shown.stopped is not None
    assert shown.verdict is not None
    assert 0 < shown.verdict.checked == shown.verdict.right
    turns = shown.scenes[-1].id
    assert turns > 100
    assert len(shown.scenes) == turns
    assert shown.printed[:3] == ("1", "2", "3")
    found = Program(OWN.replace("while True", f"for _ in range({turns})"), Limits()).run()
    expected = 2.0
    for _ in range(turns - 1):
        expected -= 0.001 * 0.5
    assert found.stage is not None
    output = next(node.data for node in shown.nodes if node.id == shown.output)
    assert output == found.stage.backward.order[-1].data
    assert output == pytest.approx(expected * 0.5, rel=1e-12)


def test_all_that_judges_a_stopped_program_ends_with_the_scene_that_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endings: list[str] = []
    outcome = Recording._outcome

    def counted(*asked: Any) -> SandboxOutcome:
        found = outcome(*asked)
        endings.append(found.ending)
        return found

    monkeypatch.setattr(Recording, "_outcome", counted)
    wrong = OWN.replace("other.grad += self.data", "other.grad += other.data")
    shown = trace(wrong, limits=Limits(seconds=0.5, recorded=5_000))
    assert shown.verdict is not None
    assert [x.kind for x in shown.verdict.mistakes] == ["wrong_partial"]
    assert shown.verdict.mistakes[0].fix is not None
    assert endings[0] == "time"
    assert len(endings) > 3
    assert set(endings[1:]) == {"returned"}


def test_a_program_that_ends_in_time_but_cannot_be_judged_in_time_is_shown_unjudged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = SandboxOutcome("time", None, "", (("scene", "3"), ("ended", "")), 5.0)
    first, others = iter([ended]), Recording._outcome
    monkeypatch.setattr(Recording, "_outcome", lambda *asked: next(first, None) or others(*asked))
    shown = trace(OWN.replace("while True", "for _ in range(3)"))
    assert shown.stopped is None
    assert shown.verdict is None
    assert shown.printed == ("1", "2", "3")
    assert shown.notes[0].message == (
        "The gradients are not judged: with that it takes more than 5 seconds."
    )


def test_one_without_any_scene_is_shown_unjudged_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = SandboxOutcome("time", None, "", (("ended", ""),), 5.0)
    first, others = iter([ended]), Recording._outcome
    monkeypatch.setattr(Recording, "_outcome", lambda *asked: next(first, None) or others(*asked))
    shown = trace("class A: pass\na = A()\na.grad = 0.0\nb = 2.0\nc = b * 3\nprint(c)")
    assert shown.printed == ("6.0",)
    assert shown.notes[0].message.startswith("The gradients are not judged")


def test_a_program_that_raises_memory_error_has_failed() -> None:
    with pytest.raises(ProgramError, match=r"^MemoryError$") as e:
        Program("x = 2.0\nraise MemoryError").run()
    assert e.value.line == 2


def test_output_that_floods_stops_nothing_but_itself() -> None:
    run = Program(SCENES + 'for _ in range(20_000): print("x" * 1_000)').run()
    assert run.stopped is None
    assert len(run.printed) == 2_000
    assert "Only the first 2,000 lines of output are kept." in run.notes[-1].message

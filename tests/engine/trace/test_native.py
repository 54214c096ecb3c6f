"""Programs that run in the caller's Python are traced as those in the sandbox are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import seegrad
from engine.program import ProgramError, UnknownLeaf
from engine.trace import record, record_file, trace
from tests.support.places import DATA

pytestmark = pytest.mark.usefixtures("sandboxed")

SEEDS = DATA / "seeds"
ALIKE = (
    "1_value_third_version.py", "2_training_with_classes.py", "3_value_class_test.py",
    "3_test_and_torch.py", "4_value_class_test.py",
)  # fmt: skip
SEEDED = "import random\nrandom.seed(3)\n"
"""Without a seed, numbers are drawn anew each time, as ever in the caller's Python."""
WRONG = (SEEDS / "3_value_class_test.py").read_text("utf-8").replace(
    "other.grad += self.data * out.grad", "other.grad += other.data * out.grad"
)  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_the_trace_is_that_of_the_sandbox(name: str) -> None:
    text = SEEDED + (SEEDS / name).read_text("utf-8")
    here, there = record(text), trace(text)
    assert here.frames == there.frames
    assert here.nodes == there.nodes
    assert here.printed == there.printed
    assert here.scenes == there.scenes
    assert [mistake.kind for mistake in here.mistakes] == [m.kind for m in there.mistakes]
    assert (here.verdict is None) == (there.verdict is None)


def test_a_wrong_class_is_found() -> None:
    found = record(WRONG).verdict
    assert found is not None
    assert found.points == 1
    assert found.right < found.checked
    assert found.mistakes


def test_a_program_runs_once_and_may_do_what_its_caller_may(tmp_path: Path) -> None:
    file = tmp_path / "runs.txt"
    text = f"with open({str(file)!r}, 'a') as f: f.write('x')\n{WRONG}"
    assert record(text).nodes
    assert file.read_text() == "x"


def test_leaves_and_scenes_can_be_chosen() -> None:
    text = "a = Value(2.0)\nfor k in range(3):\n    L = a * k\n    L.backward()\n"
    assert record(text, {"a": 5.0}).nodes[-1].data == 10.0
    assert record(text, scene=2).nodes[-1].data == 2.0
    with pytest.raises(UnknownLeaf):
        record(text, {"nope": 1.0})


def test_a_file_runs_as_a_script(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("def three():\n    return 3.0\n")
    (tmp_path / "torch.py").write_text("name = 'the real one'\n")
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nimport torch\nfrom beside import three\n"
        "a = Value(three())\nL = a * float(sys.argv[1])\nL.backward()\n"
        "print(torch.name, sys.argv[0] == __file__, __name__, len(sys.argv))\n"
    )
    before = list(sys.argv), list(sys.path)
    try:
        shown = record_file(program, ["4"])
    finally:
        for name in ("beside", "torch"):
            sys.modules.pop(name, None)
    assert shown.printed == ("the real one True __main__ 2",)
    assert {node.label: (node.data, node.grad) for node in shown.nodes if node.label} == {
        "a": (3.0, 4.0),
        "L": (12.0, 1.0),
    }
    assert (sys.argv, sys.path) == before


def test_errors_are_the_program_s() -> None:
    with pytest.raises(ProgramError, match="ZeroDivisionError: division by zero") as caught:
        record("a = 1\nprint('so far')\na / 0")
    assert (caught.value.line, caught.value.printed) == (3, ("so far",))
    with pytest.raises(KeyboardInterrupt):
        record("raise KeyboardInterrupt")


def test_the_first_line_says_where_a_program_runs() -> None:
    for function in (seegrad.record, seegrad.record_file):
        assert "in the caller's own Python" in (function.__doc__ or "").partition("\n")[0]
    assert "in the sandbox" in (seegrad.trace.__doc__ or "").partition("\n")[0]

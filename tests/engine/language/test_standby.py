"""The code of a program that is run again gives what a program that was just read gives."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.explore.examples import EXAMPLES
from engine.language import standby
from engine.program import Program, ProgramError, Run
from engine.trace.build import trace
from tests.support.corpus import entries

STATEFUL = {
    "variables": "a = 2.0\nb = a*3\nif b < 7: z = 1.0\nprint(z)",
    "random numbers": "import random\na = 2.0\nb = a*random.random()\nprint(b, random.random())",
    "seeded": "random.seed(3)\na = 1.5\nn = MLP(2, [2, 1])\ny = n([a, 2.0])\ny.backward()",
    "arrays": "import numpy as np\nnp.random.seed(1)\na = 2.0\nL = a*np.random.randn(2, 2)[0, 0]",
    "tensors": "import torch\ntorch.manual_seed(0)\na = torch.tensor(2.0, requires_grad=True)\n"
    "L = (a*torch.randn(1)).sum()\nL.backward()\nprint(a.grad)",
    "micrograd": "from micrograd.engine import Value\na = Value(2)\nL = a*a + 3\nL.backward()\n"
    "print(a, L)",
    "gradients": "a = Value(2.0)\nL = a*a\nL.grad = 1.0\nL._backward()\nprint(a.grad)",
    "a line without an end": "a = 2.0\nL = a*a\nprint(L, end='')",
    "a deleted name": "a = 2.0\nL = a*a\nb = L\ndel b\nL",
    "a notebook": "# In[1]:\na = 2.0\na*a\n# In[2]:\nL = a*3",
}
TEXTS = [*((e.slug, e.program) for e in EXAMPLES), *((e.name, e.text) for e in entries()[::4])]


def is_straight(text: str) -> bool:
    try:
        return len(text) <= standby.LENGTH and Program(text).source.is_straight
    except ProgramError:
        return False


STRAIGHT = STATEFUL | {name: text for name, text in TEXTS if is_straight(text)}


def outcome(program: Program, leaves: dict[str, float]) -> object:
    """All that a trace says, with the operations that the run took, or the refusal."""
    try:
        found = trace(program, leaves).to_json()
    except ProgramError as error:
        return error.sentences, error.span, error.printed
    return found, program.operations


def moved(text: str) -> list[dict[str, float]]:
    """The program as it is, with its first leaf elsewhere, and as it is again."""
    try:
        defaults = Program(text).defaults()
    except ProgramError:
        return [{}, {}]
    return [{}, *({key: x + 0.5} for key, x in list(defaults.items())[:1]), {}]


@pytest.mark.parametrize("name", STRAIGHT)
def test_every_run_is_like_one_that_is_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = STRAIGHT[name]
    program = Program(text)
    found = [outcome(program, leaves) for leaves in moved(text)]
    monkeypatch.setattr(standby, "LENGTH", -1)
    assert found == [outcome(Program(text), leaves) for leaves in moved(text)]


def test_run_after_one_that_failed() -> None:
    program = Program("a = 2.0\nprint(a)\nL = 1/(a - 3)")
    assert program.run().printed == ["2.0"]
    with pytest.raises(ProgramError, match="ZeroDivisionError"):
        program.run({"a": 3.0})
    run = program.run({"a": 5.0})
    assert run.printed == ["5.0"]
    assert run.output is not None
    assert run.output.data == 0.5


def test_results_of_a_run_outlast_the_next_one() -> None:
    program = Program("a = 2.0\nL = a*a\nprint(L)")
    program.run()
    before, after = program.run({"a": 3.0}), program.run({"a": 4.0})
    assert squares(before) == (["9.0"], 9.0)
    assert squares(after) == (["16.0"], 16.0)


def test_threads_that_share_a_program() -> None:
    program = Program("a = 2.0\nL = a*a\nprint(L)")

    def square(i: int) -> bool:
        return squares(program.run({"a": float(i)})) == ([str(float(i * i))], float(i * i))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(square, range(1, 400)))


def squares(run: Run) -> tuple[list[str], float]:
    assert run.output is not None
    return run.printed, run.output.data

"""Files of one's own pasted one after the other: what they import of each other is in the text."""

from __future__ import annotations

from engine.program import Program
from engine.trace.build import trace
from tests.support.each import for_each
from tests.support.programs import printed, refusal

ENGINE = """\
class Value:
    def __init__(self, data):
        self.data = data
    def __mul__(self, other):
        return Value(self.data * other.data)
    def __repr__(self):
        return f"mine {self.data}"

def square(x):
    return x * x
"""
USE = "print(square(Value(3.0)))\n"


@for_each(
    "line",
    [
        "from engine import Value, square",
        "from .engine import Value, square",
        "from src.engine import *",
        "def f():\n    from engine import Value\n    return Value(2.0)\nprint(f())",
        "import engine\nprint(engine.Value(2.0), engine.square(Value(2.0)))",
    ],
)
def test_an_imported_name_is_the_class_or_function_that_stands_above(line: str) -> None:
    assert set(printed(f"{ENGINE}{line}\n{USE}")) <= {"mine 9.0", "mine 2.0", "mine 2.0 mine 4.0"}
    assert printed(f"{ENGINE}{line}\n{USE}")[-1] == "mine 9.0"


def test_a_name_that_stands_nowhere_is_the_built_in_one_or_refused() -> None:
    run = Program(f"{ENGINE}from engine import Neuron, Adam\nn = Neuron(2)").run()
    assert "Neuron comes from engine here" in run.notes[0].message
    assert refusal(f"{ENGINE}from engine import Adam\nAdam()").hint.startswith(
        "engine.Adam is not here"
    )


def test_the_networks_of_a_module_that_has_no_own_class_are_told_of_as_before() -> None:
    notes = trace("from engine import *\na = Value(2.0)\nb = a * 3").notes
    assert notes[0].message.startswith("engine is not here; Value, Neuron, Layer and MLP are")


def test_a_python_file_written_by_a_cell_is_part_of_the_program() -> None:
    cell = f"# %%\n%%writefile engine.py\n{ENGINE}\n# %%\nfrom engine import Value, square\n{USE}"
    assert printed(cell) == ["mine 9.0"]


def test_another_file_written_by_a_cell_is_none() -> None:
    assert printed("# %%\n%%writefile notes.txt\nit's no Python\n# %%\nprint(1)") == ["1"]

"""Traces read from their JSON again."""

import pytest

from engine.trace import record
from engine.trace.from_json import NoTraceError, read
from engine.trace.trace_json import write
from tests.support.each import for_each
from tests.support.own_class import CLASS

PROGRAMS = {
    "values": "a = Value(2.0)\nL = (a * a + 1).tanh()\nL.backward()\nprint(a.grad)",
    "network": "from seegrad import MLP\nn = MLP(2, [3, 1])\nfor _ in range(2):\n"
    "    y = n([1.0, -2.0])\n    y.backward()",
    "own class": f"{CLASS}\na = Value(2.0)\nb = a * a + a\nb.backward()",
    "not finite": "x = Value(0.0)\ny = x / 0.0\ny.backward()",
    "array": "import numpy as np\na = np.array([Value(1.0), Value(2.0)])\ny = (a * a).sum()",
}


@for_each("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_read_is_written_as_it_was(program: str) -> None:
    text = write(record(program))
    assert write(read(text)) == text


@for_each("text", ["", "[]", "{}", "null", "[" * 100_000, '{"nodes": {}}'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NoTraceError):
        read(text)

"""Work without an end and memory without a bound: both are stopped."""

from __future__ import annotations

import pytest

from engine.language.functions import BUILTINS
from engine.language.machine import LIST_LENGTH, NOTES, TEXT_LENGTH
from engine.language.program import Limits, Program, ProgramError
from engine.trace.build import trace
from tests.support.programs import finished, marked, printed, refusal

ENDLESS = {
    "unpacking a long range": "a, b = range(1000000000)",
    "unpacking in a loop": "for a, b in [range(1000000000)]:\n    pass",
    "unpacking into a star": "a, *b = range(1000000000)",
    "comparing deep lists": "a = b = [0]\nfor i in range(60): a = [a, a]; b = [b, b]\nc = a == b",
    "a wide tuple of sizes": "m = MLP(3, (100000, 100000))",
    "a range of sizes": "m = MLP(3, range(1, 10000000))",
    "a huge layer": "n = 10000000\nm = Layer(1, n)",
    "many networks": "for i in range(30000):\n    m = MLP(100, [99])",
    "lists by *": "xs = []\nfor i in range(25000):\n    xs.append([0] * 20000)",
    "lists by slices": "xs = []\nz = [0] * 20000\nfor i in range(20000):\n    xs.append(z[:])",
    "long texts": f"s = '{'x' * 8000}'\nxs = [s] * 20000\nprint([xs] * 10)",
    "texts of a network": "m = MLP(1, [3000, 1])\nfor i in range(60000):\n    str(m)",
    "texts by *": "s = 'ab' * 100000000",
    "texts by +": "s = 'ab'\nfor i in range(100):\n    s = s + s",
    "loops in loops": "for i in range(10**6):\n    for j in range(10**6):\n        pass",
    "a comprehension": "x = [0 for i in range(10**9)]",
    "comprehensions in one": "x = [0 for i in range(10**5) for j in range(10**5) if i > j]",
    "a sum": "x = sum(range(10**9))",
    "a zip": "x = zip(range(10**9), range(10**9))",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "recursion twice": "def f(n):\n    return f(n - 1) + f(n - 1) if n > 0 else 1\ny = f(24)",
    "printing": "for i in range(1000):\n    print(i)",
    "printing many lines at once": "print('\\n' * 1900)",
    "a network in itself": "m = MLP(2, [2])\nm.layers.append(m)\ny = m([1, 2])",
    "classes in a loop": (
        "for i in range(60000):\n  class Neuron:\n    def __init__(self):\n"
        f"      x = [{'1,' * 5000}]"
    ),
    "defaults in a loop": (
        f"def f({','.join(f'a{i}=0' for i in range(1000))}):\n  return 1\n"
        "for i in range(60000): f()"
    ),
    "many named arguments": f"def f(a): return a\nf({','.join(f'a{i}=0' for i in range(101))})",
    "many arguments of a method": f"x = Value(1.0)\nx.tanh({'1,' * 101})",
    "a wide zip": f"x = range(20000)\nz = zip({'x,' * 100})",
    "long seeds": f"for i in range(50000):\n  random.seed('{'x' * 8000}')",
    "long texts by a format": f"s = '{'x' * 1900}'\nfor i in range(60000): f'{{s:s}}' == 1",
    "options of a network": "a = [0]\nfor i in range(60): a = [a, a]\nNeuron(2, activation=a)",
    "numbers without an end": f"x = []\nx.append({'9' * 308})\nx.append(sum(x + x))",
    "a list in itself": "a = [1]\na.append(a)\nb = [1]\nb.append(b)\nc = a == b",
}  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_work_without_an_end_is_stopped(text: str) -> None:
    refusal(text)


def test_nothing_can_be_repeated_any_number_of_times() -> None:
    assert printed(f"print([] * {10**25}, [''*{10**25}], [1] * -{10**25})") == ["[] [''] []"]


def test_a_call_that_is_passed_over_is_named_and_not_written_out() -> None:
    notes = finished(f"for i in range(9): show([{'1,' * 7000}]).x()").notes
    assert [note.message.split(" is ")[0] for note in notes] == ["show(…)", "show(…).x(…)"]
    (note,) = finished("plt.a.show([1, 2])").notes
    assert note.message.startswith("plt.a.show(…) is passed over")


def test_a_text_is_made_printable_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> str:
        calls.append(text)
        return text

    monkeypatch.setattr("engine.language.source.printable", counted)
    finished("for i in range(50):\n    s = 'long'")
    assert calls == ["long"]


@pytest.mark.parametrize("error", [OverflowError, ValueError, MemoryError, ZeroDivisionError])
def test_an_error_of_python_is_refused_at_its_statement(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise error

    monkeypatch.setitem(BUILTINS, "len", broken)
    caught = refusal("a = 1\nb = len([])")
    assert caught.message == "This cannot be computed here."
    assert caught.line == 2


def test_separators_of_print_are_cut_and_counted() -> None:
    text = "a = [0]\nfor i in range(60):\n    a = [a, a]\nprint(1, 2, sep=a)"
    assert len(printed(text)[0]) < 100


def test_notes_are_few() -> None:
    text = "for i in range(2000):\n    torch.Tensor([0.1 * i])"
    assert len(trace(text).notes) <= NOTES + 5


def test_the_budget_counts_the_work() -> None:
    text = "x = 1.0\nfor i in range({}):\n    x = x * 2 + 1"
    used = []
    for turns in (100, 200):
        run = finished(text.format(turns))
        used.append(Limits().operations - run.tape.left)
    assert used[0] > 100
    assert used[1] == pytest.approx(2 * used[0], rel=0.05)
    few = Limits(operations=used[0] - 1)
    with pytest.raises(ProgramError, match=f"needs more than {used[0] - 1:,} operations"):
        Program(text.format(100), few).run()
    Program(text.format(100), Limits(operations=used[0])).run()


def test_a_graph_larger_than_can_be_drawn_is_refused() -> None:
    text = "x = 1.0\nfor i in range(20):\n    x = x * x"
    assert len(Program(text, Limits(values=21)).run().backward.order) == 21
    with pytest.raises(ProgramError, match=r"The graph has 21 Values; at most 20 are drawn\."):
        Program(text, Limits(values=20)).run()


def test_a_line_is_cut() -> None:
    (line,) = printed("print([1.5] * 5000)")
    assert len(line) == TEXT_LENGTH + 1
    assert line.endswith("…")


def test_lists_have_an_end() -> None:
    assert len(finished(f"x = [0] * {LIST_LENGTH}").env.names["x"]) == LIST_LENGTH
    longer = f"x = [0] * {LIST_LENGTH + 1}"
    assert marked(longer, refusal(longer)) == longer[4:]

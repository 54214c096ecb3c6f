"""Work without an end and memory without a bound: both are stopped."""

from __future__ import annotations

import pytest

from engine.language.output import NOTES
from engine.language.plain import unlink
from engine.program import Limits, Program, ProgramError
from engine.trace.build import trace
from engine.value import Value
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
    "printing": "while True:\n    print(1)",
    "a while loop": "while True: pass",
    "a generator": "def g():\n    while True: yield 1\nlist(g())",
    "iterators of itertools": "import itertools\nsum(itertools.count())",
    "an iterator in a comparison": "import itertools\nprint(5.5 in itertools.count())",
    "an iterator in a call": "import itertools\nprint(*itertools.repeat(1))",
    "a large power": "x = 3\nfor i in range(60):\n    x = x * x",
    "wide formats": "print(f'{1:{10**9}}')",
    "wide formats by %": "print('%*d' % (10**9, 1))",
    "centred texts": "'a'.center(10**9)",
    "joined texts": "s = 'a' * 10**5\nwhile True: s = s.join(['b'] * 10**4)",
    "replaced texts": "s = 'a' * 10**5\nwhile True: s = s.replace('a', 'aa')",
    "doubled lists": "x = [1]\nwhile True: x += x",
    "doubled tuples": "x = (1,)\nwhile True: x = x + x",
    "a dict of dicts": "d = {}\nwhile True: d = {1: d, 2: [d] * 1000}",
    "a growing set": "s = set()\nwhile True: s.add(len(s))",
    "hashes of deep tuples": "t = ()\nfor i in range(60): t = (t, t)\nhash(t)",
    "objects": "class A: pass\nx = []\nwhile True: x.append(A())",
    "classes": "x = []\nwhile True:\n    class A: pass\n    x.append(A)",
    "equality without an end": (
        "class A:\n    def __eq__(self, o): return self == o\nA() in [A()]"
    ),
    "attributes without an end": (
        "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\nA().x"
    ),
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
    "numbers without an end": f"x = []\nx.append({'9' * 308})\nwhile True: x.append(sum(x + x))",
    "a list in itself": "a = [1]\na.append(a)\nb = [1]\nb.append(b)\nc = a == b",
}  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_work_without_an_end_is_stopped(text: str) -> None:
    refusal(text)


def test_nothing_can_be_repeated_any_number_of_times() -> None:
    assert printed(f"print([] * {10**18}, [''*{10**18}], [1] * -{10**18})") == ["[] [''] []"]


def test_a_text_is_made_printable_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> str:
        calls.append(text)
        return text

    monkeypatch.setattr("engine.record.source.printable", counted)
    finished("for i in range(50):\n    s = 'long'")
    assert calls == ["long"]


def test_notes_are_few() -> None:
    text = "for i in range(2000):\n    torch.Tensor([0.1 * i])"
    assert len(trace(text).notes) <= NOTES + 5


def test_the_budget_counts_the_work() -> None:
    text = "x = 1.0\nfor i in range({}):\n    x = x * 2 + 1"
    used = []
    for turns in (100, 200):
        run = finished(text.format(turns))
        used.append(Limits().operations - run.left)
    assert used[0] > 100
    assert used[1] == pytest.approx(2 * used[0], rel=0.05)
    few = Limits(operations=used[0] // 2)
    with pytest.raises(ProgramError, match="turns of this loop need at least"):
        Program(text.format(100), few).run()
    Program(text.format(100), Limits(operations=used[0])).run()


def test_a_graph_larger_than_can_be_drawn_is_a_note() -> None:
    text = "x = 1.0\nfor i in range(20):\n    x = x * x\nprint(x)"
    drawn = Program(text, Limits(values=21)).run()
    assert drawn.stage is not None
    assert len(drawn.stage.backward.order) == 21
    run = Program(text, Limits(values=20)).run()
    assert run.output is None
    assert run.stage is None
    assert run.printed == ["1.0"]
    (note,) = run.notes
    assert note.message.startswith("The graph has more than 20 Values")
    assert trace(Program(text, Limits(values=20))).nodes == ()


def test_histories_are_taken_apart_link_by_link() -> None:
    a = Value(2.0)
    b = a * 3
    c = (b + 1).tanh()
    unlink([c, 4.0, None])
    assert [x.args for x in (b, c)] == [(), ()]


def test_a_line_is_cut() -> None:
    (line,) = printed("print([1.5] * 5000)")
    assert len(line) == Limits().line_length + 1
    assert line.endswith("…")


def test_lines_beyond_the_limit_are_dropped_with_a_note() -> None:
    run = finished("for i in range(3000): print(i)")
    assert run.printed == [str(i) for i in range(Limits().printed_lines)]
    assert run.notes[0].message == "Only the first 2,000 lines of output are kept."


def test_the_limits_are_those_that_are_documented() -> None:
    limits = Limits()
    assert limits.program_bytes == 64 * 1024
    assert limits.operations == 2_000_000
    assert limits.printed_lines == 2_000


@pytest.mark.parametrize(
    "text",
    ["x = [0] * 10**9", "x = 'a' * 10**9", "x = (1,) * 10**9", "x = b'a' * 10**9", "x = 2**10**9",
     "x = 1 << 10**9", "x = list(range(10**9))", "x = '%1000000000d' % 1"],
)  # fmt: skip
def test_what_is_too_large_is_refused_before_it_is_made(text: str) -> None:
    assert marked(text, refusal(text)) == text[4:]

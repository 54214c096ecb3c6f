"""Code in pasted text: what is kept, what is said of it, and when nothing is offered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.pasted.recover import RecoveredCode, recovered
from engine.pasted.table import RECOVERIES
from engine.record.source import Limits, Source
from tests.support.each import for_each

TEXTS: dict[str, tuple[str, str, list[str]]] = {
    "typographic signs": (
        "a = Value(2.0, label=“a”)\nb = a – 3\nc = b − a × 2\nprint(‘it’)  # – “so”",
        "a = Value(2.0, label=\"a\")\nb = a - 3\nc = b - a * 2\nprint('it')  # – “so”\n",
        ["Writes \" for “ and ”, ' for ‘ and ’, - for – and −, * for ×"],
    ),
    "signs in strings stay": (
        'a = 1 – 2\ns = "1 – 2"',
        'a = 1 - 2\ns = "1 – 2"\n',
        ["Writes - for –"],
    ),
    "invisible characters": (
        "a\u2009= Value(2.0)\u200b\nb = a * 3",
        "a = Value(2.0)\nb = a * 3\n",
        ["Writes plain spaces in 1 line", "Drops invisible characters from 1 line"],
    ),
    "entities": (
        "a = 2\nif a &lt; 3 &gt; 1:\n    a = 4",
        "a = 2\nif a < 3 > 1:\n    a = 4\n",
        ["Writes < > & for &lt; &gt; &amp;"],
    ),
    "bold names": (
        "class A:\n    def **init**(self):\n        self.x = 1",
        "class A:\n    def __init__(self):\n        self.x = 1\n",
        ["Writes __init__ for **init**"],
    ),
    "numbers with a colon": (
        "9: x = 3\n10: for i in range(2):\n11:     x = x*2\n12:\n13: print(x)",
        "x = 3\nfor i in range(2):\n    x = x*2\n\nprint(x)\n",
        ["Drops line numbers"],
    ),
    "numbers with spaces": (
        "1  def f(x):\n2      return x*2\n3  L = f(3)",
        "def f(x):\n    return x*2\nL = f(3)\n",
        ["Drops line numbers"],
    ),
    "numbers with a bar": (
        "12 | x = 3\n13 | y = x*2\n14 | print(y)",
        "x = 3\ny = x*2\nprint(y)\n",
        ["Drops line numbers"],
    ),
    "a difference of git": (
        ("diff --git a/v.py b/v.py\n@@ -1,3 +1,4 @@\n class V:\n     def __init__(self, data):\n"
        "-        self.x = data\n+        self.data = data\n+        self.grad = 0.0"),
        ("class V:\n    def __init__(self, data):\n        self.data = data\n"
        "        self.grad = 0.0\n"),
        ["Drops the + marks and 1 removed line"],
    ),
    "plus signs alone": (
        "+ def f(x):\n+     return x*2\n+ print(f(2.0))",
        "def f(x):\n    return x*2\nprint(f(2.0))\n",
        ["Drops the + marks"],
    ),
    "a session in prose": (
        ("First we make a value:\n\n>>> a = Value(2.0)\n>>> a\nValue(data=2.0)\n\n"
        "Then we use it in a loop:\n\n>>> for i in range(2):\n...     print(i)\n...\n0\n1"),
        "# %%\na = Value(2.0)\na\n\n# %%\nfor i in range(2):\n    print(i)\n",
        [
            "Keeps 2 pieces of code, 4 lines; leaves out 2 lines of text",
            "Drops >>> and ... prompts, and 3 lines of output",
        ],
    ),
    "numbered prompts": (
        "So this is what I typed:\n\nIn [3]: a = 2\n   ...: b = a*3\n\nIn [4]: print(b)\n6",
        "a = 2\nb = a*3\n\nprint(b)\n",
        [
            "Keeps 1 piece of code, 3 lines; leaves out 2 lines of text",
            "Drops In [ ] and ...: prompts",
        ],
    ),
    "tabs among spaces": (
        "def f(x):\n\ty = x*2\n    return y\nL = f(3)",
        "def f(x):\n    y = x*2\n    return y\nL = f(3)\n",
        ["Writes four spaces for each tab"],
    ),
    "flattened code": (
        "def f(x):\nif x > 0:\nreturn x\nelse:\nreturn -x\nfor k in range(2):\nprint(f(k))",
        ("def f(x):\n    if x > 0:\n        return x\n    else:\n        return -x\n"
        "for k in range(2):\n    print(f(k))\n"),
        ["Restores the indentation of 5 lines; check it"],
    ),
    "a forum's answer": (
        ("You forgot to reset it. Try this:\n\n    w = Value(0.5)\n    for k in range(3):\n"
        "        L = w*w\n\nHope that helps you, good luck!"),
        "w = Value(0.5)\nfor k in range(3):\n    L = w*w\n",
        ["Keeps 1 piece of code, 3 lines; leaves out 2 lines of text"],
    ),
    "fences, flattened inside": (
        ("Here is the loop we want:\n```python\nfor i in range(3):\nprint(i)\n```\nIt prints\n"
        "```\n0\n```\n"),
        "for i in range(3):\n    print(i)\n",
        [
            "Keeps 1 piece of code, 2 lines; leaves out 7 lines of text",
            "Restores the indentation of 1 line; check it",
        ],
    ),
    "several at once": (
        ("Copy the code “as is” and see:\n\n1 | >>> def f(x):\n2 | ... return x – 2\n"
        "3 | >>> print(f(3))"),
        "def f(x):\n    return x - 2\nprint(f(3))\n",
        [
            "Keeps 1 piece of code, 3 lines; leaves out 1 line of text",
            "Writes - for –",
            "Drops line numbers",
            "Drops >>> and ... prompts",
            "Restores the indentation of 1 line; check it",
        ],
    ),
    "output and prose behind code": (
        ("a = Value(2.0)\nb = a*3\nbValue(data=6.0)\nThat is the whole of it.\n"
        "print(b)And so it goes on here."),
        "# %%\na = Value(2.0)\nb = a*3\nb\n\n# %%\nprint(b)\n",
        ["Keeps 2 pieces of code, 4 lines; leaves out 1 line of text"],
    ),
}  # fmt: skip


@for_each("name", TEXTS)
def test_code_is_kept_and_the_changes_are_told(name: str) -> None:
    text, program, says = TEXTS[name]
    found = kept(text)
    assert found.text == program
    assert list(found.says) == says


def test_each_recovery_that_a_text_can_need_by_itself_is_tried() -> None:
    used = {name for text, _, _ in TEXTS.values() for name in kept(text).names}
    assert {recovery.name for recovery in RECOVERIES} - used == {"methods", "excerpts", "future"}


def kept(text: str) -> RecoveredCode:
    """What is kept of a text of which something is."""
    found = recovered(text)
    assert found is not None
    return found


REFUSED = (
    "a = Value(2.0)\nb = a *\nc = b + 1",  # being typed
    "print(a",
    "def f(x):",
    "x = [1, 2\ny = 3",
    "if x is not None and y\n    y = 2",
    "2a",
    "a = 1\nL = a b c",
    "f(x) = x**2",
    "hello there my friend",
    "This is prose. It has – as prose does – no code at all, and goes on for a while.",
    "Author\nPublished\n- data: the number\nNote: important\nreturn home, said the function",
)


@for_each("text", REFUSED)
def test_a_mistake_of_ones_own_and_mere_prose_bring_no_offer(text: str) -> None:
    assert recovered(text) is None


@for_each(
    "text", ["a = 2\nL = a*3", ">>> a = 2\n>>> a*3\n6", "```\na = 2\n```\nand more words here"]
)
def test_a_text_that_is_read_anyway_is_left_alone(text: str) -> None:
    assert recovered(text) is None


def test_the_preview_begins_with_the_first_line_that_changes() -> None:
    rows = kept("a = 1\nb = 2\nfor i in range(3):\nprint(i)\n\nc = 3").rows
    assert rows[0] == ("changed", 4, 4, "    print(i)")
    rows = kept("One line of prose.\nAnd one more line.\n\na = 1\nb = 2").rows
    assert [(row.kind, row.numbers) for row in rows] == [
        ("left-out", "1–3"), ("kept", "4"), ("kept", "5"),
    ]  # fmt: skip


LINE = st.sampled_from([
    "class A:", "def f(self, x):", "    return x", "x = 1", "(", ")", '"""', "+ y = 2", "- z",
    "@@ -1 +1 @@", ">>> x", "... y", "In [1]: x", "Out[1]: 2", "1 x = 2", "2 y = (", "```",
    "```python", "some prose is here", "\tx = 3", "else:", "try:", "except E:", "if x:",
    "for k in x:", "“x” – y", "@a", "# %%", "x\\", "lambda: 0", "f(x)And so on",
    "from __future__ import annotations", "...", "",
])  # fmt: skip


@given(st.lists(LINE, max_size=12).map("\n".join) | st.text(max_size=80))
def test_whatever_is_kept_is_a_program(text: str) -> None:
    found = recovered(text)
    if found is not None:
        assert Source(found.text, Limits()).tree.body
        assert found.says

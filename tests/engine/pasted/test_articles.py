"""Whole tutorials as web pages give them: prose around code whose indentation is lost."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from engine.pasted.recover import RecoveredCode, recovered
from tests.support.each import for_each
from tests.support.places import DATA
from tests.support.programs import finished, printed

SEEDS = DATA / "seeds"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SEEDS / "expected.json").read_text("utf-8"))
PROGRAMS = {
    path.name: path.read_text("utf-8")
    for folder in (SEEDS, DATA / "tutorials")
    for path in sorted(folder.glob("*.py"))
}
AMBIGUOUS = {"max_margin_unseeded.py"}
"""Programs whose last line could as well be the last one of the loop above it."""
PROSE = (
    "A Value is a number that remembers how it was made — and that is all we need.",
    "Now we add the next piece. It’s the one that computes gradients:",
    "- data: the number itself, as a float",
    "Try it and see what it prints. The graph has one node for each operation.",
)


def flat(text: str) -> str:
    """Code without its indentation and blank lines, as it is copied from many a page."""
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def article(pieces: list[str], glue: str = "\n") -> str:
    """Prose between pieces of code."""
    parts = [f"{PROSE[i % len(PROSE)]}\n{piece}" for i, piece in enumerate(pieces)]
    return f"{glue.join(parts)}\n{PROSE[-1]}\n"


def kept(text: str) -> RecoveredCode:
    """What is kept of a text of which something is."""
    found = recovered(text)
    assert found is not None
    return found


def is_flattened_only(name: str) -> bool:
    """Whether a program is no Python without its indentation."""
    try:
        ast.parse(flat(PROGRAMS[name]))
    except SyntaxError:
        return True
    return False


@for_each("name", [name for name in PROGRAMS if is_flattened_only(name) and name not in AMBIGUOUS])
def test_indentation_is_restored_as_the_author_wrote_it(name: str) -> None:
    found = kept(flat(PROGRAMS[name])).text
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(PROGRAMS[name]))


@for_each("name", ["2_all_assembled.py", "3_all.py", "4_all.py"])
def test_an_article_prints_what_its_author_saw(name: str) -> None:
    pieces = re.split(r"\n\n(?=\S)", PROGRAMS[name].strip())
    found = kept(article([flat(piece) for piece in pieces]))
    assert found.names[0] in ("text", "signs")
    assert f"{len(pieces)} pieces" in found.says[0]
    lines = iter(finished(found.text).printed)
    document = EXPECTED[name]
    for exact in document["printed"]:
        if exact is not None:
            assert any(line == exact for line in lines), exact


METHODS = """\
A class that wraps a number, to begin with.
+ class Value:
+ def __init__(self, data, _children=()):
+ self.data = data
+ self._prev = set(_children)
+
+ def __repr__(self):
+ return f"Value(data={self.data})"
Now we add the addition of two of them.
class Value:
def __init__(self, data, _children=()):
self.data = data
self._prev = set(_children)
+ def __add__(self, other):
+ out = Value(self.data + other.data, (self, other))
+ return out
Try it with two small numbers first.
a = Value(2.0)
b = Value(3.0)
print(a + b)
After that a plain number may stand there too.
def __add__(self, other):
+ other = other if isinstance(other, Value) else Value(other)
out = Value(self.data + other.data, (self, other))
...
+ def __radd__(self, other):
+ return self + other
Try it with a number on the left now.
print(1 + a)
The wrong way to write it would be this one:
self.grad = out.grad
"""


def test_methods_come_into_their_class_and_excerpts_become_comments() -> None:
    found = kept(METHODS)
    assert printed(found.text) == ["Value(data=5.0)", "Value(data=3.0)"]
    assert "Puts 2 methods into the class above" in found.says
    assert found.text.count("class Value:") == 1
    assert found.text.count("def __add__") == 1
    assert found.text.count("return out") == 1  # the line that `...` stands for
    assert found.text.endswith(
        "# Not run, since nothing in the text sets out, self:\n# self.grad = out.grad\n"
    )


def test_imports_from_the_future_come_first() -> None:
    pieces = ["x = 2", "from __future__ import annotations\ny = x*2\nprint(y)"]
    found = kept(article(pieces))
    assert found.text.startswith("from __future__ import annotations\n")
    assert printed(found.text) == ["4"]
    found = kept("x = 2\nfrom __future__ import annotations\nprint(x)")
    assert found.says == ("Moves from __future__ to the top",)
    assert printed(found.text) == ["2"]


def test_a_call_that_prose_speaks_of_is_no_code() -> None:
    text = article(["a = Value(2.0)\ndef f(n):\nreturn n*2\nprint(f(a))"])
    found = kept(f"{text}f(n)\ncalls the function with it once more.")
    assert found.text == "a = Value(2.0)\ndef f(n):\n    return n*2\nprint(f(a))\n"

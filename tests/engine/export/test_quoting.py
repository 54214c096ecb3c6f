"""What a visitor types stays text in every export: it is read back, and nothing of it is code."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from engine.export.exports import EXPORTS, export
from engine.export.notebook import notebook
from engine.graph_export import exports as graph_exports
from engine.graph_export.exports import GRAPH_EXPORTS
from engine.python_text import escaped, literal, one_line
from engine.trace.build import trace
from engine.training.spec import TrainSpec
from tests.support.export_runs import RUNS

pytestmark = pytest.mark.usefixtures("natively")

PIECES = (
    '"', "'", '"""', "'''", "\\", "\\\\", "\n", "\r", "\t", "\0", "\x0b", "\x0c", "\x1c", "\x7f",
    "\x85", "\u2028", "\u2029", "\u202e", "\u2066", "\ufeff", "\ufffe", "\ud800", "\udc00", "#",
    "{", "}", "{x}", "{{",
    "\\N{BULLET}", "\\x41", "\\u0041", "$", "%", "&", "_", "^", "~", "`", "<", ">",
    "|", "-", "--", "[", "]", " ", "  ", ",", ";", ":", "(", ")", "=", "x",
    "rock'n'roll", "é", "漢", "ΐ", "ª", "😀", "𝒳",
    'x"+str(__import__("os"))+"', "coding: utf-7", "\\end{document}", "\\input{x}", "%s",
)  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.characters()), max_size=8).map("".join)
names = texts.map(lambda text: "".join(filter(str.isprintable, text))[:60]).filter(bool)
few = settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])


# The one function


finite = st.floats(allow_nan=False, allow_infinity=False)
Plain = st.recursive(
    st.one_of(texts, st.booleans(), st.integers(), finite),
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(texts, inner)
    ),
    max_leaves=8,
)  # fmt: skip


@given(Plain)
def test_a_literal_is_read_back(value: object) -> None:
    text = literal(value)
    assert ast.literal_eval(text) == value
    assert text.isprintable()  # one line, without bidirectional marks or halves of a pair


@given(texts)
def test_an_escaped_text_ends_no_docstring(text: str) -> None:
    assert ast.literal_eval(f'"""{escaped(text)}"""') == text
    assert escaped(text).isprintable()


def test_what_has_no_literal_is_refused() -> None:
    with pytest.raises(TypeError):
        literal(object())


# Comparing programs


def constants(tree: ast.AST) -> list[str]:
    """The texts of a program, docstrings included, in order."""
    found = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return [text for text in found if isinstance(text, str)]


def comments(program: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(program).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def shape(program: str) -> str:
    """The tree of a program without its texts, with variables named by their order."""
    tree = ast.parse(program)
    order: dict[str, str] = {}
    bound = {x.id for x in ast.walk(tree) if isinstance(x, ast.Name) and is_bound(x)}
    bound |= {x.arg for x in ast.walk(tree) if isinstance(x, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
        if isinstance(node, ast.Name) and node.id in bound:
            node.id = order.setdefault(node.id, f"v{len(order)}")
        if isinstance(node, ast.arg):
            node.arg = order.setdefault(node.arg, f"v{len(order)}")
    return ast.dump(tree)


def is_bound(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def test_code_is_a_difference_of_shapes() -> None:
    assert shape('a = 1\nb = a + 2\nprint("x", b)') == shape('c = 1\nd = c + 2\nprint("y", d)')
    assert shape('a = ("x", "b")') != shape('a = ("x"+str(print(1))+"", "b")')
    assert shape("a = 1\nprint(a)") != shape("a = 1\nlen(a)")


# Training runs


def run(class_names: tuple[str, ...]) -> TrainSpec:
    """A run on own rows with these classes."""
    rows = tuple((float(i), -0.5, float(i)) for i in range(len(class_names)))
    sizes = (2, 2, len(class_names))
    return TrainSpec(
        data="rows", rows=rows, class_names=class_names, layers=sizes, loss="cross_entropy", steps=2
    )


classes = st.lists(names, min_size=3, max_size=10, unique=True).map(tuple)
ATTACK = ('x"+str(__import__("os").system("true"))+"', "rock'n'roll", "\"''\"")
MANY = tuple(f"{word} {i}" for i, word in enumerate(["a  b" + " c" * 20, *ATTACK] * 2))


@pytest.mark.parametrize("kind", EXPORTS)
@few
@given(classes)
@example(ATTACK)
@example(MANY)
def test_names_of_classes_stay_names(kind: str, class_names: tuple[str, ...]) -> None:
    program = export(run(class_names), kind)
    harmless = export(run(tuple(f"name {i}" for i in range(len(class_names)))), kind)
    assert shape(program) == shape(harmless)
    assert len(comments(program)) == len(comments(harmless))
    told = [text for text in constants(ast.parse(program)) if text in class_names]
    plain = [text for text in constants(ast.parse(harmless)) if text.startswith("name ")]
    for text, name in zip(class_names, (f"name {i}" for i in range(10)), strict=False):
        assert told.count(text) >= plain.count(name)
    if kind != "seegrad":
        said = ", ".join(f"class {i}: {name}" for i, name in enumerate(class_names))
        assert f"# {' '.join(said.split())}" in comments(program)


@pytest.mark.parametrize("kind", EXPORTS)
@few
@given(classes)
@example(ATTACK)
@example(MANY)
def test_the_cells_of_a_notebook_are_the_program(kind: str, class_names: tuple[str, ...]) -> None:
    program = export(run(class_names), kind)
    cells = json.loads(notebook(program))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    told = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert told == ast.get_docstring(ast.parse(program))
    whole = ast.parse(program)
    assert ast.dump(ast.parse("\n".join(code))) == ast.dump(ast.Module(whole.body[1:], []))


def of_seegrad(program: str) -> dict[str, object]:
    """The settings that a program for Seegrad gives to TrainSpec."""
    calls = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call)]
    (call,) = [x for x in calls if isinstance(x.func, ast.Name) and x.func.id == "TrainSpec"]
    return {given.arg or "": ast.literal_eval(given.value) for given in call.keywords}


@few
@given(classes)
@example(ATTACK)
@example(MANY)
def test_a_program_for_seegrad_has_the_very_settings(class_names: tuple[str, ...]) -> None:
    spec = run(class_names)
    assert TrainSpec(**of_seegrad(export(spec, "seegrad"))) == spec  # type: ignore[arg-type]


def test_every_setting_of_a_run_is_read_back() -> None:
    for name, spec in RUNS.items():
        given = of_seegrad(export(spec, "seegrad"))
        assert {*given} == {*spec.particular()}, name
        assert replace(TrainSpec(**given)) == spec, name  # type: ignore[arg-type]


# Graphs: labels, names, and lines of the program that comments quote

PROGRAMS = [name for name, entry in GRAPH_EXPORTS.items() if entry.file_name.endswith(".py")]
WRITTEN = """\
class V:
    def __init__(self, data, label=""):
        self.data, self.grad, self.label = data, 0.0, label
    def __mul__(self, other):
        out = V(self.data * other.data)
        def back():
            self.grad += {scale} * other.data * out.grad
            other.grad += self.data * out.grad
        out.back = back
        return out
a, b = V(2.0, {one}), V(5.0)
L = a * b
L.label = {other}
L.grad = 1.0
L.back()"""


def labelled(one: str, other: str) -> str:
    """A graph with a leaf and an output of these labels."""
    return f"x = Value(2.0, label={one!a})\ny = x * 3.0 + x\ny.label = {other!a}\ny.backward()"


def written(one: str, other: str) -> str:
    """A class of the program with such labels, none that an export takes for a name of its own.

    Its line with a text is quoted in a comment.
    """
    return WRITTEN.format(scale=f"(2, {one!a})[0]", one=repr(one + "a"), other=ascii(other + "b2"))


def shown(label: str) -> str:
    """A label as the exports print it: on a line of at most 60 letters."""
    line = " ".join("".join(x if x.isprintable() else " " for x in label).split())
    return line if len(line) <= 60 else line[:59] + "…"


labels = texts.map(lambda text: text[:60])


@pytest.mark.parametrize("kind", PROGRAMS)
@few
@given(labels, labels)
@example('"""', "\\")
@example('x"+str(__import__("os"))+"', '"""\nimport os\n"""')
def test_labels_stay_labels(kind: str, one: str, other: str) -> None:
    traced = trace(labelled(f"{one[:30]}a", f"{other[:30]}b"))  # not empty, and not the same
    one, other = (node.label for node in traced.nodes if node.label)
    program = graph_exports.export(traced, kind)
    harmless = graph_exports.export(trace(labelled("a", "b")), kind)
    assert shape(program) == shape(harmless)
    assert comments(program) == comments(harmless) or kind == "jax"
    assert len(comments(program)) == len(comments(harmless))
    printed = [text for text in constants(ast.parse(program)) if text in (shown(one), shown(other))]
    assert printed == [shown(other), shown(one)]
    told = " ".join((ast.get_docstring(ast.parse(program)) or "").split())
    assert f" of {shown(other)}, " in told


@cache
def harmless_shapes() -> dict[str, str]:
    """The shapes of the exports of a class with plain texts."""
    traced = trace(written("c", "d"))
    return {kind: shape(graph_exports.export(traced, kind)) for kind in PROGRAMS}


@few
@given(texts, texts)
def test_lines_of_the_program_stay_comments(one: str, other: str) -> None:
    traced = trace(written(one, other))
    for kind, expected in harmless_shapes().items():
        program = graph_exports.export(traced, kind)
        assert shape(program) == expected
        assert all(comment.isprintable() for comment in comments(program))
        if kind == "python":
            line = f"self.grad += (2, {one!a})[0] * other.data * out.grad"
            assert any(comment.endswith(one_line(line)) for comment in comments(program))


# LaTeX: every letter of a label is a letter, or one of these

TEXT = re.compile(
    r"\\(?:textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textquotedbl"
    r"|textasciigrave|textquotesingle)\{\}"
    r"|\\[{}$&#%_]|\\ensuremath\{\\[a-z]+\}|\{-\}|[A-Za-z0-9 !()*+,./:;=?@\[\]]"
)


def groups(latex: str) -> Iterator[str]:
    r"""What stands in each \text{…}."""
    for found in re.finditer(r"\\text\{", latex):
        depth, at = 1, found.end()
        while depth:
            two = latex[at : at + 2]
            if two[0] == "\\":
                at += 2
                continue
            depth += {"{": 1, "}": -1}.get(two[0], 0)
            at += 1
        yield latex[found.end() : at - 1]


@few
@given(labels, labels)
def test_labels_stay_text_in_latex(one: str, other: str) -> None:
    long = labelled(f"{one}aa", f"{other}bb")
    latex = graph_exports.export(trace(long), "latex")
    assert latex.isascii()
    found = sorted({*groups(latex)}, key=len, reverse=True)
    for text in found:
        assert not TEXT.sub("", text), text
    harmless = graph_exports.export(trace(labelled("aa", "bb")), "latex")
    title = r"(?<=gradients of ).*(?=\}\n)"
    bare = [re.sub(title, "", text) for text in (latex, harmless)]
    for text in found:
        bare[0] = bare[0].replace(rf"\text{{{text}}}", "T")
    bare[1] = re.sub(r"\\text\{\w+\}", "T", bare[1])
    plain, wanted = (text.replace(r"\left(T\right)", "T") for text in bare)
    assert plain == wanted
    (told,) = re.findall(title, latex)
    assert not TEXT.sub("", told)

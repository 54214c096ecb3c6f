"""The reference page holds a row for every row of every table."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from functools import cache

import pytest

from app import vocabulary
from app.language_reference import PARTS, PYTHON, REFUSALS, TOO_NEW, Bound, Forbidden, Topic, bounds
from app.reference import TRAINING
from app.settings import SETTINGS, TEXTS
from engine.nn import CONVENTIONS
from engine.ops import OPS
from engine.program import Limits, Program, ProgramError
from engine.stand_ins.tables import MODULES
from engine.trace.accumulation import RULES
from engine.trace.build import trace
from engine.training.spec import FIELDS, TrainSpec
from tests.support.each import for_each
from tests.support.pages import Element, Html, client, get, read


@cache
def reference() -> Html:
    """The page."""
    return get("/reference")


@cache
def rows(caption: str) -> dict[str, list[Element]]:
    """The rows of a table of the page."""
    return rows_of(reference(), caption)


def rows_of(page: Html, caption: str) -> dict[str, list[Element]]:
    """The rows of the table called so: what heads each, and its cells."""
    region = page.one("div", aria_label=caption)
    found = {}
    for row in page.within(region).all("tr"):
        cells = page.within(row).all("td")
        if cells:
            (head,) = page.within(page.within(row).one("th", scope="row")).all("code")
            found[head.text] = cells
    return found


def call(name: str) -> str:
    """How a program writes an operation on its own parameters."""
    params = OPS[name].params
    if OPS[name].is_word:
        return f"{OPS[name].called}({', '.join(params)})"
    return f"-{params[0]}" if name == "neg" else f" {name} ".join(params)


@for_each("name", OPS)
def test_every_operation_is_there(name: str) -> None:
    op = OPS[name]
    page = reference()
    formula, partials, domain, kink = rows("Operations")[call(name)]
    assert len(page.within(formula).all("math")) == 1
    assert len(page.within(partials).all("math")) == len(op.params)
    assert domain.text == (op.domain_says or "all numbers")
    assert kink.text.casefold() == (op.kink_says if op.kink else "").casefold()


def test_no_other_operation_is_there() -> None:
    assert set(rows("Operations")) == {call(name) for name in OPS}


@for_each("name", OPS)
def test_call_on_the_page_is_a_program(name: str) -> None:
    point = OPS[name].samples[0]
    made = "{} = {!r}" if OPS[name].module else "{} = Value({!r})"
    given = [made.format(param, x) for param, x in zip(OPS[name].params, point, strict=True)]
    found = trace("\n".join(["import operator", *given, f"y = {call(name)}"]))
    assert any(node.op == name for node in found.nodes)


def test_formulas_are_written_with_the_parameters() -> None:
    page = reference()
    found = rows("Operations")
    assert found["a * b"][0].text == "a·b"
    assert [e.text for e in page.within(found["a * b"][1]).all("math")] == ["∂y∂a=b", "∂y∂b=a"]
    assert found["tanh(x)"][1].text == "∂y∂x=1−y2"
    assert not [e for e in page.elements if "data-slot" in e.attributes]


def test_words_of_the_language() -> None:
    codes = {e.text for e in reference().all("code")}
    assert {*MODULES, *vocabulary.special(), *vocabulary.EXCEPTIONS} <= codes
    assert {
        "print",
        "sorted",
        "isinstance",
        "list",
        "property",
        "Value",
        "ZeroDivisionError",
    } <= codes
    assert {"math", "sqrt", "defaultdict", "partial", "gauss", "fmean", "__radd__"} <= codes


def test_built_in_names_are_there_and_mean_something() -> None:
    words = [*vocabulary.FUNCTIONS, *vocabulary.TYPES, *vocabulary.EXCEPTIONS]
    assert set(words) <= set(vars(builtins))
    run = Program(f"print([callable(it) for it in ({', '.join(words)})])").run()
    assert run.printed == [str([True] * len(words))]


def test_names_of_modules_can_be_imported() -> None:
    told = {name: words for name, words in vocabulary.modules().items() if words}
    lines = [f"from {name} import {', '.join(words)}" for name, words in told.items()]
    assert len(lines) > 60
    assert Program("\n".join(["told = print", *lines, "told('all')"])).run().printed == ["all"]


def test_modules_are_there_but_for_those_that_are_said_not_to_be() -> None:
    there = [name for name, words in vocabulary.modules().items() if not words]
    run = Program("\n".join([*(f"import {name}" for name in there), "print('all')"])).run()
    assert run.printed == ["all"]
    absent = (
        "import importlib\nmissing = []\n"
        f"for name in {vocabulary.ABSENT}:\n"
        "    try:\n        importlib.import_module(name)\n"
        "    except ImportError:\n        missing.append(name)\n"
        "print(tuple(missing))"
    )
    assert Program(absent).run().printed == [str(vocabulary.ABSENT)]
    assert set(vocabulary.ABSENT) <= set(sys.stdlib_module_names)


def test_programs_are_run_by_the_python_that_the_page_names() -> None:
    run = Program("import sys\nprint('%d.%d' % sys.version_info[:2])").run()
    assert run.printed == [PYTHON]
    assert f"CPython {PYTHON} runs programs" in reference().one("main").text


def test_what_is_newer_than_the_grammar_is_refused_and_named() -> None:
    with pytest.raises(ProgramError, match="Invalid syntax"):
        Program(TOO_NEW)
    assert TOO_NEW in [e.text for e in reference().all("code")]
    nested = "x = {'a': 1}\nprint(f'{x['a']}')"  # what 3.12 has of f-strings is read
    assert Program(nested).run().printed == ["1"]


@for_each("part", PARTS, ids=lambda part: part.name)
def test_examples_print_what_cpython_prints(part: Topic) -> None:
    done = subprocess.run(
        [sys.executable, "-c", part.program], capture_output=True, text=True, check=True
    )
    assert done.stdout
    assert Program(part.program).run().printed == done.stdout.splitlines()
    page = reference()
    region = page.within(page.one("div", aria_label="Language"))
    assert part.program in [e.text for e in region.all("pre")]


@for_each("row", REFUSALS, ids=lambda row: row.name)
def test_what_is_not_there_is_said_by_an_exception(row: Forbidden) -> None:
    with pytest.raises(ProgramError) as caught:
        Program(row.program).run()
    assert caught.value.message.startswith(row.says)
    assert caught.value.line == row.program.count("\n") + 1
    page = reference()
    region = page.within(page.one("div", aria_label="Not there"))
    assert {row.program, row.says} <= {e.text for name in ("pre", "code") for e in region.all(name)}


@for_each("row", REFUSALS, ids=lambda row: row.name)
def test_a_program_can_catch_that_something_is_not_there(row: Forbidden) -> None:
    inside = row.program.replace("\n", "\n    ")
    text = f"try:\n    {inside}\nexcept Exception:\n    print('caught')\nprint('on')"
    assert Program(text).run().printed == ["caught", "on"]


LOW = {"seconds": 0.3, "recorded": 1_000, "printed_lines": 100}


@pytest.mark.parametrize("row", bounds(LOW), ids=lambda row: row.name)
def test_bounds_are_told(row: Bound) -> None:
    limits = Limits(seconds=0.3, recorded=1_000, printed_lines=100)
    try:
        told = [note.message for note in Program(row.program, limits).run().notes]
    except ProgramError as error:
        told = [error.message]
    assert any(message.startswith(row.says) for message in told), told


def test_bounds_on_the_page_are_those_of_the_server() -> None:
    found = {row.name: row for row in bounds({row.name: row.default for row in SETTINGS})}
    assert found["Processor time"].amount == "5 s"
    assert found["Memory"].amount == "256 MB"
    assert found["Recorded numbers"].amount == "150,000"
    page = read(client(SEEGRAD_SECONDS="7", SEEGRAD_RECORDED="4321").get("/reference").text)
    cells = [
        e.text for e in page.within(page.one("div", aria_label="Bounds of a program")).all("td")
    ]
    assert {"7 s", "4,321", "256 MB"} <= set(cells)


def test_conventions() -> None:
    found = rows("Networks")
    assert set(found) == set(CONVENTIONS)
    for name, cells in found.items():
        assert cells[0].text == CONVENTIONS[name].activation
        run = Program(f"n = MLP(2, [1], convention='{name}')\nL = n([1.0, 2.0])").run()
        assert run.output is not None
        assert run.output.label == "L"


def test_the_rules_for_several_passes() -> None:
    found = rows("Gradients of several passes")
    assert {kind: cells[0].text for kind, cells in found.items()} == {
        rule.kind: rule.says for rule in RULES.values()
    }


def test_every_setting_is_there() -> None:
    found = rows("Limits")
    names = [*(row.name for row in SETTINGS), *(row.name for row in TEXTS)]
    assert list(found) == [f"SEEGRAD_{name.upper()}" for name in names]
    for row in SETTINGS:
        here, words = found[f"SEEGRAD_{row.name.upper()}"]
        assert words.text == row.help
        assert float(here.text.replace(",", "")) == row.default


def test_values_are_those_of_this_server() -> None:
    page = read(client(SEEGRAD_VALUES="1234", SEEGRAD_LAYOUT_SECONDS="0.5").get("/reference").text)
    assert rows_of(page, "Limits")["SEEGRAD_VALUES"][0].text == "1,234"
    assert rows_of(page, "Limits")["SEEGRAD_LAYOUT_SECONDS"][0].text == "0.5"


@pytest.mark.parametrize("caption", dict(TRAINING))
def test_every_choice_of_training_is_there(caption: str) -> None:
    table = dict(TRAINING)[caption]
    found = rows(caption)
    assert list(found) == list(table)
    for name, (formula, words) in found.items():
        assert formula.text == table[name].formula
        assert words.text == table[name].help


def test_every_field_of_a_spec_is_there_with_its_default() -> None:
    found = rows("Spec")
    assert list(found) == list(FIELDS)
    for name, (default, words) in found.items():
        assert TrainSpec.from_json({name: json.loads(default.text)}) == TrainSpec()
        assert words.text == FIELDS[name].help

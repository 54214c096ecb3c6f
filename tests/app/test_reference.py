"""The reference page holds a row for every row of every table."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from functools import cache

import pytest

from app.language_reference import PARTS, REFUSALS, Forbidden, Topic
from app.reference import TRAINING
from app.settings import SETTINGS, TEXTS
from engine.nn import CONVENTIONS
from engine.ops import OPS
from engine.program import Program, ProgramError
from engine.stand_ins import vocabulary
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


@for_each("name", [*vocabulary.functions(), *vocabulary.types()])
def test_built_in_names_are_there_and_mean_something(name: str) -> None:
    assert name in vars(builtins)
    assert Program(f"print(callable({name}))").run().printed == ["True"]


@for_each("module", [name for name, words in vocabulary.modules().items() if words])
def test_names_of_modules_can_be_imported(module: str) -> None:
    words = vocabulary.modules()[module]
    lines = "\n".join(f"from {module} import {word}" for word in words)
    run = Program(f"{lines}\nprint({len(words)})").run()
    assert run.printed == [str(len(words))]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_examples_print_what_cpython_prints(part: Topic) -> None:
    done = subprocess.run(
        [sys.executable, "-c", part.program], capture_output=True, text=True, check=True
    )
    assert done.stdout
    assert Program(part.program).run().printed == done.stdout.splitlines()
    page = reference()
    region = page.within(page.one("div", aria_label="Language"))
    assert part.program in [e.text for e in region.all("pre")]


@pytest.mark.parametrize("row", REFUSALS, ids=lambda row: row.name)
def test_what_is_refused_is_refused_in_words_of_ours(row: Forbidden) -> None:
    with pytest.raises(ProgramError) as caught:
        Program(f"try:\n    x = 1\nexcept Exception:\n    pass\n{row.program}").run()
    assert not caught.value.traceback, "an exception of Python's, not a refusal"


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

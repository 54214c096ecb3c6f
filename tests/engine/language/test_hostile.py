"""Programs that were written to break in, to never end or to fall over; labels that are code.

`tests/data/hostile-programs.jsonl`: `right` holds the answers that are right: "refuse", a trace
with a "warn"ing, "ok", or "nothing" that could be drawn.
"""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.language.tape import LABEL_LENGTH
from engine.record.source import printable
from engine.trace.build import trace
from engine.trace.transcript import transcript
from tests.support.hostile import answer, lines, text_of
from tests.support.programs import finished, refusal, variable

CASES = [
    pytest.param(text_of(case), case["right"], id=case["id"])
    for case in lines("hostile-programs.jsonl")
]
LABELS = [pytest.param(case["text"], id=case["id"]) for case in lines("hostile-labels.jsonl")]


@pytest.mark.parametrize(("text", "right"), CASES)
def test_a_hostile_program_gets_the_right_answer(text: str, right: list[str]) -> None:
    assert answer(text) in right


def test_no_case_is_lost() -> None:
    assert len(CASES) == 162
    assert len(LABELS) == 43


# Places and answers that the cases ask for beside


PLACES = [
    ("ESC30", 3, 3),
    ("ESC01", 1, 1),
    ("BOMB06", 1, 3),
    ("PARSE29", 1, 4),
    ("UNI02", 1, 4),
    ("UNI04", 1, 2),
    ("UNI05", 1, 9),
    ("UNI13", 1, 3),
]


@pytest.mark.parametrize(("name", "line", "column"), PLACES, ids=[place[0] for place in PLACES])
def test_the_place_is_pointed_at(name: str, line: int, column: int) -> None:
    (case,) = (case for case in lines("hostile-programs.jsonl") if case["id"] == name)
    error = refusal(text_of(case))
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("a=Value(1)/0", math.inf),
        ("a=-1/Value(0)", -math.inf),
        ("a=1/Value(-0.0)", -math.inf),
        ("a=Value(0)/0", math.nan),
        ("a=Value(0.0)**-1", math.inf),
        ("a=Value(-8)**(1/3)", math.nan),
        ("a=2**Value(1e308)", math.inf),
        ("a=exp(710)", math.inf),
        ("a=sqrt(-1)", math.nan),
        ("a=sin(exp(1000))", math.nan),
        ("a=relu(log(-1))", math.nan),
        ("a=1e308*10-1e308*10", math.nan),
        ("a=1_0e1_0*1", 1e11),
        ("a=sigmoid(-1000)", 0.0),
        ("a=tanh(1e308)", 1.0),
        ("a=9007199254740993*1.0", 2.0**53),
    ],
)
def test_numbers_beyond_floats_are_those_of_ieee_754(text: str, right: float) -> None:
    assert repr(variable(finished(text), "a").data) == repr(right)


@pytest.mark.parametrize(
    "text",
    [
        "1/0", "-1/0", "1/(-0.0)", "0/0", "0.0**-1", "0**-1", "7 // 0", "7 % 0", "2.0 ** 1e308",
        "2 ** 1e308", "10**400 * 1.0", "math.exp(710)", "math.sqrt(-1)", "math.log(0)",
        "int(math.nan)", "int(math.inf)", "float('x')", "1 << -1", "math.factorial(-1)",
        "math.gamma(0)", "round(math.inf)", "divmod(1, 0)",
    ],
)  # fmt: skip
def test_plain_numbers_raise_as_in_cpython(text: str) -> None:
    try:
        eval(text, {"math": math})  # noqa: S307  # the list above
    except ArithmeticError as error:
        right = f"{type(error).__name__}: {error}"
    except ValueError as error:
        right = f"ValueError: {error}"
    found = refusal(f"import math\na = {text}")
    assert found.message == right
    assert found.traceback[-1] == right


def test_sixty_doublings_have_sixty_one_nodes_and_an_exact_gradient() -> None:
    found = trace("x=1.0\n" + "x=x+x\n" * 60)
    assert len(found.nodes) == 61
    assert found.nodes[0].grad == 2.0**60


# Labels are text


@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_text_and_nothing_else(label: str) -> None:
    text = f"a = Value(2.0, label={label!a})\nb = a * 3\nb.label = {'b' + label!a}"
    found = trace(text)
    shown = printable(label) if label else "a"
    assert [n.label for n in found.nodes] == [shown, "", printable("b" + label)]
    written = json.loads(json.dumps(found.to_json()))
    assert written["nodes"][0]["label"] == shown
    words = " ".join(line.text for line in transcript(found))
    assert f"{shown} = 2.0" in words


@pytest.mark.parametrize("length", [1, LABEL_LENGTH, LABEL_LENGTH + 1, 5000])
def test_a_label_is_cut_at_64_characters(length: int) -> None:
    name = "x" * length
    found = trace(f"a = Value(2.0, label='{name}')\nb = a * 3\nb.label = '{name}'")
    assert LABEL_LENGTH == 64
    assert found.nodes[0].label == found.nodes[-1].label == name[:64]


@given(st.text(st.characters(), max_size=80))
def test_any_label_can_be_sent_anywhere(label: str) -> None:
    found = trace(f"a = Value(2.0, label={label!a})\nb = a * 3")
    sent = json.dumps(found.to_json(), ensure_ascii=False).encode("utf-8")
    shown = json.loads(sent)["nodes"][0]["label"]
    assert shown == (printable(label[:64]) or "a")
    assert not any(ord(c) < 32 and c not in "\t\n\r" for c in shown)

"""The card of a frame: upstream × local = contribution, with the numbers a person would compute."""

from __future__ import annotations

import math
import re

import pytest

from app.explore.explanation import card, slots, templates
from app.explore.name_tags import tag
from engine.numbers import in_equation
from engine.ops import OPS
from engine.trace.build import trace
from engine.trace.traced import Trace
from tests.support.each import for_each
from tests.support.pages import Element, Html, get, read

# Programs whose last frame but some goes back through one operation, and by hand for each input:
# gradient of the result, partial derivative, their product.
S = 1 / (1 + math.exp(-0.5))
PARTING = "a = Value(2.0)\nb = a*3\nc = b*b\nc.backward()\nc.backward()"
FLAG = re.compile(r"c\d\.(sum|earlier)")
"""Flags that hold in some frames alone."""
CASE = re.compile(r"(f|n|p\d)=\d")
"""Flags of the cases of a formula, of which one holds."""
BY_HAND: dict[str, tuple[str, str, list[tuple[float, float, float]]]] = {
    "sum": ("a = 2.0; b = -3.0; s = a + b; L = s * 4", "s", [(4, 1, 4), (4, 1, 4)]),
    "difference": ("a = 2.0; b = -3.0; s = a - b; L = s * 4", "s", [(4, 1, 4), (4, -1, -4)]),
    "product": ("a = 2.0; b = -3.0; p = a * b; L = p * -2", "p", [(-2, -3, 6), (-2, 2, -4)]),
    "quotient": ("a = 3.0; b = 2.0; q = a / b; L = q * 4", "q", [(4, 0.5, 2), (4, -0.75, -3)]),
    "power": (
        "a = 3.0; b = 2.0; p = a ** b; L = p * 2",
        "p",
        [(2, 6, 12), (2, 9 * math.log(3), 18 * math.log(3))],
    ),
    "square of one Value": ("a = 3.0; p = a * a; L = p * 2", "p", [(2, 3, 6), (2, 3, 6)]),
    "exp": ("a = 0.5; e = exp(a); L = e * 3", "e", [(3, math.exp(0.5), 3 * math.exp(0.5))]),
    "log": ("a = 0.25; e = log(a); L = e * 3", "e", [(3, 4, 12)]),
    "sqrt": ("a = 4.0; e = sqrt(a); L = e * 3", "e", [(3, 0.25, 0.75)]),
    "tanh": (
        "a = 0.5; t = tanh(a); L = t * 2",
        "t",
        [(2, 1 - math.tanh(0.5) ** 2, 2 - 2 * math.tanh(0.5) ** 2)],
    ),
    "sigmoid": ("a = 0.5; t = sigmoid(a); L = t * 2", "t", [(2, S * (1 - S), 2 * S * (1 - S))]),
    "relu, open": ("a = 0.5; t = relu(a); L = t * 2", "t", [(2, 1, 2)]),
    "relu, shut": ("a = -0.5; t = relu(a); L = t * 2", "t", [(2, 0, 0)]),
    "maximum": ("a = 1.0; b = 5.0; t = max(a, b); L = t * 2", "t", [(2, 0, 0), (2, 1, 2)]),
    "negative": ("a = 1.0; t = -a; L = t * 2", "t", [(2, -1, -2)]),
}


def frame_back_through(found: Trace, label: str) -> int:
    """The frame of the backward pass whose operation made `label`."""
    node = next(node for node in found.nodes if node.label == label)
    return next(
        i
        for i, frame in enumerate(found.frames)
        if frame.pass_ == "backward" and frame.seed is None and frame.node == node.id
    )


def contributions(page: Html) -> list[Element]:
    """The contributions that are shown."""
    return [e for e in page.all("div", class_="contribution") if "hidden" not in e.attributes]


def shown_sums(page: Html) -> list[str]:
    """The sums so far that are shown."""
    found = page.all("p", class_="so-far")
    return [e.text for e in found if "hidden" not in e.attributes]


def pills(page: Html, contribution: Element) -> list[str]:
    """The numbers of upstream, local, gives."""
    found = page.within(contribution).all("span", class_="pill")
    return [page.within(pill).one("b").text for pill in found]


def read_number(text: str) -> float:
    return float(text.strip("()").replace("\N{MINUS SIGN}", "-"))


def rules_shown(page: Html, contribution: Element) -> list[str]:
    """The lines of the partial that are shown: with names, and with numbers if it is computed."""
    found = page.within(contribution).all("math", class_="local-rule")
    return [e.text for e in found if "hidden" not in e.attributes]


@for_each("case", BY_HAND)
def test_chain_rule_by_hand(case: str) -> None:
    program, label, expected = BY_HAND[case]
    found = trace(program)
    page = read(card(found, frame_back_through(found, label)))
    shown = [list(map(read_number, pills(page, one))) for one in contributions(page)]
    assert len(shown) == len(expected)
    for numbers, row in zip(shown, expected, strict=True):
        assert numbers == pytest.approx(row, abs=5e-5)
        upstream, local, amount = row
        assert upstream * local == pytest.approx(amount)
        assert in_equation(numbers[0] * numbers[1]) == in_equation(amount)


@for_each("case", BY_HAND)
def test_local_rule_ends_with_the_local_number(case: str) -> None:
    program, label, _ = BY_HAND[case]
    found = trace(program)
    page = read(card(found, frame_back_through(found, label)))
    for one in contributions(page):
        local = rules_shown(page, one)[-1].rpartition("=")[2]
        assert read_number(local) == read_number(pills(page, one)[1])


@for_each(
    ("program", "label", "lines"),
    [
        ("x = 3.0; y = x**2", "y", ["∂y∂x=2·x", "=2·3.0000=6.0000"]),
        ("x = 3.0; y = x**1", "y", ["∂y∂x=1"]),
        ("x = 3.0; y = x**0", "y", ["∂y∂x=0"]),
        ("x = 3.0; y = x**3", "y", ["∂y∂x=3·x2", "=3·3.00002=27.0000"]),
        ("x = 4.0; y = x**0.5", "y", ["∂y∂x=0.5·x−0.5", "=0.5·4.0000−0.5=0.2500"]),
        ("x = 2.0; y = x**-1", "y", ["∂y∂x=−x−2", "=−2.0000−2=−0.2500"]),
        ("x = -2.0; y = relu(x)", "y", ["∂y∂x=0"]),
        ("x = 2.0; y = relu(x)", "y", ["∂y∂x=1"]),
        ("x = -2.0; y = abs(x)", "y", ["∂y∂x=−1"]),
        ("a = 2.0; b = 3.0; y = a**b", "y", ["∂y∂a=b·ab−1", "=3.0000·2.00003.0000−1=12.0000"]),
        # 1 − tanh² 6 = 2.4577e-05: four decimals of tanh 6 are 1.0000
        ("x = 6.0; y = tanh(x)", "y", ["∂y∂x=1−y2", "=1−0.999987711652=2.4577e−05"]),
    ],
)
def test_rule_is_the_case_that_applies(program: str, label: str, lines: list[str]) -> None:
    found = trace(program)
    page = read(card(found, frame_back_through(found, label)))
    assert rules_shown(page, contributions(page)[0]) == lines


@pytest.mark.parametrize(
    ("x", "line"), [("0.5", "y=11+e−x"), ("-0.5", "y=ex1+ex")], ids=["positive", "negative"]
)
def test_formula_is_the_case_that_applies(x: str, line: str) -> None:
    page = read(card(trace(f"x = {x}; y = sigmoid(x)"), 1))
    assert next(e.text for e in page.all("math") if "hidden" not in e.attributes) == line


def test_shown_numbers_multiply_to_the_shown_product() -> None:
    found = trace("a = 0.00134279; b = 0.00134279; p = a*b; L = p*p")
    assert [e.text for e in read(card(found, 1)).all("math")] == [
        "p=a·b",
        "=0.0013428·0.0013428=1.8031e−06",
    ]


def test_parameters_of_a_network_have_short_names_in_fractions() -> None:
    found = trace("random.seed(1)\nn = MLP(2, [1])\ny = n([1.0, 2.0])")
    last = next(
        i
        for i, f in enumerate(found.frames)
        if f.contributions and len(f.contributions) == 1 and i > 9
    )
    page = read(card(found, last))
    whose = [e.text for e in page.all("p", class_="owner") if "hidden" not in e.attributes]
    assert len(whose) == 1
    assert re.fullmatch("w[01] of neuron 0, layer 0", whose[0])
    subscripts = [page.within(e).one("mn").text for e in page.all("msub")]
    assert subscripts
    assert set(subscripts) <= {"0", "1"}


def test_forward_card_computes() -> None:
    found = trace("a = 2.0; b = -3.0; p = a*b; L = p + 10")
    page = read(card(found, 1))
    texts = [e.text for e in page.all("math")]
    assert texts == ["p=a·b", "=2.0000·(−3.0000)=−6.0000"]
    assert "Multiply a by b." in page.elements[0].text


def test_first_card_counts_what_is_given() -> None:
    assert "3 leaves and constants" in read(card(trace("a = 2.0; b = a*3 + 1"), 0)).elements[0].text


def test_seed() -> None:
    found = trace("a = 2.0; L = a*3")
    at = next(i for i, frame in enumerate(found.frames) if frame.seed is not None)
    page = read(card(found, at))
    assert page.one("mn", class_="grad").text == "1"
    assert page.one("code").text == "L"


def test_second_contribution_shows_the_sum() -> None:
    found = trace("a = 3.0; b = a + a; b.backward()")
    page = read(card(found, len(found.frames) - 1))
    assert shown_sums(page) == ["Sum so far for a: 1.0000 + 1.0000 = 2.0000"]


def test_sum_names_gradients_of_earlier_passes() -> None:
    found = trace(PARTING)
    page = read(card(found, frame_back_through(found, "c")))
    assert shown_sums(page) == [
        "Sum so far for b: 12.0000 from before this pass + 6.0000 = 18.0000",
        "Sum so far for b: 18.0000 + 6.0000 = 24.0000",
    ]


def test_sum_with_a_negative_amount() -> None:
    found = trace("a = 3.0; b = a*2 - a*5; b.backward()")
    page = read(card(found, len(found.frames) - 1))
    assert shown_sums(page) in (
        ["Sum so far for a: 2.0000 + (−5.0000) = −3.0000"],
        ["Sum so far for a: −5.0000 + 2.0000 = −3.0000"],
    )


def test_constant_receives_nothing() -> None:
    found = trace("a = 3.0; L = a * 2")
    page = read(card(found, frame_back_through(found, "L")))
    assert [pills(page, one) for one in contributions(page)] == [["1.0000", "2.0000", "2.0000"]]


@for_each("op", ["+", "-", "*", "/", "**"])
@for_each("constant", ["7", "(3 + 4)"])
@for_each("left", [True, False])
def test_words_of_a_frame_tell_only_of_inputs_with_a_gradient(
    op: str, constant: str, left: bool
) -> None:
    text = f"a = 3.0; L = a {op} {constant}" if left else f"a = 3.0; L = {constant} {op} a"
    found = trace(text)
    page = read(card(found, frame_back_through(found, "L")))
    spans = [e.text.strip() for e in page.all("span") if "hidden" not in e.attributes]
    (shown,) = (text for text in spans if "receives" in text or "partial for" in text)
    assert shown.startswith(("a receives", "The partial for a is"))


@pytest.mark.parametrize(("x", "kinked"), [("0.0", True), ("1.0", False)])
def test_kink_is_named_where_it_is(x: str, kinked: bool) -> None:
    found = trace(f"x = {x}; y = relu(x)")
    for at in (1, len(found.frames) - 1):
        (notice,) = read(card(found, at)).all("p", class_="kink")
        assert ("hidden" not in notice.attributes) == kinked
        assert OPS["relu"].kink_says in notice.text


def test_label_is_text() -> None:
    found = trace("a = Value(2.0, label='<b>&amp;'); L = a * 3")
    for at in range(len(found.frames)):
        page = read(card(found, at))
        assert {e.text for e in page.all("code") if "amp" in e.text} <= {"<b>&amp;"}


@for_each("name", OPS)
def test_slots_of_every_template_are_known(name: str) -> None:
    op = OPS[name]
    xs = op.samples[0]
    lines = [f"x{i} = {x!r}" for i, x in enumerate(xs)]
    args = [f"x{i}" for i in range(len(xs))]
    call = f"{op.called}({', '.join(args)})" if op.is_word else f" {name} ".join(args)
    lines.insert(0, "import operator")
    found = trace("\n".join([*lines, f"y = {'-x0' if name == 'neg' else call}", "L = y * 1.5"]))
    assert any(node.op == name for node in found.nodes)
    templates_ = read(templates(found))
    known: dict[tuple[str, str], set[str]] = {}
    for at, frame in enumerate(found.frames):
        node = next(node for node in found.nodes if node.id == frame.node)
        kind = "given" if frame.given else "seed" if frame.seed is not None else frame.pass_
        made = "" if kind in ("given", "seed") else node.op or ""
        known.setdefault((kind, made), set()).update(slots(found, at))
    used = {
        (e.attributes["data-explain"], e.attributes["data-op"]): {
            inner.attributes[key].removeprefix("!")
            for inner in templates_.within(e).elements
            for key in ("data-slot", "data-if")
            if key in inner.attributes
        }
        for e in templates_.all("template")
        if e.attributes["data-explain"] != "box"
    }
    assert set(used) == set(known)
    for template in [("forward", name), ("backward", name), ("given", ""), ("seed", "")]:
        flags = {slot for slot in used[template] if FLAG.fullmatch(slot)}
        assert {slot for slot in used[template] - flags if not CASE.fullmatch(slot)} <= known[
            template
        ]
        assert flags <= {
            f"c{i}.{flag}" for i in range(len(op.params)) for flag in ("sum", "earlier")
        }
    for at in range(len(found.frames)):
        text = str(card(found, at))
        assert "data-slot" not in text
        assert "data-if" not in text


def test_page_carries_a_template_for_each_kind_of_frame() -> None:
    page = get("/", "a = 2.0; L = tanh(a*3)")
    found = {(e.attributes["data-explain"], e.attributes["data-op"]) for e in page.all("template")}
    operations = {(kind, op) for kind in ("forward", "backward") for op in ("*", "tanh")}
    boxes = {("box", "forward"), ("box", "backward")}
    assert found == operations | boxes | {("given", ""), ("seed", "")}


def test_card_of_the_page_is_that_of_the_frame() -> None:
    program = "a = 2.0; L = tanh(a*3)"
    found = trace(program)
    for at in range(len(found.frames)):
        shown = get("/", program, frame=str(at)).one("div", id="explanation").text
        assert shown == "".join(e.text for e in read(card(found, at)).elements if not e.around)


@for_each(
    ("name", "short"),
    [
        ("a", "a"),
        ("abcdefghijk", "abcdefghijk"),
        ("abcdefghijkl", "abcdefghij…"),
        ("a*b", "(a*b)"),
        ("l0.n0.w0", "w0"),
        ("l1.n0.w0*l0.n0", "(w0*…)"),
        ("x1*w1 + b", "(x1*w1 + …)"),
        ("x1*w1", "(x1*w1)"),
        ("l0.n0.b + l0.n0.w0*x0", "(b + …)"),
        ("l0.n0.b + l0.n0.w0*x0 + l0.n0.w1*x1", "(b + 2 more)"),
        ("x1*w1 + x2*w2 + b", "(x1*w1 + …)"),
    ],
)
def test_tag_fits_a_fraction(name: str, short: str) -> None:
    assert tag(name) == short


@pytest.mark.parametrize(
    ("program", "twice"), [("y = x*x", True), ("y = x + x", True), ("y = x*2", False)]
)
def test_one_value_that_goes_in_twice_is_named(program: str, twice: bool) -> None:
    found = trace(f"x = 3.0\n{program}")
    page = read(card(found, len(found.frames) - 1))
    assert ["hidden" not in e.attributes for e in page.all("p", class_="twice")] == [twice]


def test_frame_remarks_where_micrograd_and_pytorch_differ() -> None:
    found = trace(PARTING)
    cards = [read(card(found, at)).all("p", class_="remark") for at in range(len(found.frames))]
    (at,) = (at for at, remarks in enumerate(cards) if remarks)
    assert at == frame_back_through(found, "c")
    assert cards[at][0].text.startswith("b had gradient 12.0 before this pass.")


@pytest.mark.parametrize(
    ("program", "upstream", "number"),
    [
        ("a = Value(2.0)\nb = a*3\nc = b*b\nc.backward()", "∂c∂b", "12.0000"),  # 2b
        (PARTING, "b.grad", "24.0000"),  # 12 of the first pass and 12 of the second
    ],
)
def test_upstream_is_a_derivative_only_without_contributions_of_earlier_passes(
    program: str, upstream: str, number: str
) -> None:
    found = trace(program)
    page = read(card(found, len(found.frames) - 1))
    pill = page.within(contributions(page)[0]).all("span", class_="pill")[0]
    shown = [e.text for e in page.within(pill).all("math") if "hidden" not in e.attributes]
    assert (shown, pills(page, contributions(page)[0])[0]) == ([upstream], number)


@pytest.mark.parametrize(
    ("change", "numbers", "stale"),
    [
        ("a.data = 5", [], ["2.0000"]),
        ("c.data = 9", [], ["9.0000"]),
        ("", ["=1.0000·2.0000=2.0000"], []),
    ],
)
def test_no_equation_with_numbers_that_do_not_give_the_result(
    change: str, numbers: list[str], stale: list[str]
) -> None:
    found = trace(f"a = Value(1.0)\nb = Value(2.0)\nc = a*b\n{change}\nc.backward()")
    page = read(card(found, 1))
    texts = [e.text for e in page.all("math") if "hidden" not in e.attributes]
    assert texts == ["c=a·b", *numbers]
    shown = [e for e in page.all("p", class_="stale") if "hidden" not in e.attributes]
    assert [page.within(e).one("b").text for e in shown] == stale


def test_rounding_to_32_bits_is_neither_stale_nor_a_leftover() -> None:
    text = "import torch\na = torch.tensor(0.1, requires_grad=True)\nb = a*0.3\n"
    found = trace(f"{text}c = b.tanh()*b + b*0.7\nd = c*c\nd.backward()")
    for at in range(len(found.frames)):
        page = read(card(found, at))
        shown = [e for e in page.elements if "hidden" not in e.attributes]
        assert not [e for e in shown if e.attributes.get("class") == "stale"]
        assert not [e for e in shown if e.tag == "math" and e.text.endswith(".grad")]

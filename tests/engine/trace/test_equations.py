"""Equations: MathML that is well formed and, read back as mathematics, computes the operation."""

from __future__ import annotations

import math
import operator
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping

import pytest

from engine import real
from engine.ops import OPS, Op
from engine.trace.equations import derivative, formula, mathml, partial, slot
from tests.support.each import for_each

EACH = for_each("op", OPS.values())
Token = str | float


def tree(markup: str) -> ET.Element:
    """The elements; HTML lets the attribute data-paren stand without a value."""
    return ET.fromstring(markup.replace(" data-paren ", ' data-paren="" '))  # noqa: S314  # ours


def row(*parts: ET.Element) -> ET.Element:
    """Elements side by side."""
    out = ET.Element("mrow")
    out.extend(parts)
    return out


# A small reader of MathML, by the rules of school: it knows nothing of how the text was written

FUNCTIONS: dict[str, Callable[..., float]] = {
    "ln": real.log,
    **{name: getattr(real, name) for name in ("sin", "cos", "tan", "tanh", "sinh", "cosh", "erf")},
    **{name: getattr(real, name) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    **{
        name: getattr(real, name)
        for name in ("erfc", "atan2", "fmod", "copysign", "floor", "trunc")
    },
    "log₂": real.log2,
    "log₁₀": real.log10,
    "max": real.maximum,
    "min": real.minimum,
    "σ": lambda x: real.divide(1.0, 1.0 + real.exp(-x)),
}
RELATIONS = {
    ">": operator.gt, "≥": operator.ge, "<": operator.lt, "≤": operator.le,
    "=": operator.eq, "≠": operator.ne,
}  # fmt: skip


class Reader:
    """Reads a row of MathML as a person does."""

    def __init__(self, values: Mapping[str, float], *, numbers: bool) -> None:
        self.values = values
        self.numbers = numbers

    def row(self, element: ET.Element) -> float:
        """The value of the children of an element."""
        tokens = [token for child in element for token in self.tokens(child)]
        value = self.sum(tokens)
        assert not tokens, tokens
        return value

    def tokens(self, element: ET.Element) -> list[Token]:
        """What one element contributes to its row."""
        children = list(element)
        match element.tag:
            case "mrow":
                return [token for child in children for token in self.tokens(child)]
            case "mfrac":
                return [real.divide(self.row(children[0]), self.row(children[1]))]
            case "msup":
                base = self.tokens(children[0])
                assert len(base) == 1 or (base[0], base[-1]) == ("(", ")"), base
                if base == ["e"]:
                    return [real.exp(self.row(children[1]))]
                return [real.power(self.sum(base), self.row(children[1]))]
            case "msqrt":
                return [real.sqrt(self.row(element))]
            case "mroot":
                assert children[1].text == "3"
                return [real.cbrt(self.row(children[0]))]
            case "mtable":
                return [self.cases(children)]
            case "mi" | "mn" if "data-slot" in element.attrib:
                return self.filled(element)
            case "mn":
                return [float(element.text or "")]
            case "mi" | "mo":
                return [math.pi if element.text == "π" else element.text or ""]
        raise AssertionError(element.tag)

    def filled(self, element: ET.Element) -> list[Token]:
        """A slot as the page fills it: a name, or a number that may have a minus sign."""
        of, _, kind = element.attrib["data-slot"].partition(".")
        assert kind == ("data" if self.numbers else "term")
        value = self.values[of]
        if not self.numbers or math.copysign(1, value) > 0:
            return [value]
        signed: list[Token] = ["−", -value]
        return ["(", *signed, ")"] if "data-paren" in element.attrib else signed

    def cases(self, rows: list[ET.Element]) -> float:
        """The first row whose condition holds."""
        for row in rows:
            value, when = row
            words = [part.text or "" for part in when.iter("mtext")]
            if words == ["else"] or self.holds(when[0]):
                return self.row(value)
        raise AssertionError("no case holds")

    def holds(self, when: ET.Element) -> bool:
        """A condition such as `if x > 0`."""
        first, *parts = when
        assert (first.tag, (first.text or "").strip()) == ("mtext", "if")
        for word, together in (("or", any), ("and", all)):
            for i, part in enumerate(parts):
                if part.tag == "mtext" and (part.text or "").strip() == word:
                    return together(self.holds(row(first, *x)) for x in (parts[:i], parts[i + 1 :]))
        (at,) = (i for i, part in enumerate(parts) if part.text in RELATIONS)
        left, right = row(*parts[:at]), row(*parts[at + 1 :])
        return bool(RELATIONS[parts[at].text or ""](self.row(left), self.row(right)))

    def sum(self, tokens: list[Token]) -> float:
        """Terms with + and −."""
        value = self.product(tokens)
        while tokens and tokens[0] in ("+", "−"):
            sign = tokens.pop(0)
            term = self.product(tokens)
            value = value + term if sign == "+" else value - term
        return value

    def product(self, tokens: list[Token]) -> float:
        """Factors with ·; a minus sign before the first."""
        if tokens[0] == "−":
            tokens.pop(0)
            return -self.product(tokens)
        value = self.factor(tokens)
        while tokens and tokens[0] in ("·", "mod"):
            sign = tokens.pop(0)
            assert tokens[0] != "−", "a factor with a sign needs parentheses"
            factor = self.factor(tokens)
            value = value * factor if sign == "·" else real.modulo(value, factor)
        return value

    def factor(self, tokens: list[Token]) -> float:
        """A number, a name, parentheses, bars or a function."""
        token = tokens.pop(0)
        if isinstance(token, float):
            return token
        if token == "(":
            value = self.sum(tokens)
            assert tokens.pop(0) == ")"
            return value
        if token == "|":
            value = self.sum(tokens)
            assert tokens.pop(0) == "|"
            return abs(value)
        assert tokens.pop(0) == "("
        args = [self.sum(tokens)]
        while tokens[0] == ",":
            tokens.pop(0)
            args.append(self.sum(tokens))
        assert tokens.pop(0) == ")"
        return FUNCTIONS[token](*args)


def points(op: Op) -> list[tuple[float, ...]]:
    """Samples, and a kink or other corner of a function of one input."""
    return [*op.samples, *([(0.0,)] if len(op.params) == 1 and op.in_domain(0.0) else [])]


@for_each("numbers", [False, True], ids=["names", "numbers"])
@EACH
def test_a_formula_read_back_computes_the_operation(op: Op, numbers: bool) -> None:
    for point in points(op):
        values = {f"x{i}": x for i, x in enumerate(point)}
        found = Reader(values, numbers=numbers).row(tree(formula(op, numbers=numbers)))
        assert found == pytest.approx(op.compute(*point), rel=1e-12), point


@for_each("numbers", [False, True], ids=["names", "numbers"])
@EACH
def test_a_partial_read_back_computes_the_derivative(op: Op, numbers: bool) -> None:
    for point in points(op):
        y = op.compute(*point)
        values = {f"x{i}": x for i, x in enumerate(point)} | {"y": y}
        for index, derive in enumerate(op.derive):
            markup = partial(op, index, numbers=numbers)
            found = Reader(values, numbers=numbers).row(tree(markup))
            assert found == pytest.approx(derive(y, *point), rel=1e-12), (point, index)


@EACH
def test_slots_are_those_of_the_inputs_and_the_output(op: Op) -> None:
    inputs = {f"x{i}" for i in range(len(op.params))}
    for numbers, kind in ((False, "term"), (True, "data")):
        for index in range(len(op.params)):
            markup = tree(
                f"<p>{formula(op, numbers=numbers)}{partial(op, index, numbers=numbers)}</p>"
            )
            slots = {
                part.attrib["data-slot"] for part in markup.iter() if "data-slot" in part.attrib
            }
            assert slots <= {f"{of}.{kind}" for of in (*inputs, "y")}
    assert "y.term" not in formula(op)


@EACH
def test_the_elements_are_those_of_mathml(op: Op) -> None:
    known = {"mrow", "mi", "mn", "mo", "mfrac", "msup", "msqrt", "mroot", "mtable"}
    known |= {"mtr", "mtd", "mtext"}
    for markup in (formula(op), *(partial(op, i) for i in range(len(op.params)))):
        root = tree(markup)
        assert root.tag == "mrow"
        assert {part.tag for part in root.iter()} <= known
        arity = {"mfrac": 2, "msup": 2}
        assert all(len(part) == arity[part.tag] for part in root.iter() if part.tag in arity)


def shown(text: str, params: str) -> str:
    """The letters and signs of an equation, in a row; an exponent in ^{ }, a fraction in { / }."""

    def letters(part: ET.Element) -> str:
        inner = [letters(child) for child in part]
        if part.tag == "msup":
            return f"{inner[0]}^{{{inner[1]}}}"
        if part.tag == "mfrac":
            return f"{{{inner[0]}/{inner[1]}}}"
        return part.attrib.get("data-slot", part.text or "").removesuffix(".term") + "".join(inner)

    names = tuple(params.split())
    out = letters(tree(mathml(text, names)))
    for i, name in enumerate(names):
        out = out.replace(f"x{i}", name)
    return out


@for_each(
    ("text", "written"),
    [
        ("a - (b - c)", "a−(b−c)"),
        ("a - b - c", "a−b−c"),
        ("(a + b) * c", "(a+b)·c"),
        ("a * (b * c)", "a·(b·c)"),
        ("a + b * c", "a+b·c"),
        ("-(a + b)", "−(a+b)"),
        ("a * -b", "a·(−b)"),
        ("a - -b", "a−(−b)"),
        ("(a + b) ** 2", "(a+b)^{2}"),
        ("(-a) ** 2", "(−a)^{2}"),
        ("-a ** 2", "−a^{2}"),
        ("(a / b) * c", "{a/b}·c"),
        ("(a + b) / (c - 1)", "{a+b/c−1}"),
        ("(a / b) ** 2", "({a/b})^{2}"),
        ("(a ** b) ** 2", "(a^{b})^{2}"),
        ("exp(a) ** 2", "(e^{a})^{2}"),
        ("exp(-a)", "e^{−a}"),
        ("log(a)", "ln(a)"),
        ("log1p(a)", "ln(1+a)"),
        ("abs(a - b)", "|a−b|"),
        ("2 * pi", "2·π"),
        ("a ** (b - 1)", "a^{b−1}"),
    ],
)
def test_parentheses_stand_where_they_are_needed(text: str, written: str) -> None:
    assert shown(text, "a b c") == written


def test_a_slot() -> None:
    assert slot("x0.name") == '<mi data-slot="x0.name"></mi>'
    assert slot("y.data", "mn", paren=True, kind="data") == (
        '<mn class="data" data-paren data-slot="y.data"></mn>'
    )


def test_a_derivative_is_a_fraction_of_two_names() -> None:
    found = tree(derivative("y.name", "x0.name"))
    assert found.tag == "mfrac"
    parts = [part.attrib.get("data-slot", part.text) for part in found.iter()]
    assert [part for part in parts if part] == ["∂", "y.name", "∂", "x0.name"]


def test_invalid_formula_is_an_error() -> None:
    with pytest.raises(ValueError, match="no equation for"):
        mathml("[a]", ("a",))

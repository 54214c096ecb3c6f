"""Hints in three grades from the local rule: which rule, with symbols, with numbers.

The first is text, the others are MathML from the formulas and partials of the op table. The third
has the numbers that the student knows, and not the result.
"""

from __future__ import annotations

import ast
import re
from html import escape
from typing import NamedTuple

from engine import parser_lock
from engine.numbers import in_sentence
from engine.ops import OPS, Op
from engine.trace import equations, symbols
from engine.trace.cases import EXPONENTS, branches, chooser, specialised

from .contributions import SentContribution
from .exercise import CONTRIBUTION, DATA, Exercise, Question
from .known import Known

TITLES = ("Which rule", "With symbols", "With numbers")
GRADES = len(TITLES)
MOST_TERMS = 8  # contributions that a hint writes out
LONGEST = 22  # characters of a name in a formula
_TAG = re.compile(r"<[^>]+>")
_SLOT = re.compile(
    r'<(mi|mn)( class="[a-z]+")?( data-paren)? data-slot="(x\d+|y)\.(term|data)"></\1>'
)


class Hint(NamedTuple):
    """A hint: its grade from 1, and its text or formula."""

    grade: int
    words: str = ""
    formula: str = ""


def hint(exercise: Exercise, question: Question, grade: int, known: Known) -> Hint:
    """The hint of a grade on a question; `known` are the numbers that it may show."""
    if grade == 1:
        return Hint(1, words=_rule(exercise, question))
    numbers = known if grade == GRADES else None
    return Hint(grade, formula=formula(exercise, question, numbers))


# Which rule


def _rule(exercise: Exercise, question: Question) -> str:
    if question.kind == DATA:
        node = exercise.nodes[question.node]
        op = OPS[node.op or ""]
        return (
            f"{op.symbol} computes forward: {op.forward_says.format(**_names(exercise, node.id))}."
        )
    parts = [
        sentence(exercise, contribution) for contribution in question.contributions[:MOST_TERMS]
    ]
    if len(parts) == 1:
        return parts[0]
    name, count = exercise.name(question.node), len(question.contributions)
    end = " And so on." if count > MOST_TERMS else ""
    said = " ".join(parts)
    return f"{name} is used {count} times: add up what every use sends back. {said}{end}"


def sentence(exercise: Exercise, contribution: SentContribution) -> str:
    """The rule of one use, as the op table describes it."""
    op, names = OPS[contribution.op], _names(exercise, contribution.user)
    says = op.backward_says[contribution.slot].format(**names)
    times = f" Multiply it by the gradient of {names['y']}." if "partial" in says else ""
    return f"Through {op.symbol} in {names['y']}: {says}.{times}"


def _names(exercise: Exercise, node: str) -> dict[str, str]:
    args = exercise.nodes[node].args
    return {f"x{i}": exercise.name(arg) for i, arg in enumerate(args)} | {"y": exercise.name(node)}


# Formulas


def formula(
    exercise: Exercise, question: Question, known: Known | None = None, result: bool = False
) -> str:
    """The MathML of a question's rule, with numbers where they are `known`, and with its result."""
    if question.kind == DATA:
        left, right = _name(exercise, question.node), _forward(exercise, question, known)
    else:
        left = derivative(exercise, question.node)
        right = _sum(exercise, question.contributions, known)
        if question.kind == CONTRIBUTION:
            left = "<mtext>contribution</mtext>"
    end, answer = "", in_sentence(question.answer)
    if result and _TAG.sub("", right) != answer:
        end = f'<mo>=</mo><mn class="{_colour(question)}">{answer}</mn>'
    return f'<math displaystyle="true"><mrow>{left}<mo>=</mo>{right}{end}</mrow></math>'


def derivative(exercise: Exercise, by: str) -> str:
    """∂L/∂a for the output L and a Value."""
    top, bottom = _name(exercise, exercise.trace.drawn), _name(exercise, by, fraction=True)
    return f"<mfrac><mrow><mo>∂</mo>{top}</mrow><mrow><mo>∂</mo>{bottom}</mrow></mfrac>"


def _colour(question: Question) -> str:
    return "data" if question.kind == DATA else "grad"


def _forward(exercise: Exercise, question: Question, known: Known | None) -> str:
    node = exercise.nodes[question.node]
    op = OPS[node.op or ""]
    return _filled(exercise, node.id, equations.mathml(op.formula, op.params, numbers=True), known)


def _sum(
    exercise: Exercise, contributions: tuple[SentContribution, ...], known: Known | None
) -> str:
    listed = enumerate(contributions[:MOST_TERMS])
    terms = [_term(exercise, contribution, known, first=at == 0) for at, contribution in listed]
    if len(contributions) > MOST_TERMS:
        terms.append("<mtext>…</mtext>")
    return "<mo>+</mo>".join(terms)


def _term(
    exercise: Exercise, contribution: SentContribution, known: Known | None, first: bool
) -> str:
    upstream = _upstream(exercise, contribution, known)
    text = partial_text(exercise, contribution)
    if text == "1":
        return upstream
    op = OPS[contribution.op]
    local = _filled(
        exercise, contribution.user, equations.mathml(text, op.params, numbers=True), known
    )
    starts_negative = _TAG.sub("", local).startswith("−")
    if _needs_parentheses(text) or (starts_negative and not first):
        local = f"<mo>(</mo>{local}<mo>)</mo>"
    return f"{local}<mo>·</mo>{upstream}"


def partial_text(exercise: Exercise, contribution: SentContribution) -> str:
    """A contribution's partial at the present numbers: its case, constant exponents put in."""
    op, text = OPS[contribution.op], OPS[contribution.op].partials[contribution.slot]
    args = [exercise.nodes[arg] for arg in exercise.nodes[contribution.user].args]
    y = exercise.nodes[contribution.user].data
    case = chooser(text, ("y", *op.params))(y, *[arg.data for arg in args])
    text = branches(text)[int(case)]
    exponent = EXPONENTS.get(op.name)
    if exponent is not None and exponent != contribution.slot and args[exponent].kind == "constant":
        text = specialised(text, op.params[exponent], args[exponent].data)
    return text


def _needs_parentheses(text: str) -> bool:
    """Whether a partial is a sum, which as a factor stands in parentheses."""
    tree = parser_lock.expression(text)
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub)


def _upstream(exercise: Exercise, contribution: SentContribution, known: Known | None) -> str:
    number = known.grads.get(contribution.user) if known else None
    if number is None:
        return f'<mrow class="grad">{derivative(exercise, contribution.user)}</mrow>'
    return f'<mn class="grad">{_held(number)}</mn>'


def _filled(exercise: Exercise, node: str, template: str, known: Known | None) -> str:
    """A template of the op that computes `node`, with names, or numbers where known."""
    op: Op = OPS[exercise.nodes[node].op or ""]
    ids = {f"x{i}": arg for i, arg in enumerate(exercise.nodes[node].args)} | {"y": node}

    def put(found: re.Match[str]) -> str:
        of = ids[found[4]]
        paren, is_constant = bool(found[3]), exercise.nodes[of].kind == "constant"
        number = known.data.get(of) if known else None
        if is_constant:
            number = exercise.nodes[of].data
        if number is not None:
            return f'<mn class="data">{_held(number) if paren else in_sentence(number)}</mn>'
        return f'<mrow class="data">{_name(exercise, of, paren)}</mrow>'

    assert len(ids) == len(op.params) + 1
    return _SLOT.sub(put, template)


def _held(number: float) -> str:
    """A number as a factor: in parentheses if it is negative."""
    text = in_sentence(number)
    return f"({text})" if text.startswith("−") else text


def _name(exercise: Exercise, node: str, paren: bool = False, fraction: bool = False) -> str:
    """A Value's name as symbols, cut if it is long."""
    name = symbols.brief(exercise.name(node))
    is_sum = re.search(r"[-+*/ ]", name) is not None
    if len(name) > LONGEST:
        return f"<mtext>{escape(name[: LONGEST - 1])}…</mtext>"
    held = is_sum and (paren or fraction)
    return symbols.mathml(f"({name})" if held else name)

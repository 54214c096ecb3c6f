"""Nothing is given away: no hidden number is in a response before it is asked for."""

import re
from dataclasses import replace
from html import unescape
from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from app.exercise.address import ExerciseQuery, read
from app.exercise.page import Happened, exercise_page
from app.exercise.run import begun
from app.exercise.subjects import Subjects
from app.settings import from_environment
from engine import numbers
from engine.exercise.exercise import Exercise
from engine.exercise.task import HIDES
from tests.support.each import for_each
from tests.support.pages import client

SITE = client()
PROGRAM = "a = 3.0\nb = -1.0\nc = 4.0\nf = 2.0\nL = (a*b + c) * f + a"
FORMS = (
    *(numbers.short, numbers.full, numbers.plain, numbers.spoken, numbers.in_sentence),
    *(numbers.in_equation, numbers.brief, numbers.fixed, numbers.compact, numbers.signed),
)


def texts(x: float) -> set[str]:
    """A number in all printed forms that are long enough to be no accident."""
    found = {write(x) for write in FORMS} | {numbers.in_equation(x, paren=True)}
    found |= {text.replace("−", "-") for text in found}
    return {text for text in found if len(re.sub(r"\D", "", text)) >= 4}


GEOMETRY = re.compile(r' (?:x|y|r|rx|cx|cy|d|width|height|viewBox|transform)="[^"]*"')
"""Attributes of the picture that hold places, in which any number may occur."""
OPERATIONS = ["p*q", "p + q", "p - q", "p*p + q", "tanh(p)*q", "p / q", "p**2 - q", "relu(p) * q*q"]
LEAF = st.integers(1001, 9998).map(lambda n: n / 1000)


@settings(max_examples=25)
@given(
    leaves=st.lists(LEAF, min_size=3, max_size=3, unique=True),
    picked=st.lists(st.sampled_from(OPERATIONS), min_size=2, max_size=3),
    hide=st.sampled_from([*HIDES]),
    options=st.sampled_from(["", ",any", ",shares"]),
)
def test_no_hidden_number_stands_in_the_response(
    leaves: list[float], picked: list[str], hide: str, options: str
) -> None:
    lines = [f"{name} = {x}" for name, x in zip("abc", leaves, strict=True)]
    for at, text in enumerate(picked):
        p, q = ("a", "b") if at == 0 else (f"r{at - 1}", "abc"[at % 3])
        lines.append(f"r{at} = " + text.replace("p", p).replace("q", q))
    program = "\n".join(lines)
    answer = SITE.get(f"/exercise?{urlencode({'program': program, 'exercise': hide + options})}")
    asked = found_in(program, hide + options)
    shown = {text for x in (*leaves, 1.0) for text in texts(x)}  # 1: the output's gradient
    if hide == "gradients":
        shown |= {text for node in asked.trace.nodes for text in texts(node.data)}
    said = unescape(GEOMETRY.sub("", answer.text))
    for question in asked.questions:
        for text in texts(question.answer) - shown:
            found = re.search(rf"(?<![\w.]){re.escape(text)}(?!\w)", said)
            assert found is None, (program, question.key, text)


def found_in(program: str, task: str) -> Exercise:
    asked = read([("program", program), ("exercise", task)])
    return Subjects(from_environment({})).exercise(asked)


def masked(found: Exercise, number: float) -> Exercise:
    """The exercise with other numbers in place of all hidden ones."""
    hidden = {(q.node, q.kind) for q in found.questions}
    nodes = tuple(
        node._replace(
            data=number if (node.id, "data") in hidden else node.data,
            grad=number if (node.id, "grad") in hidden else node.grad,
        )
        for node in found.trace.nodes
    )
    questions = tuple(
        q._replace(
            answer=number,
            contributions=tuple(
                s._replace(partial=number, upstream=number) for s in q.contributions
            ),
        )
        for q in found.questions
    )
    trace = replace(found.trace, nodes=nodes)
    return replace(found, trace=trace, questions=questions, nodes={node.id: node for node in nodes})


@for_each("task", [*HIDES, "gradients,any", "both,shares", "b.grad,a*b.data"])
def test_page_does_not_depend_on_hidden_numbers(task: str) -> None:
    asked: ExerciseQuery = read([("program", PROGRAM), ("exercise", task)])
    subjects = Subjects(from_environment({}))
    found = subjects.exercise(asked)
    place = subjects.placement(found.trace, asked.view)
    run = begun(asked.digest, len(found.questions), 0)
    pages = [
        exercise_page(asked, one, place, run, Happened())
        for one in (found, masked(found, 12345.678), masked(found, -0.25))
    ]
    assert pages[0] == pages[1] == pages[2]

"""What is asked, in which order; judging, recognised mistakes, hints, score."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exercise.answer_text import LONGEST
from engine.exercise.exercise import MOST, Exercise, ExerciseError, askable, exercise
from engine.exercise.hints import GRADES, formula, hint
from engine.exercise.judging import RIGHT, UNREAD, WRONG, Judgement, judge
from engine.exercise.known import known
from engine.exercise.mutations import slips
from engine.exercise.renewed import renewed
from engine.exercise.rules import rule
from engine.exercise.score import Mark, score
from engine.exercise.task import HIDES, Task, read_task
from engine.ops import OPS
from engine.trace.build import trace
from tests.support.each import for_each

CHAIN = "a = 3.0\nb = -1.0\nc = 4.0\nf = 2.0\nL = (a*b + c) * f"
TWICE = "a = 2.0\nb = 3.0\ne = a*b + b**2"
NEURON = "x = 2.0\nw = -0.5\nb = 1.5\nn = x*w + b\no = tanh(n)"


def asked(program: str, task: str = "gradients") -> Exercise:
    return exercise(trace(program), read_task(task))


def labels(found: Exercise) -> list[str]:
    return [f"{found.name(q.node)}.{q.kind}" for q in found.questions]


def answered(found: Exercise, label: str, text: str) -> Judgement:
    """The judgement of an answer, every question before it being answered."""
    at = labels(found).index(label)
    before = [question.key for question in found.questions[:at]]
    return judge(found, found.questions[at], text, known(found, before))


def seen(markup: str) -> str:
    """The text of MathML without blanks."""
    return re.sub(r"<[^>]+>|\s", "", markup)


# What is asked


def test_gradients_are_asked_in_the_order_of_the_pass() -> None:
    found = asked(CHAIN)
    assert labels(found) == ["a*b + c.grad", "f.grad", "a*b.grad", "c.grad", "a.grad", "b.grad"]
    assert [q.answer for q in found.questions] == [2, 1, 2, 2, -2, 6]  # by hand


def test_value_used_twice_is_asked_for_once_all_shares_have_come() -> None:
    assert labels(asked(TWICE)) == ["a*b.grad", "b**2.grad", "a.grad", "b.grad"]
    found = asked(TWICE, "gradients,contributions")
    assert sorted(q.answer for q in found.questions if q.kind == "contribution") == [2, 6]
    assert labels(found)[-1] == "b.grad"
    assert found.questions[-1].answer == 8


def test_forward_pass_both_passes_and_chosen_numbers() -> None:
    assert labels(asked(CHAIN, "forward")) == ["a*b.data", "a*b + c.data", "L.data"]
    both = labels(asked(CHAIN, "both"))
    assert both == labels(asked(CHAIN, "forward")) + labels(asked(CHAIN))
    assert labels(asked(CHAIN, "b.grad,a*b.data")) == ["a*b.data", "b.grad"]
    assert labels(asked(CHAIN, "v1.grad")) == ["a.grad"]


def test_every_number_that_can_be_asked_for_can_be_chosen() -> None:
    shown = trace(CHAIN)
    for node, kind in askable(shown):
        found = exercise(shown, read_task(f"{node}.{kind}"))
        assert [(q.node, q.kind) for q in found.questions] == [(node, kind)]


@for_each(
    ("program", "task", "message"),
    [
        ("print(1)", "gradients", "computes nothing"),
        (CHAIN, "nobody.grad", "Nothing is hidden"),
        (CHAIN, "a.data", "Nothing is hidden"),
        ("a = 0.0\nL = log(a)", "gradients", "cannot be asked for"),
        ("L = " + " + ".join(f"x{i}" for i in range(70)), "gradients", f"at most {MOST}"),
        ("a = Value(3.0)\nb = a*2\nb.backward()\nb.backward()", "gradients", "one backward pass"),
        ("a = 1e308\nL = a*a", "gradients", "gradient inf, which cannot be asked for"),
        ("a = 0.0\nu = sqrt(a)\nL = u*2 - u*2", "gradients", "gradient nan, which cannot be"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(
    program: str, task: str, message: str
) -> None:
    if "x69" in program:
        program = "\n".join(f"x{i} = 1.0" for i in range(70)) + "\n" + program
    with pytest.raises(ExerciseError, match=message):
        asked(program, task)


@given(
    hide=st.sampled_from([*HIDES]),
    any_order=st.booleans(),
    with_contributions=st.booleans(),
    tolerance=st.sampled_from([0.005, 0.01, 0.1]),
)
def test_task_is_its_text(
    hide: str, any_order: bool, with_contributions: bool, tolerance: float
) -> None:
    task = Task(hide, (), any_order, with_contributions, tolerance)
    assert read_task(task.text()) == task


@given(text=st.text(max_size=60))
def test_any_text_is_a_task_whose_text_means_the_same(text: str) -> None:
    task = read_task(text)
    assert read_task(task.text()) == task


# Judging


@for_each(
    "text", ["-2", "−2.0", "-2.0000", "2*b", "b * 2", "2 · b", "a*b.grad", "-a + 1", "-(2)", "-2,0"]
)
def test_a_number_or_a_formula_is_right(text: str) -> None:
    if text == "a*b.grad":  # b.grad is hidden until it is asked for
        assert answered(asked(CHAIN), "a.grad", text).outcome == UNREAD
        text = "b * (a*b).grad"
    assert answered(asked(CHAIN), "a.grad", text).outcome == RIGHT


def test_names_are_data_and_known_gradients() -> None:
    found = asked(CHAIN)
    assert answered(found, "b.grad", "a.data * (a*b).grad").outcome == RIGHT
    assert answered(found, "b.grad", "a * 'a*b'.grad").outcome == RIGHT
    assert answered(found, "a*b.grad", "(a * b + c).grad").outcome == RIGHT
    hidden = answered(found, "a*b.grad", "a.grad")
    assert hidden.outcome == UNREAD
    assert "still hidden" in hidden.says
    assert answered(asked(CHAIN, "forward"), "L.data", "L").outcome == UNREAD
    assert answered(asked(CHAIN, "forward"), "L.data", "L.grad").outcome == WRONG  # the seed
    assert answered(asked(CHAIN, "forward"), "L.data", "f.grad").outcome == UNREAD


@for_each(
    "text",
    [
        *(
            "",
            "  ",
            "two",
            "2*",
            "a.b",
            "a.__class__",
            "lambda: 2",
            "[2]",
            "2 if a else 3",
            "a < 2",
        ),
        *("__import__('os').getcwd()", "print(2)", "tanh()", "tanh(1, 2)", "1e999", "9**9**9**9"),
        *(
            "(" * 50 + "2" + ")" * 50,
            "2" * (LONGEST + 1),
            "1" * 119,
            "\0",
            "'" * 9,
            "f'{a}'",
            "True",
        ),
        *(
            "1j",
            "a[0]",
            "x := 2",
            "*a",
            "nan",
            "inf",
            "0/0",
            "log(-1)",
            "2 2",
            "“2”",
            "ⅷ",
            "a.grad()",
        ),
    ],
)
def test_no_other_text_is_an_answer(text: str) -> None:
    found = answered(asked(CHAIN), "a.grad", text)
    assert found.outcome in (UNREAD, WRONG)
    assert found.outcome == WRONG or found.says


@given(text=st.text(max_size=LONGEST))
def test_any_text_is_judged(text: str) -> None:
    assert answered(asked(CHAIN), "a.grad", text).outcome in (RIGHT, WRONG, UNREAD)


def test_three_digits_are_enough_and_the_tolerance_can_be_set() -> None:
    found = asked(NEURON)  # 1 − tanh(0.5)² = 0.786448
    assert answered(found, "n.grad", "0.786").outcome == RIGHT
    assert answered(found, "n.grad", "0.7864").outcome == RIGHT
    assert answered(found, "n.grad", "1 - tanh(0.5)**2").outcome == RIGHT
    assert answered(found, "n.grad", "0.78").outcome == WRONG
    assert answered(asked(NEURON, "gradients,tolerance=0.01"), "n.grad", "0.78").outcome == RIGHT


def test_an_answer_of_zero_is_not_within_every_tolerance() -> None:
    found = asked("a = 0.0\nb = 2.0\nL = a*b")
    assert answered(found, "b.grad", "0").outcome == RIGHT
    assert answered(found, "b.grad", "0.1").outcome == WRONG


def test_numbers_as_shown_are_enough_where_shares_nearly_cancel() -> None:
    found = asked("a = 1.0\nL = tanh(a) - 0.999*tanh(a)")  # 0.001 · (1 − 0.76159²) = 0.00041997
    assert answered(found, "a.grad", "0.42 - 0.4196").outcome == RIGHT  # 0.41997 and 0.41955
    assert answered(found, "a.grad", "0").outcome == WRONG
    exact = asked("a = 2.0\nL = a*a - 3.99*a")  # 0.01, from numbers that are shown whole
    assert answered(exact, "a.grad", "0.0101").outcome == WRONG


def test_value_with_many_uses_has_short_hints() -> None:
    found = asked("a = 2.0\nL = " + " + ".join(["a"] * 40), "a.grad")
    (question,) = found.questions
    assert (question.answer, len(question.contributions)) == (40, 40)
    said = hint(found, question, 1, known(found)).words
    assert "a is used 40 times" in said
    assert len(said) < 1500
    assert judge(found, question, "39", known(found)).kind == "forgotten contribution"


# Recognised mistakes: the wrong number of each is computed by hand


@for_each(
    ("program", "label", "typed", "kind"),
    [
        (CHAIN, "a.grad", "6", "exchanged"),  # 3 · 2 instead of −1 · 2
        (CHAIN, "b.grad", "-6", "sign"),
        (CHAIN, "b.grad", "3", "no incoming gradient"),  # a alone
        (CHAIN, "b.grad", "2", "no local slope"),
        (CHAIN, "c.grad", "4", "data"),
        (CHAIN, "b.grad", "5", "added"),  # 3 + 2
        (TWICE, "b.grad", "2", "last contribution"),
        (TWICE, "b.grad", "6", "one contribution"),
        (TWICE, "b.grad", "12", "multiplied contributions"),
        (TWICE, "b.grad", "-4", "sign of a contribution"),
        (TWICE, "b.grad", "20", "lowered"),  # 2·3² + 2
        (TWICE, "b.grad", "5", "dropped"),  # 3 + 2: the factor 2 of 2·b
        (TWICE, "b.grad", "9", "exchanged"),  # 6 + 3
        (NEURON, "n.grad", "0.537883", "power"),  # 1 − y
        (NEURON, "n.grad", "0.462117", "no derivative"),  # y
        (NEURON, "n.grad", "0.75", "input"),  # 1 − x²
        (NEURON, "x.grad", "0.786448", "no local slope"),
        ("a = 6.0\nb = 3.0\nq = a/b", "b.grad", "0.667", "sign"),
        ("a = 6.0\nb = 3.0\nq = a/b", "b.grad", "-2", "dropped"),  # −y
    ],
)
def test_likely_thought_is_recognised(program: str, label: str, typed: str, kind: str) -> None:
    found = answered(asked(program), label, typed)
    assert (found.outcome, found.kind) == (WRONG, kind), found
    assert found.says.endswith((".", "?"))


def test_slopes_whose_sum_is_beyond_the_floats_are_no_thought() -> None:
    found = asked("a = 1.0\nb = 1.5e308\nL = (a*b + a*b/2) * 1e-308")
    at = labels(found).index("a.grad")
    assert answered(found, "a.grad", "9") == Judgement(WRONG, 9.0)
    assert found.questions[at].answer == pytest.approx(2.25)


def test_mistakes_of_the_forward_pass() -> None:
    found = asked("a = 3.0\nb = 2.0\nL = a - b", "forward")
    assert answered(found, "L.data", "-1").kind == "exchanged"
    plus = answered(found, "L.data", "5")
    assert (plus.kind, "what + gives" in plus.says) == ("operation", True)


def test_thought_shows_numbers_that_are_known_alone() -> None:
    found = asked(CHAIN, "gradients,any")
    at = labels(found).index("a.grad")
    hidden = judge(found, found.questions[at], "6", known(found))
    assert (hidden.kind, "3 × 2" in hidden.says) == ("exchanged", False)
    assert "6 is 3 × 2" in answered(found, "a.grad", "6").says
    twice = asked("a = 2.0\nb = 5.0\nc = a*b\nd = c*a")  # a.grad is c + b·2 = 20; 14 is 10 + 2·2
    assert "14 is 4 + 10, and 4 is 2 × 2: a’s own" in answered(twice, "a.grad", "14").says


def test_slips_come_from_the_partials_of_every_operation() -> None:
    by_text = {
        op.name: [s.text for i in range(len(op.params)) for s in slips(op, i)]
        for op in OPS.values()
    }
    assert by_text["*"] == ["a", "b"]
    assert {"a ** (b - 1)", "b * a ** b", "a * b ** (a - 1)"} <= {*by_text["**"]}
    for op in OPS.values():
        for slot, right in enumerate(op.partials):
            point = op.samples[0]
            y = op.compute(*point)
            for slip in slips(op, slot):
                assert slip.text != right
                assert isinstance(slip.compute(y, *point), float | int)


# Hints


def test_hints_in_three_grades() -> None:
    found = asked(CHAIN)
    question = found.questions[4]
    know = known(found, [q.key for q in found.questions[:4]])
    first, second, third = (hint(found, question, grade, know) for grade in range(1, GRADES + 1))
    assert first.words == "Through × in a*b: a receives the gradient of a*b times b."
    assert seen(second.formula) == "∂L∂a=b·∂L∂(a·b)"
    assert seen(third.formula) == "∂L∂a=−1·2"
    assert seen(formula(found, question, know, result=True)) == "∂L∂a=−1·2=−2"


def test_hints_for_several_shares_a_case_and_the_forward_pass() -> None:
    found = asked(TWICE)
    know = known(found, [q.key for q in found.questions])
    b = found.questions[-1]
    assert hint(found, b, 1, know).words.startswith("b is used 2 times: add up")
    assert seen(hint(found, b, 3, know).formula) == "∂e∂b=2·3·1+2·1"
    relu = asked("a = -2.0\nb = 3.0\nL = relu(a)*b")
    last = relu.questions[-1]
    assert seen(hint(relu, last, 3, known(relu, [relu.questions[0].key])).formula) == "∂L∂a=0·3"
    forward = asked(NEURON, "forward")
    n = forward.questions[1]
    assert (
        seen(hint(forward, n, 3, known(forward, [forward.questions[0].key])).formula) == "n=−1+1.5"
    )


def test_hint_with_numbers_keeps_what_is_still_hidden() -> None:
    found = asked(CHAIN, "gradients,any")
    assert seen(hint(found, found.questions[4], 3, known(found)).formula) == "∂L∂a=−1·∂L∂(a·b)"
    both = asked(CHAIN, "both,any")
    at = labels(both).index("f.grad")
    assert seen(hint(both, both.questions[at], 3, known(both)).formula) == "∂L∂f=a·b+c·1"


def test_every_operation_has_its_hints() -> None:
    for op in OPS.values():
        if op.module or not op.is_word:
            continue
        point = op.samples[0]
        lines = [f"{name} = {x!r}" for name, x in zip("ab", point, strict=False)]
        text = "\n".join([*lines, f"L = 2 * {op.name}({', '.join('ab'[: len(point)])})"])
        found = asked(text)
        for question in found.questions:
            for grade in range(1, GRADES + 1):
                shown = hint(found, question, grade, known(found))
                assert shown.words or "data-slot" not in shown.formula
                assert shown.words or shown.formula


# Score


def test_score_counts_by_kind_of_step() -> None:
    found = asked(CHAIN)
    marks = [Mark(1, 0, "right"), Mark(0, 1, "right"), *[Mark(0, 0, "right")] * 2, Mark(1), Mark()]
    counted = score(found, marks)
    assert counted[:5] == (6, 4, 3, 1, 0)
    rows = {row.kind.symbol: (row.kind.words, row.first, row.begun) for row in counted.rows}
    assert rows == {"+": ("passes the gradient on", 2, 2), "×": ("swaps the inputs", 1, 3)}
    assert not counted.is_done
    assert score(found, [Mark(0, 0, "shown")] * 6).is_done


def test_rules_of_kinds() -> None:
    said = {name: rule(OPS[name]) for name in ("+", "-", "*", "neg", "tanh", "relu", "/")}
    assert len({*said.values()}) == len(said)
    assert said["relu"] == "passes the gradient on or stops it"


# Other numbers


def test_renewed_numbers_are_others_and_the_same_for_the_same_seed() -> None:
    leaves = {"a": 3.0, "b": -1.0, "c": 4.0, "f": 2.0}
    drawn = [renewed(lambda x: trace(CHAIN, x), leaves, Task(), seed) for seed in "11234"]
    assert drawn[0] == drawn[1]
    assert len({tuple(one.values()) for one in drawn}) == 4
    for numbers in drawn:
        answers = [q.answer for q in exercise(trace(CHAIN, numbers), Task()).questions]
        assert all(x != 0 and abs(x) <= 100 and x == int(x) for x in answers)


def test_leaves_that_are_not_finite_get_numbers_of_their_own() -> None:
    numbers = renewed(lambda x: trace(CHAIN, x), {"a": math.nan, "b": math.inf}, Task(), "1")
    assert all(map(math.isfinite, numbers.values()))

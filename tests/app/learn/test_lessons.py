"""Every lesson: its states open, its numbers can be computed, its questions can be answered."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from starlette.testclient import TestClient

from app.learn import course
from app.learn.hints import HINTS
from app.learn.lesson import Lesson, LessonQuestion
from app.learn.page import Course, FormAnswers, StepNumbers
from app.learn.questions import KINDS, as_list, mixed, plain
from app.learn.text import rendered
from app.main import create_app
from app.settings import from_environment
from engine import recording
from tests.support.each import for_each

LESSONS = list(course.lessons().values())
COURSE = Course(from_environment())
QUESTIONS = [
    (lesson, place, question)
    for lesson in LESSONS
    for place, step in enumerate(lesson.steps, 1)
    for question in step.questions
]
NAMES = [f"{lesson.slug}-{place}-{question.index}" for lesson, place, question in QUESTIONS]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=[it.slug for it in LESSONS])
each_question = for_each(("lesson", "step", "question"), QUESTIONS, ids=NAMES)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app()) as made:
        yield made


@each_lesson
def test_every_state_opens(lesson: Lesson, client: TestClient) -> None:
    for step in COURSE.lesson(lesson.slug).steps:
        for address in (step.shown.address, *(it.address for it in step.shown.pictures)):
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert "needs a number" not in answer.text


@each_lesson
def test_a_lesson_is_a_page_with_a_step_of_its_own_address(
    lesson: Lesson, client: TestClient
) -> None:
    last = len(lesson.steps)
    text = client.get(f"/learn/{lesson.slug}?step={last}").text
    assert lesson.title in unescape(text)
    assert re.findall(r'id="step-(\d+)"[^>]*aria-current="step"', text) == [str(last)]
    assert [int(n) for n in re.findall(r'<li class="step" id="step-(\d+)"', text)] == list(
        range(1, last + 1)
    )


@each_lesson
def test_what_comes_before_is_earlier_in_the_course(lesson: Lesson) -> None:
    assert all(course.number_of(slug) < course.number_of(lesson.slug) for slug in lesson.after)
    assert 5 <= lesson.minutes <= 20


def right_answers(question: LessonQuestion, numbers: StepNumbers) -> list[str]:
    """The answers that a reader who knows would give."""
    table = question.table
    if question.kind == "number":
        return [repr(float(numbers.value(text))) for text in as_list(table["answer"])]
    if question.kind == "choice":
        return [str(next(k for k, option in enumerate(table["option"]) if option.get("right")))]
    if question.kind == "order":
        places = {line: str(k) for k, line in enumerate(table["lines"], 1)}
        return [places.get(line, "") for line in mixed(question)]
    return [table["solution"]]


@each_question
def test_the_right_answer_is_right(lesson: Lesson, step: int, question: LessonQuestion) -> None:
    answers = right_answers(question, COURSE.numbers(lesson, step))
    reply = COURSE.reply(lesson.slug, step, question.index, "check", FormAnswers(answers, 0))
    assert (reply.outcome, bool(reply.says)) == ("right", True)


@each_question
def test_wrong_answers_are_refused_with_their_thought(
    lesson: Lesson, step: int, question: LessonQuestion
) -> None:
    numbers = COURSE.numbers(lesson, step)
    right = right_answers(question, numbers)
    for answers, says in wrong_answers(question, numbers, right):
        reply = COURSE.reply(lesson.slug, step, question.index, "check", FormAnswers(answers, 0))
        assert reply.outcome == "not-yet", answers
        if says:
            assert str(numbers.prose(says)).split("</p>")[0].removeprefix("<p>") in str(reply.says)


def wrong_answers(
    question: LessonQuestion, numbers: StepNumbers, right: list[str]
) -> Iterator[tuple[list[str], str]]:
    """Answers that are foreseen, with what is said of them, and some that are not."""
    table = question.table
    yield [], ""
    if question.kind == "number":
        for wrong in table.get("wrong", []):
            field = wrong.get("field", 1) - 1
            typed = repr(float(numbers.value(str(wrong["answer"]))))
            yield [*right[:field], typed, *right[field + 1 :]], wrong["says"]
        yield [repr(float(right[0]) + abs(float(right[0])) + 1), *right[1:]], ""
        yield ["ten", *right[1:]], ""
    elif question.kind == "choice":
        for k, option in enumerate(table["option"]):
            if not option.get("right"):
                yield [str(k)], option["says"]
    elif question.kind == "order":
        yield [str(len(right) - k) for k in range(len(right))], ""
        yield ["1"] * len(right), ""
    else:
        yield [table.get("start", "")], ""
        yield ["a = = 2"], ""


@each_question
def test_any_text_is_answered_and_shown_as_it_was_typed(
    lesson: Lesson, step: int, question: LessonQuestion
) -> None:
    for text in ("[[b.grad]] **9** `<b>`", "[[x", "9" * 5000, "²"):
        reply = COURSE.reply(lesson.slug, step, question.index, "check", FormAnswers([text] * 9, 0))
        assert reply.outcome == "not-yet"
        if question.kind == "order" and "b.grad" in text:
            assert "“[[b.grad]] **9** `&lt;b”" in reply.says


@pytest.mark.usefixtures("sandboxed")
def test_a_text_that_never_ends_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each kind of question one: a program runs until it is stopped."""
    inside = recording.run_inside
    monkeypatch.setattr(
        recording, "run_inside", lambda text, _, *export: inside(text, 0.2, *export)
    )
    of_kinds = {question.kind: (lesson, step, question) for lesson, step, question in QUESTIONS}
    for lesson, step, question in of_kinds.values():
        answers = FormAnswers(["9**9**9"] * 9, 0)
        reply = COURSE.reply(lesson.slug, step, question.index, "check", answers)
        assert reply.outcome == "not-yet"


@each_question
def test_hints_come_one_by_one_and_the_solution_when_asked_for(
    lesson: Lesson, step: int, question: LessonQuestion
) -> None:
    assert len(question.table["hints"]) == len(HINTS)
    for shown in range(len(HINTS)):
        reply = COURSE.reply(lesson.slug, step, question.index, "hint", FormAnswers([], shown))
        assert [title for title, _ in reply.hints] == list(HINTS[: shown + 1])
    last = COURSE.reply(lesson.slug, step, question.index, "show", FormAnswers([], 0))
    assert last.outcome == "shown"
    said = shown_text(last.solution)
    for text in stated(question):
        assert text in said


def stated(question: LessonQuestion) -> list[str]:
    """Texts of programs in a solution: the labels of numbers, lines, the program."""
    labels = as_list(question.table.get("label", []))
    lines = question.table.get("lines") or question.table.get("solution", "").splitlines()
    return [" ".join(text.split()) for text in [*labels, *lines]]


def shown_text(html: str) -> str:
    """What a reader sees of HTML."""
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


@given(
    st.text("*_`[](){}<>&\\#+-.!|~=: \n\t19ab") | st.text(st.characters(exclude_categories=["C"]))
)
def test_a_text_of_a_program_is_shown_as_it_is(text: str) -> None:
    found = str(rendered(plain(text), number=no_numbers, labels={}))
    assert shown_text(found) == " ".join(text.split())
    assert set(re.findall("<[^>]*>", found)) <= {"<p>", "</p>"}


def no_numbers(text: str) -> Markup:
    pytest.fail(f"{text} is read as a number")


def test_the_labels_of_numbers_keep_their_asterisks() -> None:
    lesson = next(it for it in LESSONS if it.slug == "chain-rule")
    (question,) = lesson.steps[6].questions
    shown = COURSE.reply(lesson.slug, 7, question.index, "show", FormAnswers([], 0))
    assert "(a*b + c).grad = 2, c.grad" in shown_text(shown.solution)
    first, _, *others = right_answers(question, COURSE.numbers(lesson, 7))
    for answers in ([first, "99", *others], [first, "", *others]):
        reply = COURSE.reply(lesson.slug, 7, question.index, "check", FormAnswers(answers, 0))
        assert "(a*b + c).grad" in shown_text(reply.says)


@each_question
def test_answers_are_not_in_the_page(
    lesson: Lesson, step: int, question: LessonQuestion, client: TestClient
) -> None:
    text = client.get(f"/learn/{lesson.slug}").text
    table = question.table
    hidden = [table["right"], *table["hints"], table.get("reveal", "")]
    hidden += [wrong.get("says", "") for wrong in table.get("wrong", []) + table.get("option", [])]
    prose = COURSE.numbers(lesson, step).prose
    for secret in hidden:
        assert not secret or str(prose(secret)).strip() not in text
    if question.kind != "choice":  # its answer is one of the texts to choose from
        assert KINDS[question.kind].answer(question) not in text


def test_a_lesson_can_be_framed_by_any_site_as_one_page(client: TestClient) -> None:
    answer = client.get("/embed/learn/accumulate")
    assert "frame-ancestors *" in answer.headers["content-security-policy"]
    frames = re.findall(r'<iframe src="([^"]+)"', answer.text)
    assert len(frames) == 7
    assert "lesson.js" not in answer.text
    for address in map(unescape, frames):
        framed = client.get(address)
        assert (framed.status_code, "frame-ancestors *" in str(framed.headers)) == (200, True)
    assert "frame-ancestors 'self'" in str(client.get("/learn/accumulate").headers)
    assert client.get("/embed/learn/nothing").status_code == 404


def test_a_question_is_answered_without_scripts(client: TestClient) -> None:
    lesson, step, question = QUESTIONS[0]
    fields = {"step": str(step), "question": str(question.index), "act": "show"}
    page = client.post(f"/learn/{lesson.slug}/answer", data=fields)
    assert page.status_code == 200
    assert '<div class="shown">' in page.text
    assert lesson.title in unescape(page.text)
    part = client.post(f"/learn/{lesson.slug}/answer", data=fields, headers={"hx-request": "true"})
    assert "<html" not in part.text
    assert '<div class="shown">' in part.text


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/learn/nothing/answer", {"step": "1", "question": "0"}, 404),
        (f"/learn/{LESSONS[0].slug}/answer", {}, 422),
        (f"/learn/{LESSONS[0].slug}/answer", {"step": "99", "question": "0"}, 422),
        (f"/learn/{LESSONS[0].slug}/answer", {"step": "1", "question": "99"}, 422),
        (f"/learn/{LESSONS[0].slug}/answer", {"step": "0", "question": "0"}, 422),
        (f"/learn/{LESSONS[0].slug}/answer", {"step": "1", "question": "0", "act": "x"}, 422),
    ],
)
def test_forms_that_name_no_question_are_refused(
    path: str, fields: dict[str, str], status: int, client: TestClient
) -> None:
    assert client.post(path, data=fields).status_code == status


def test_the_map_links_to_every_lesson(client: TestClient) -> None:
    text = client.get("/learn").text
    assert all(f'href="/learn/{lesson.slug}"' in text for lesson in LESSONS)
    for former, now in (
        ("/lessons", "/learn"),
        ("/lessons?part=2", "/learn?part=2"),
        ("/lessons/order?step=3", "/learn/order?step=3"),
        ("/lessons/%0D%0Ax", "/learn/%0D%0Ax"),
    ):
        assert client.get(former, follow_redirects=False).headers["location"] == now
    assert client.get("/learn/nothing").status_code == 404


@for_each(
    ("typed", "outcome"),
    [("0,14", "right"), (",14", "right"), ("0.14", "right"), ("14/100", "right"), ("140,000", "")],
)
def test_a_decimal_comma_is_read_unless_it_may_group_thousands(typed: str, outcome: str) -> None:
    """The slope 14 times a nudge of 0.01; 140,000 may mean 140 as well as a hundred thousand."""
    reply = COURSE.reply("nudge", 5, 0, "check", FormAnswers([typed], 0))
    assert reply.outcome == (outcome or "not-yet")


@for_each("typed", ["log(3)", "ln 3", "ln(3)", "-ln(1/3)", "1,0986", "log 3.0"])
def test_logarithms_are_read_as_they_are_written(typed: str) -> None:
    """Guessing among three costs ln 3 = 1.0986; the gradients are 1/3, −2/3, 1/3."""
    reply = COURSE.reply("softmax", 5, 0, "check", FormAnswers([typed, "1/3", "-2/3", "1/3"], 0))
    assert reply.outcome == "right"


@for_each("typed", ["log(0)", "log(-1)", "exp(9999)", "log()", "log(1, 2)", "tanh", "9^9^9"])
def test_formulas_without_a_number_are_refused(typed: str) -> None:
    reply = COURSE.reply("softmax", 5, 0, "check", FormAnswers([typed, "1/3", "-2/3", "1/3"], 0))
    assert reply.outcome == "not-yet"

"""The page of an exercise: forms without scripts, hostile input, addresses, paper."""

import re
import time
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.exercise.address import CHECK, KEY, NEW, RENEWED, SHEET, read
from app.learn import course
from tests.support.each import for_each
from tests.support.own_classes import RIGHT, TWO_PASSES, WRONG
from tests.support.pages import Html, client
from tests.support.pages import read as parsed

CHAIN = "a = 3.0\nb = -1.0\nc = 4.0\nf = 2.0\nL = (a*b + c) * f"
IN_ORDER = ("2", "1", "2", "2", "-2", "6")  # by hand: (a*b + c), f, a*b, c, a, b
SITE: TestClient = client()


def query(program: str = CHAIN, task: str = "gradients", **more: str) -> str:
    return urlencode({"program": program, **more, "exercise": task})


def fields(page: Html) -> dict[str, str]:
    """The fields of the form of answers as a browser without scripts would send them."""
    found = {}
    for element in page.all("input"):
        has = element.attributes
        if has.get("form") == "answers" or has.get("name") == "token":
            found[has["name"]] = has.get("value", "")
    return found


class Student:
    """Someone without scripts, who fills in the form of the page."""

    def __init__(self, address: str, site: TestClient = SITE) -> None:
        self.site, self.address = site, address
        self.html = site.get(address).text

    @property
    def page(self) -> Html:
        return parsed(self.html)

    def send(self, act: str, **typed: str) -> "Student":
        form = fields(self.page) | typed | {"act": act}
        answer = self.site.post(self.address, data=form)
        assert answer.status_code == 200
        self.html = answer.text
        return self

    def answer(self, text: str) -> "Student":
        return self.send("check", answer=text)

    @property
    def reply(self) -> str:
        return self.page.one("div", id="reply").text

    @property
    def heading(self) -> str:
        return self.page.one("h2", id="question").text

    @property
    def count(self) -> str:
        return self.page.one("p", class_="count").text


def student(program: str = CHAIN, task: str = "gradients") -> Student:
    return Student(f"/exercise?{query(program, task)}")


# A run without scripts


def test_exercise_is_solved_by_forms_alone() -> None:
    one = student()
    assert one.heading == "Through × in L: what is the gradient of a*b + c?"
    for number, text in enumerate(IN_ORDER, 1):
        one.answer(text)
        assert one.count.startswith(f"{number} of 6 right, {number} at the first try")
        assert one.page.one("div", id="reply").has(class_="right")
    assert one.heading == "All done"
    one.send("result", name="Ada | Lovelace")
    line = one.page.one("textarea", id="line").text
    assert line.startswith("seegrad 2 | Ada Lovelace | ")
    assert "| L = (a*b + c) * f | right 6 of 6 | first 6 | hints 0 | shown 0 |" in line
    checked = SITE.post(CHECK, data={"lines": line, "addresses": f"https://x.org{one.address}"})
    page = parsed(checked.text)
    assert page.one("h2", id="checked").text == "1 of 1 genuine"
    assert "L = (a*b + c) * f" in [e.text for e in page.all("a")]


def test_wrong_answer_gets_its_thought_and_counts_once() -> None:
    one = student()
    for text in IN_ORDER[:4]:
        one.answer(text)
    one.answer("6")
    assert "6 is 3 × 2: a’s own number" in one.reply
    assert one.page.one("input", id="answer").has(value="6", aria_invalid="true")
    one.answer("6").answer(" 6 ").send("hint")
    assert "6 is 3 × 2" in one.reply  # stays beside the hint
    one.answer("-2").answer("6")
    assert one.count == "6 of 6 right, 5 at the first try"
    rows = {cell.text for cell in one.page.all("td")}
    assert rows == {"2 of 2 at the first try", "3 of 4 at the first try"}


def test_unread_answer_is_no_try() -> None:
    one = student().answer("two").answer("f.grad").answer("2")
    assert one.count == "1 of 6 right, 1 at the first try"


def test_hints_come_one_by_one_and_the_answer_only_when_asked_for() -> None:
    one = student()
    for grade, text in enumerate(("receives the gradient of L times f", "∂L", "2·1"), 1):
        one.send("hint")
        shown = [e for e in one.page.all("li", class_="hint") if e.has(class_="shown")]
        assert len(shown) == grade
        assert text in re.sub(r"\s", "" if "·" in text else " ", shown[-1].text)
    one.send("hint").send("show")
    assert one.page.one("div", id="reply").has(class_="shown")
    assert one.count == "0 of 6 right, 0 at the first try"
    for text in IN_ORDER[1:]:
        one.answer(text)
    one.send("result", name="Bo")
    assert (
        "| right 5 of 6 | first 5 | hints 3 | shown 1 |" in one.page.one("textarea", id="line").text
    )


def test_card_fields_and_the_question_s_own_field_are_one() -> None:
    one = student()
    one.send("check", q1="2")
    assert one.count.startswith("1 of 6")
    one.send("check", q2="5")
    assert one.page.one("input", id="answer").has(value="5")
    one.send("check", q2="1")
    assert one.count.startswith("2 of 6 right, 1 at the first try")
    one.send("check", q6="6")
    assert one.count.startswith("2 of 6")  # not asked yet


def test_any_order_takes_all_that_is_typed() -> None:
    one = student(task="gradients,any")
    assert (
        len([e for e in one.page.all("input") if e.attributes.get("name", "").startswith("q")]) == 6
    )
    one.send("check", q6="6", q5="-2", q4="7")
    assert one.count == "2 of 6 right, 2 at the first try"
    assert one.heading == "Through + in a*b + c: what is the gradient of c?"
    one.send("go:0")
    assert one.heading.endswith("gradient of a*b + c?")
    assert one.page.one("input", name="q4").has(value="7")


def test_numbers_to_hide_are_chosen() -> None:
    answer = SITE.post(
        f"/exercise?{query()}",
        data={"act": "choose", "number": ["v1.grad", "v5.data"]},
        follow_redirects=False,
    )
    assert answer.status_code == 303
    assert answer.headers["location"].endswith("exercise=v1.grad%2Cv5.data")
    assert (
        parsed(SITE.get(answer.headers["location"]).text)
        .one("p", class_="count")
        .text.startswith("0 of 2")
    )


def test_too_many_numbers_are_chosen_from() -> None:
    lines = [f"x{i} = {i}.0" for i in range(70)]
    program = "\n".join([*lines, "L = " + " + ".join(f"x{i}" for i in range(70))])
    page = parsed(SITE.get(f"/exercise?{query(program)}").text)
    boxes = page.all("input", name="number")
    assert len(boxes) == 120
    address = page.one("form", class_="choose-alone").attributes["action"]
    chosen = SITE.post(address, data={"act": "choose", "number": boxes[0].attributes["value"]})
    assert parsed(chosen.text).one("p", class_="count").text.startswith("0 of 1")


def test_token_that_is_changed_cut_or_of_another_exercise_begins_again() -> None:
    one = student().answer("2").answer("1")
    token = fields(one.page)["token"]
    body, _, signature = token.partition(".")
    other = fields(student(task="gradients,any").page)["token"]
    forged = (
        token[:-1],
        token[:-2] + "AA",
        body,
        "",
        f"{body}.",
        f"x{token}",
        f"{body}A.{signature}",
        other,
    )
    for text in (*forged, "é.ß", "." * 99, "a" * 30_000):
        again = Student(one.address).send("check", token=text, answer="2")
        assert again.count.startswith("0 of 6"), text
        assert "begins again" in again.page.one("p", class_="warning").text


def test_result_waits_for_the_end_and_a_name() -> None:
    one = student()
    one.send("result", name="Ada")
    assert not one.page.all("textarea", id="line")
    for text in IN_ORDER:
        one.answer(text)
    one.send("result", name="  ")
    assert "Type your name" in one.page.one("p", class_="warning").text


# Addresses


def test_lesson_that_set_it_is_named_and_no_part_of_it() -> None:
    lesson = next(iter(course.lessons().values()))
    one = Student(f"/exercise?{query()}&from={lesson.slug}")
    assert lesson.title in one.page.one("a", href=f"/learn/{lesson.slug}").text
    assert f"/learn/{lesson.slug}" in one.answer("2").html
    plain = read([("program", CHAIN)])
    assert read([("program", CHAIN), ("from", lesson.slug)]).digest == plain.digest
    assert SITE.get(f"/exercise?{query()}&from=nowhere").status_code == 200


def test_explore_s_address_leads_to_the_exercise() -> None:
    answer = SITE.get(f"/?{query()}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/exercise?{query()}")


def test_leaf_called_exercise_stays_a_leaf() -> None:
    program = "exercise = 2.0\nL = exercise * 3"
    page = SITE.get("/", params={"program": program, "exercise": "5"}, follow_redirects=False)
    assert page.status_code == 200
    asked = read([("program", program), ("exercise", "5")])
    assert (asked.view.leaves, asked.task.hide) == ({"exercise": 5.0}, "gradients")
    assert "15.0000" in SITE.get("/exercise", params={"program": program, "exercise": "5"}).text


def test_leaves_are_those_of_explore() -> None:
    one = Student(f"/exercise?{query(a='5.5', b='2.0')}")
    assert "5.5000" in one.html
    for text in ("2", "15", "2", "2", "4"):  # 5.5·2 + 4 = 15; a receives 2·2
        one.answer(text)
    assert one.count.startswith("5 of 6 right, 5")


def test_new_numbers_are_other_ones() -> None:
    answer = SITE.get(f"{RENEWED}?{query()}", follow_redirects=False)
    assert answer.status_code == 303
    leaves = read(list(parsed_query(answer.headers["location"]))).view.leaves
    assert {*leaves} == {*"abcf"}
    assert leaves != {"a": 3, "b": -1, "c": 4, "f": 2}
    again = SITE.get(answer.headers["location"].replace("/exercise?", f"{RENEWED}?"))
    assert str(again.url) != answer.headers["location"]


def parsed_query(address: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(address).query)


@for_each(
    ("address", "message"),
    [
        (f"/exercise?{query('a = ')}", "Line 1"),
        (f"/exercise?{query('print(1)')}", "computes nothing"),
        (f"/exercise?{query(CHAIN, 'z.grad')}", "Nothing is hidden"),
        (f"{SHEET}?{query('L = log(Value(0.0))')}", "cannot be asked for"),
        (f"/exercise?{query()}&program=2", "given twice"),
        ("/exercise?packed=zz", "packed"),
    ],
)
def test_what_gives_no_exercise_is_said(address: str, message: str) -> None:
    answer = SITE.get(address)
    is_program = message in ("Line 1", "given twice", "packed")
    assert answer.status_code == (422 if is_program else 200)
    assert message in unescape(answer.text)


HOSTILE = "<script>alert(1)</script>\"'&"


def test_hostile_texts_are_escaped() -> None:
    program = f"a = Value(2.0, label={HOSTILE!r})\nL = a * 3  # {HOSTILE}"
    address = f"/exercise?{query(program)}"
    one = Student(address).answer(HOSTILE).send("hint").send("hint").send("hint").answer("3")
    one.send("result", name=HOSTILE)
    pages = [one.html, SITE.get(f"{SHEET}?{query(program)}").text]
    line = one.page.one("textarea", id="line").text
    pages.append(SITE.post(CHECK, data={"lines": line + HOSTILE, "addresses": HOSTILE}).text)
    pages.append(SITE.get(NEW, params={"difficulty": HOSTILE, "seed": HOSTILE}).text)
    for html in pages:
        assert "alert(1)</script" not in html
        assert not parsed(html).all("script", src="")


@given(
    act=st.one_of(
        st.sampled_from(["check", "hint", "show", "result", "go:1", "go:99999", "go:-1"]),
        st.text(max_size=8),
    ),
    texts=st.dictionaries(
        st.sampled_from(["answer", "before", "q1", "q6", "name"]), st.text(max_size=30)
    ),
)
@settings(max_examples=40)
def test_any_form_is_answered(act: str, texts: dict[str, str]) -> None:
    form = {"token": TOKEN, "act": act} | texts
    sent = urlencode(form, errors="replace")
    answer = SITE.post(
        f"/exercise?{query()}",
        content=sent,
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code in (200, 303)


TOKEN = fields(student(task="gradients").page)["token"]


# Paper


def test_sheet_asks_and_the_key_answers() -> None:
    sheet = SITE.get(f"{SHEET}?{query(task='gradients')}").text
    assert [e.text for e in parsed(sheet).all("span", class_="number")] == [*"123456"]
    assert not [text for text in (">6.0000<", ">−2.0000<") if text in sheet]
    assert SITE.get(f"{KEY}?{query()}").status_code == 403
    made = SITE.post(NEW, data={"count": "0", "programs": CHAIN})  # leads to the teacher's page
    href = next(e.attributes["href"] for e in parsed(made.text).all("a") if e.text == "Key 1")
    key = parsed(SITE.get(href).text)
    assert [e.text.replace("−", "-") for e in key.all("b", class_="solution")] == [*IN_ORDER]
    assert "∂L∂a=−1·2=−2" in re.sub(r"\s", "", key.one("ol", class_="questions").text)


def test_fresh_exercise_has_links_and_a_class() -> None:
    page = parsed(SITE.get(NEW, params={"difficulty": "3", "seed": "7"}).text)
    hrefs = [e.attributes["href"] for e in page.all("a") if "seed=7&" in e.attributes["href"]]
    assert {SITE.get(href).status_code for href in hrefs} == {200}
    assert len(hrefs) == 2


def test_time_is_that_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_000_000.0)
    one = student()
    for text in IN_ORDER[:-1]:
        one.answer(text)
    monkeypatch.setattr(time, "time", lambda: 1_000_000_090.0)
    one.answer(IN_ORDER[-1])
    monkeypatch.setattr(time, "time", lambda: 1_000_009_999.0)
    one.send("result", name="Ada")
    assert "| 90 s | 2001-09-09 01:48 UTC |" in one.page.one("textarea", id="line").text


def test_class_of_the_program_s_own_is_asked_as_the_built_in_one() -> None:
    one = student(f"{RIGHT}\na = Scalar(2.0)\nb = Scalar(-3.0)\nL = a * b + a\nL.backward()")
    for text in ("1", "-2", "2"):  # a*b, then a: −3 + 1, and b
        one.answer(text)
    assert one.count.startswith("3 of 3 right, 3")


def test_wrong_gradients_of_a_class_are_not_asked_for() -> None:
    answer = SITE.get(f"/exercise?{query(WRONG + TWO_PASSES)}")
    assert "cannot be asked for" in answer.text

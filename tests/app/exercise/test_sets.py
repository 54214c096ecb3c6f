"""A set of exercises: one link for a class, another for its teacher, and a table of results."""

from __future__ import annotations

import csv
from urllib.parse import urlencode

from app.exercise.address import CHECK, NEW, read
from app.exercise.checking import checked
from app.exercise.class_table import class_table
from app.exercise.result_line import StudentResult
from app.exercise.sets import ExerciseSet, place_of, read_set, teacher_href, token
from app.exercise.signing import Key
from tests.app.exercise.test_page import CHAIN, IN_ORDER, Student, fields
from tests.support.each import for_each
from tests.support.pages import client
from tests.support.pages import read as parsed

SITE = client()
KEY = Key(b"a key of sixteen characters")
PRODUCT = "a = 2.0\nb = 3.0\nL = a*b"  # the gradients of a and b: 3 and 2
FORM = {"title": "Monday", "count": "0", "programs": f"{CHAIN}\n---\n{PRODUCT}", "closed": "on"}


def made(**changes: str) -> str:
    """The teacher's link of a set."""
    answer = SITE.post(NEW, data=FORM | changes, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def refused(**changes: str) -> str:
    answer = SITE.post(NEW, data=FORM | changes, follow_redirects=False)
    assert answer.status_code == 200
    return parsed(answer.text).one("p", class_="warning").text


def test_set_is_played_as_one_and_handed_in_at_its_end() -> None:
    teacher = made(names="Ada Lovelace\nBo")
    link = teacher.partition("&teacher=")[0]
    start = parsed(SITE.get(link).text)
    one = Student(start.one("form").attributes["action"])
    one.send("begin", name="Lovelace, Ada")
    for shown in ("Open in Explore", "New numbers", "Print", "Key"):
        assert shown not in one.page.one("main").text
    for text in IN_ORDER:
        one.answer(text)
    go = next(e for e in one.page.all("button") if "formaction" in e.attributes)
    form = fields(one.page) | {"act": "begin"}
    other = Student(go.attributes["formaction"])
    other.html = SITE.post(other.address, data=form).text
    assert "exercise 2 of 2 · Lovelace, Ada" in other.page.one("p", class_="crumbs").text
    other.answer("5").answer("3").answer("2")
    lines = other.page.one("textarea", id="line").text
    page = parsed(
        SITE.post(
            CHECK, data={"lines": lines, "addresses": teacher, "names": "Ada Lovelace\nBo"}
        ).text
    )
    assert page.one("h2", id="checked").text == "2 of 2 genuine"
    assert "Missing, 1: Bo" in [e.text for e in page.all("p", class_="warning")]
    row = [e.text for e in page.all("td")][:3]
    assert row == ["9.4", "2", "8 of 8"]  # 7 at the first try and ½: 7.5 of 8 are 9.375 of 10
    assert {"Monday: 1 of 2", "Monday: 2 of 2"} <= {e.text for e in page.all("a")}


def test_answers_and_paper_need_the_teachers_link() -> None:
    teacher = made()
    page = parsed(SITE.get(teacher).text)
    paper = [e.attributes["href"] for e in page.all("a") if "/exercise/" in e.attributes["href"]]
    papers = [href for href in paper if "teacher=" in href]
    assert len(papers) == 4
    for href in papers:
        assert SITE.get(href).status_code == 200
        assert SITE.get(href.partition("&teacher=")[0]).status_code == 403
        assert SITE.get(href.replace("teacher=", "teacher=x")).status_code == 403
    assert SITE.get(teacher[:-3]).status_code == 403
    assert "Key" not in SITE.get(teacher.partition("&teacher=")[0]).text


def test_each_of_a_class_gets_numbers_of_their_own() -> None:
    names = "\n".join(f"Pupil {k}" for k in range(30))
    page = parsed(SITE.get(made(count="2", seed="5", programs="", names=names)).text)
    links = [
        line.split("\t") for line in page.one("textarea", id="links").text.strip().splitlines()
    ]
    assert [name for name, _ in links] == names.splitlines()
    sets = [read_set(link.partition("?")[2]) for _, link in links]
    programs = [asked.view.program for found in sets if found for asked in found.exercises()]
    assert len(programs) == len(set(programs)) == 60


@for_each(
    ("changes", "words"),
    [
        ({"programs": ""}, "nothing to ask"),
        ({"programs": "a = "}, "Program 1, line 1"),
        ({"programs": f"{CHAIN}\n---\nprint(1)"}, "Program 2"),
        ({"count": "25"}, "at most 20"),
        ({"programs": "a = 2.0\nL = relu(a - 3)"}, "all answers are 0"),
    ],
)
def test_form_says_what_is_wrong_and_keeps_what_was_typed(
    changes: dict[str, str], words: str
) -> None:
    assert words in refused(**changes)
    html = SITE.post(NEW, data=FORM | changes).text
    assert (
        parsed(html).one("textarea", id="programs").text.strip()
        == (FORM | changes)["programs"].strip()
    )


def test_zeros_are_set_if_a_teacher_wants_them() -> None:
    teacher = made(programs="a = 2.0\nL = relu(a - 3)", zeros="on")
    assert "All answers are 0" in SITE.get(teacher).text


def test_place_in_a_set_is_part_of_what_is_signed() -> None:
    found = ExerciseSet("x", "Monday", (urlencode({"program": PRODUCT}),) * 2)
    first, second = found.exercises()
    alone = read([("program", PRODUCT)])
    assert len({first.digest, second.digest, alone.digest}) == 3
    place = place_of(second)
    assert place is not None
    assert (place.number, place.set, place.next) == (2, found, None)
    for text in ("", "0:id=x&item=a", "3:" + found.query, "x", "1:", "²:" + found.query):
        assert place_of(read([("program", PRODUCT), ("in", text)])) is None


def test_damaged_sets_are_refused() -> None:
    for query in ("", "id=x", "item=a", "id=x&item=packed%3Dzz"):
        assert SITE.get(f"/exercise/set?{query}").status_code == 422
    other = ExerciseSet("x", "Monday", ("difficulty=2&seed=1",))
    assert SITE.get(teacher_href(other, (), KEY)).status_code == 403
    assert token(other, KEY) != token(ExerciseSet("y", "Monday", other.items), KEY)


# The class


def result(name: str, exercise: int, first: int, right: int, when: str = "10:00") -> StudentResult:
    digest, kinds = f"{exercise:016x}", f"×: {min(first, 2)} of 2, +: {max(first - 2, 0)} of 2"
    counts = (right, 4, first, 1, 4 - right, 60)
    return StudentResult(name, digest, "Monday", *counts, f"2026-11-28 {when}", kinds)


def test_table_has_marks_who_is_missing_and_what_goes_wrong() -> None:
    results = [
        result("Bo", 1, 4, 4),
        result("  zoë ÅNGSTRÖM", 1, 2, 4),
        result("Ångström, Zoë", 2, 4, 4),
        result("Bo", 1, 0, 4, "11:00"),
        result("Eve", 1, 1, 1),
    ]
    found = class_table(results, ["Zoë Ångström", "Bo", "Ada"], "mark", "20")
    assert [(row.name, row.mark, row.exercises, row.is_known) for row in found.rows] == [
        ("Zoë Ångström", 17.5, 2, True),  # 6 and 2·½ of 8
        ("Bo", 5.0, 1, True),  # the later one: 4·½ of 8
        ("Eve", 2.5, 1, False),
    ]
    assert found.missing == ("Ada",)
    assert [(row.kind, row.first, row.begun) for row in found.kinds] == [
        ("+", 2, 8),
        ("×", 5, 8),
    ]
    for sort, first in (("name", "Bo"), ("right", "Zoë Ångström"), ("x", "Bo"), ("", "Bo")):
        assert class_table(results, ["Bo", "Zoë Ångström"], sort, "nan").rows[0].name == first


def test_result_of_another_exercise_does_not_count() -> None:
    own = ExerciseSet("x", "Monday", ("difficulty=1&seed=1",))
    (asked,) = own.of_pupil("Bo", 1).exercises()
    lines = "\n".join(
        result("Bo", 0, 4, 4)._replace(digest=digest).line(KEY)
        for digest in (asked.digest, "0" * 16)
    )
    found = checked({"lines": lines, "addresses": f"{own.href}&name=Ada&name=Bo"}, KEY)
    assert [row.look for row in found.rows] == ["good", "other"]
    assert [(row.exercises, row.asked) for row in found.table.rows] == [(1, 4)]
    assert "none of the exercises" in found.rows[1].verdict
    assert checked({"lines": lines}, KEY).genuine == 2  # nothing is known of the exercises


def test_class_is_a_table_for_spreadsheets() -> None:
    lines = "\n".join(result(name, 1, 4, 4).line(KEY) for name in ("Bo", "=1+1"))
    found = checked({"lines": lines, "names": "Bo\nAda"}, KEY)
    head, *rows = csv.reader(found.class_csv.splitlines())
    assert head[:3] == ["name", "mark", "out of"]
    assert [row[:2] for row in rows] == [["'=1+1", "10.0"], ["Bo", "10.0"], ["Ada", "0"]]

"""POST /api/trace gives what `python -m engine.trace` prints, and says where a program is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.explore.examples import EXAMPLES
from engine.trace.__main__ import main as command
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client

PROGRAMS = {example.slug: example.program for example in EXAMPLES} | {
    "not finite": "x = Value(0.0)\ny = 1 / x\nz = log(-1.0*x - 1)*y",
    "unicode": "ä = 2.0; 漢字 = ä*3  # 🙂",
    "printed": "print('one'); print(2); L = 3.0 * 4",
}


def post(body: object) -> httpx2.Response:
    """The answer to `body` as JSON, or to bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer: httpx2.Response = client().post(
        "/api/trace", content=data, headers={"content-type": "application/json"}
    )
    return answer


def problem(answer: httpx2.Response, status: int) -> dict[str, Any]:
    """The problem details of an answer."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = answer.json()
    assert found["status"] == status
    assert found["type"] == "about:blank"
    assert found["title"]
    assert found["detail"]
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_the_command(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.py").write_bytes(PROGRAMS[name].encode())
    assert command([str(tmp_path / "program.py")]) == 0
    printed = capsys.readouterr().out
    answer = post({"program": PROGRAMS[name]})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(printed)


def test_contract() -> None:
    found = post({"program": EXAMPLE}).json()
    by_label = {node["label"]: node for node in found["nodes"] if node["label"]}
    assert found["program"] == EXAMPLE
    assert by_label["L"]["id"] == found["output"]
    assert by_label["a"] | {"grad": 6.0, "data": 2.0, "op": None, "args": []} == by_label["a"]
    assert by_label["a"]["span"] == [1, 5, 1, 8]
    first, *_, last = found["frames"]
    assert first["pass"] == "forward"
    assert last["pass"] == "backward"
    assert set(last["contributions"][0]) == {
        "to", "slot", "partial", "upstream", "amount", "before", "after"
    }  # fmt: skip


def test_leaves_are_changed() -> None:
    found = post({"program": EXAMPLE, "leaves": {"a": 2.5, "b": -4}}).json()
    data = {node["label"]: node["data"] for node in found["nodes"]}
    assert data["L"] == (2.5 * -4 + 10) * -2


def test_numbers_that_are_not_finite_are_strings() -> None:
    found = post({"program": "x = 0.0; y = log(x); z = y - y"}).json()
    data = {node["label"]: node["data"] for node in found["nodes"]}
    assert data["y"] == "-inf"
    assert data["z"] == "nan"
    assert found["warnings"]


def test_wrong_program() -> None:
    found = problem(post({"program": "a = 2\nL = a * nope"}), 422)
    assert (found["line"], found["column"]) == (2, 9)
    assert (found["end_line"], found["end_column"]) == (2, 13)
    assert "nope" in found["detail"]
    assert isinstance(found["hint"], str)


@pytest.mark.parametrize(
    "program", ["", " ", "a = ", "import os; os.remove('a')", "while True: pass", "\x00"]
)
def test_refused_program_has_a_place(program: str) -> None:
    hasty = client(SEEGRAD_SECONDS="0.3")
    found = problem(hasty.post("/api/trace", json={"program": program}), 422)
    assert found["line"] >= 1
    assert found["column"] >= 1


def test_unknown_leaf_is_named() -> None:
    found = problem(post({"program": EXAMPLE, "leaves": {"zz": 1}}), 422)
    assert found["leaf"] == "zz"
    assert "'zz'" in found["detail"]


@for_each(
    ("body", "field"),
    [
        ({}, "body.program"),
        ({"program": 2}, "body.program"),
        ({"program": None}, "body.program"),
        ({"program": EXAMPLE, "extra": 1}, "body.extra"),
        ({"program": EXAMPLE, "frame": 1}, "body.frame"),
        ({"program": EXAMPLE, "leaves": []}, "body.leaves"),
        ({"program": EXAMPLE, "leaves": None}, "body.leaves"),
        ({"program": EXAMPLE, "leaves": {"a": "2"}}, "body.leaves.a"),
        ({"program": EXAMPLE, "leaves": {"a": True}}, "body.leaves.a"),
        ({"program": EXAMPLE, "leaves": {"a": None}}, "body.leaves.a"),
        ({"program": EXAMPLE, "leaves": {"a": [1]}}, "body.leaves.a"),
        ([EXAMPLE], "body"),
        (EXAMPLE, "body"),
    ],
)
def test_field_that_is_wrong_is_named(body: object, field: str) -> None:
    assert problem(post(body), 422)["field"] == field


@for_each("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_leaf_that_is_not_finite_is_refused(number: str) -> None:
    body = f'{{"program": "a = 2.0; L = a*2", "leaves": {{"a": {number}}}}}'
    assert problem(post(body.encode()), 422)["field"] == "body.leaves.a"


@for_each(
    "body",
    [
        b'{"program": "\\ud800"}',
        b'{"program": "a = 2.0; L = a*2 # \\udc00"}',
        b'{"program": "a = 2.0; L = a*2", "leaves": {"\\ud800": 1}}',
        b'{"program": "a = 2.0; L = a*2", "\\ud800": 1}',
        b'{"\\ud800": "a = 2.0; L = a*2"}',
    ],
)
def test_half_a_character_is_refused(body: bytes) -> None:
    problem(post(body), 422)


@for_each("body", [b"", b"{", b'{"program":', b"\xff\xfe", b"[" * 50_000, b"nul"])
def test_body_that_is_no_json(body: bytes) -> None:
    answer = post(body)
    problem(answer, answer.status_code)
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize("path", ["/api/trace", "/api/train"])
def test_a_body_must_be_declared_as_json(path: str) -> None:
    for media in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = client().post(path, content=b"{}", headers={"content-type": media})
        assert "application/json" in problem(answer, 415)["detail"]
    right = client().post(path, content=b"{}", headers={"content-type": "Application/JSON; x=1"})
    assert right.status_code in (200, 422)


@pytest.mark.parametrize("path", ["/api/trace", "/api/train"])
def test_parameters_are_refused_by_name(path: str) -> None:
    head = {"content-type": "application/json"}
    for name in ("steps", "program"):
        answer = client().post(path, params={name: "1"}, content=b"{}", headers=head)
        assert problem(answer, 422)["field"] == name


@for_each(
    ("body", "says"),
    [
        (b'{"program": "a = 1", "program": "a = 2"}', '"program" is given twice'),
        (b'{"program": "x", "leaves": {"a": 1, "a": 2}}', '"a" is given twice'),
        (b'{"program": "\xff"}', "not UTF-8, byte 14"),
        (b"[" * 50_000, "nested too deep"),
        (b'\xef\xbb\xbf{"program": "a = 1"}', "BOM"),
        (b'{"program": "a = 1",}', "line 1, column 21"),
    ],
)
def test_json_is_read_strictly(body: bytes, says: str) -> None:
    found = problem(post(body), 422)
    assert found["field"] == "body"
    assert says in found["detail"]


def test_body_over_the_limit() -> None:
    small = client(SEEGRAD_MAX_BODY="2000")
    head = {"content-type": "application/json"}
    body = json.dumps({"program": EXAMPLE + "\n#" + "x" * 3000}).encode()
    assert small.post("/api/trace", content=body, headers=head).status_code == 413
    short = json.dumps({"program": EXAMPLE}).encode()
    assert small.post("/api/trace", content=short, headers=head).status_code == 200
    chunks = (body[i : i + 100] for i in range(0, len(body), 100))
    assert small.post("/api/trace", content=chunks, headers=head).status_code == 413


@for_each(("method", "path", "status"), [
    ("GET", "/api/train", 405),
    ("PUT", "/api/trace", 405),
    ("GET", "/api/", 404),
    ("POST", "/api/nope", 404),
])  # fmt: skip
def test_errors_below_api_are_problem_details(method: str, path: str, status: int) -> None:
    problem(client().request(method, path), status)


def test_description_of_the_interface() -> None:
    found = client().get("/openapi.json").json()
    assert "/api/trace" in found["paths"]

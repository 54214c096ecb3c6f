"""Request bodies: the limit, its refusal, and delivery as one message."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client, read

FORM = {"content-type": "application/x-www-form-urlencoded"}


def pieces(count: int) -> Iterator[bytes]:
    """A body without a length, in pieces of 1,000 bytes."""
    yield b"program="
    for _ in range(count):
        yield b"#" * 1_000


@pytest.mark.parametrize("path", ["/graph", "/numbers", "/transcript"])
def test_page_states_the_limit(path: str) -> None:
    small = client(SEEGRAD_MAX_BODY="2000")
    for answer in (
        small.post(path, data={"program": "#" * 3_000}),
        small.post(path, content=pieces(3), headers=FORM),
    ):
        assert answer.status_code == 413
        said = read(answer.text).one("main").text
        assert "2,000 bytes" in said
        assert "max_body" in said
        assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("path", ["/api/trace", "/api/train"])
def test_problem_details_state_the_limit(path: str) -> None:
    answer = client(SEEGRAD_MAX_BODY="2000").post(path, json={"program": "#" * 3_000})
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert "2,000 bytes" in answer.json()["detail"]


def test_body_of_just_the_limit() -> None:
    program = f"{EXAMPLE}\n#"
    small = client(SEEGRAD_MAX_BODY="2000")
    body = b"program=" + program.encode("ascii").replace(b"+", b"%2B")
    body += b"x" * (2_000 - len(body))
    assert small.post("/graph", content=body, headers=FORM).status_code == 200
    assert small.post("/graph", content=body + b"x", headers=FORM).status_code == 413


def test_body_in_pieces_is_the_same_body() -> None:
    body = b"program=L+%3D+2*3%0A%23" + b"x" * 5_000
    parts = (body[i : i + 777] for i in range(0, len(body), 777))
    whole = client().post("/graph", content=body, headers=FORM)
    assert whole.status_code == 200
    assert client().post("/graph", content=parts, headers=FORM).text == whole.text


def test_message_states_the_announced_length() -> None:
    small = client(SEEGRAD_MAX_BODY="2000")
    answer = small.post("/graph", content=b"#" * 3_000, headers=FORM)
    assert "3,000 bytes" in read(answer.text).one("main").text


MULTIPART = "multipart/form-data; boundary=X"
PARTS = b'--X\r\nContent-Disposition: form-data; name="program"\r\n\r\n%b\r\n--X--\r\n'


@for_each("path", ["/graph", "/numbers", "/transcript"])
@for_each(
    "charset",
    ["punycode", "undefined", "idna", "utf-16", "latin-1", '"punycode"', "PUNYCODE", "x1", '""',
     "utf-8; charset=punycode"],
)  # fmt: skip
def test_foreign_charset_is_not_decoded(path: str, charset: str) -> None:
    """500 kB of punycode would stop the server for minutes."""
    body = PARTS % (b"a" * 500_000)
    for kind in (MULTIPART, FORM["content-type"], MULTIPART.title()):
        head = {"content-type": f"{kind}; charset={charset}"}
        answer = client().post(path, content=body, headers=head)
        assert answer.status_code == 415
        assert "send it as UTF-8" in read(answer.text).one("main").text


@for_each("charset", ["", ";charset=utf-8", "; Charset=UTF-8", '; charset="Utf-8"'])
def test_forms_in_utf_8_are_read(charset: str) -> None:
    plain = client().post("/graph", data={"program": EXAMPLE})
    for kind, body in (
        (FORM["content-type"], urlencode({"program": EXAMPLE}).encode()),
        (MULTIPART, PARTS % EXAMPLE.replace("\n", "\r\n").encode()),
    ):
        answer = client().post("/graph", content=body, headers={"content-type": kind + charset})
        assert answer.status_code == 200
        assert answer.text == plain.text


@for_each("path", ["/graph", "/api/trace", "/api/train"])
@for_each("kind", ["gzip", "br", "deflate, gzip"])
def test_packed_body_is_not_unpacked(path: str, kind: str) -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    answer = client().post(path, content=bomb, headers={"content-encoding": kind})
    assert answer.status_code == 415
    assert kind in answer.text

"""Explore beyond its limits: busy layouts, long answers, unknown leaves, failures."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.picture import layout
from tests.support.pages import client, read

pytestmark = pytest.mark.usefixtures("sandboxed")


def answer_with(program: str, **more: str) -> Any:
    """The answer of `GET /`, errors of the server included."""
    with TestClient(create_app(), raise_server_exceptions=False) as fresh:
        return fresh.get("/", params={"program": program, **more})


def test_a_busy_layout_is_a_503_with_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise layout.LayoutBusy("other graphs are being laid out")

    monkeypatch.setattr(layout, "place", busy)
    monkeypatch.setenv("SEEGRAD_WAIT_SECONDS", "0.1")
    answer = answer_with("L = 2.0 * 3")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert "Try again" in answer.text


def test_a_trace_that_is_too_long_for_a_page_is_refused_with_its_place() -> None:
    program = "a = 1.0\nl = [Value(1.0, label='" + "<" * 64 + "') for i in range(4900)]\nL = sum(l)"
    for path in ("/", "/graph", "/numbers"):
        answer = client().get(path, params={"program": program})
        assert answer.status_code == 422
        assert len(answer.content) < 50_000
        assert "ine 2" in answer.text
        assert "bytes of the page; the limit is 5,242,880" in answer.text
        assert "Give shorter labels" in answer.text


def test_too_long_a_transcript_is_omitted_with_a_message() -> None:
    few = client(SEEGRAD_TRANSCRIPT_BYTES="1000")
    program = "x = 1.0\n" + "x = x * 2\n" * 20
    page = read(few.get("/", params={"program": program}).text)
    line = page.one("li", class_="left-out")
    assert "exceed the limit of 1,000" in line.text
    assert page.trace["frames"]
    assert page.all("svg")
    alone = read(few.get("/transcript", params={"program": program}).text)
    assert alone.one("li", class_="left-out").text == line.text
    whole = read(few.get("/", params={"program": "L = 2.0*3"}).text)
    assert not whole.all("li", class_="left-out")


def test_groups_that_stay_closed_are_counted() -> None:
    few = client(SEEGRAD_MAX_DRAWN="30")
    everything = ",".join(f"g{i}" for i in range(100))
    network = "n = MLP(3, [4, 4, 1])\nL = n([2.0, 3.0, -1.0])"
    query = {"program": network, "open": everything, "grouped": "1"}
    caption = read(few.get("/", params=query).text).one("span", class_="counts").text
    assert re.search(r"at most 30 can be drawn: \d+ groups? cannot be opened", caption)


def test_a_failure_is_a_page_with_all_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("for this test")

    monkeypatch.setattr(layout, "place", broken)
    answer = answer_with("L = 2.0 * 3")
    assert answer.status_code == 500
    assert "The server failed on this request." in answer.text
    assert "RuntimeError" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_message_on_a_thousand_unknown_leaves_is_short() -> None:
    unknown = {f"leaf{i}": "1" for i in range(1000)}
    answer = answer_with("a = 2.0; L = a*3", **unknown)
    assert answer.text.count("There is no leaf called") == 5
    assert "995 more" in answer.text


def test_many_leaves_of_a_long_program_do_not_multiply_it() -> None:
    """Each link of a list holds the program: 1,300 of them would take 30 MB."""
    lines = [f"x{i} = {i * 0.7391 % 1!r}" for i in range(1300)]
    lines += ["L = x0 * 1", *[f"L += x{i}" for i in range(1300)], "L.backward()"]
    program = "\n".join(lines)
    for path in ("/graph", "/lens/nudge"):
        answer = client().post(path, data={"program": program, "nudge": "v900@1"})
        assert answer.status_code == 200
        assert len(answer.content) < 5_000_000
        if path != "/graph":
            page = read(answer.text)
            chosen = [e for e in page.all("a", data_look="nudge") if "aria-current" in e.attributes]
            assert chosen[0].attributes["data-to"] == "v900@1"
            assert "more leaves" in answer.text

"""The answer cache: ETags, versioned addresses, hits; failures are not kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.pages import PAGES
from app.picture import layout
from app.serving.answer_cache import AnswerCache
from app.serving.headers import ALWAYS, Receive, Scope, Send
from app.serving.version import version_key
from app.settings import SETTINGS, from_environment
from tests.app.test_main import MAP, query
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client

MOMENTARY = ["/healthz", "/readyz", "/metrics", "/exercise/set", "/train/stream"]
PURE = sorted(
    path
    for path, (methods, _) in MAP.items()
    if "GET" in methods
    and path not in {*MOMENTARY, *(page.path for page in PAGES if not page.cacheable)}
)


class Counting:
    """An application that answers with the number of the request, and tells what was noted."""

    def __init__(self, size: int = 100_000, status: int = 200, **headers: str) -> None:
        self.requests = 0
        self.notes: list[str] = []
        self._status = status
        self._headers = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
        cached = AnswerCache(
            self._answer, "abc", {"/a", "/b"}, {"/a"}, {"/s"}, size, self.notes.append, self._gone
        )
        self.client = TestClient(cached)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.requests += 1
        await send(
            {"type": "http.response.start", "status": self._status, "headers": self._headers}
        )
        await send({"type": "http.response.body", "body": b"x" * 10_000, "more_body": True})
        await send({"type": "http.response.body", "body": str(self.requests).encode()})

    async def _gone(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 410, "headers": []})
        await send({"type": "http.response.body", "body": b"gone"})


# The addresses of the site


@for_each("path", PURE)
def test_unchanged_answer_is_not_sent_again(path: str) -> None:
    first = client().get(path, params=query(path), follow_redirects=False)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    again = client().get(
        path, params=query(path), headers={"if-none-match": tag}, follow_redirects=False
    )
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert again.headers["cache-control"] == "no-cache"
    for name, _ in ALWAYS:  # a browser replaces those that it stored by those of a 304
        assert again.headers.get(name.decode()) in (None, first.headers[name.decode()])


@for_each("path", PURE)
def test_versioned_answer_lasts(path: str) -> None:
    plain = client().get(path, params=query(path), follow_redirects=False)
    version = plain.headers["seegrad-version"]
    lasting = client().get(f"/v/{version}{path}", params=query(path), follow_redirects=False)
    assert lasting.content == plain.content
    assert lasting.status_code == plain.status_code
    assert lasting.headers["cache-control"] == "public, max-age=31536000, immutable"
    gone = client().get(f"/v/0123456789ab{path}", params=query(path))
    assert gone.status_code == 410
    assert gone.headers["cache-control"] == "no-store"
    assert "etag" not in gone.headers


@for_each("path", MOMENTARY)
def test_answer_of_the_moment_is_not_stored(path: str) -> None:
    answer = client().get(path, params=query(path))
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers


def test_stream_of_another_version_is_gone() -> None:
    version = client().get("/healthz").headers["seegrad-version"]
    right = client().get(f"/v/{version}/train/stream", params=query("/train/stream"))
    assert right.status_code == 200
    assert right.headers["cache-control"] == "no-store"
    gone = client().get("/v/0123456789ab/train/stream", params=query("/train/stream"))
    assert gone.status_code == 410
    assert gone.json()["status"] == 410


@for_each("path", ["/v", "/v/x/nope", "/v/{}/healthz", "/v/{}/nope", "/v/{}//", "/v/{0}/v/{0}/"])
def test_version_before_an_address_that_has_none(path: str) -> None:
    version = client().get("/healthz").headers["seegrad-version"]
    assert client().get(path.format(version)).status_code == 404


def test_refusal_lasts_as_long_as_the_version() -> None:
    for path, asked in (("/graph", {"program": "L = nope"}), ("/train/state", {"layers": "0"})):
        refused = client().get(path, params=asked)
        assert refused.status_code == 422
        again = client().get(path, params=asked, headers={"if-none-match": refused.headers["etag"]})
        assert again.status_code == 304


def test_timed_out_layout_is_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*args: object) -> layout.Placement:
        raise layout.LayoutTimeout

    fresh = TestClient(create_app(from_environment({})))
    asked = {"program": "a = 0.25; given_up = a*a"}
    with monkeypatch.context() as patch:
        patch.setattr(layout, "place", slow)
        for path in ("/", "/graph", "/graph.svg"):
            answer = fresh.get(path, params=asked)
            assert answer.headers["cache-control"] == "no-store"
            assert "etag" not in answer.headers
    assert "<svg" in fresh.get("/graph", params=asked).text


def test_other_limits_are_another_version_and_more_room_is_not() -> None:
    settings = from_environment({})
    assert version_key(settings) == version_key(from_environment({}))
    for row in SETTINGS:
        values = {**settings.values, row.name: settings.values[row.name] + 1}
        other = version_key(replace(settings, values=values))
        assert (other == version_key(settings)) is row.capacity, row.name


# Answers that are kept


def test_answer_is_made_once() -> None:
    site = Counting()
    first, second = site.client.get("/a?x=1"), site.client.get("/a?x=1")
    assert first.content == second.content
    assert dict(first.headers) == dict(second.headers)
    assert site.client.get("/v/abc/a?x=1").content == first.content
    assert site.client.head("/a?x=1").content == b""
    assert site.requests == 1
    assert site.notes == ["miss", "hit", "hit", "hit"]


@for_each("other", ["/a?x=2", "/a", "/b?x=1", "/a?x=1&x=1", "/a?x=%31"])
def test_other_addresses_have_other_answers(other: str) -> None:
    site = Counting()
    one, two = site.client.get("/a?x=1"), site.client.get(other)
    assert one.content != two.content
    assert one.headers["etag"] != two.headers["etag"]


def test_bodies_have_answers_of_their_own() -> None:
    site = Counting()
    one = site.client.post("/a", content=b"1", headers={"content-type": "text/plain"})
    for body, kind in ((b"2", "text/plain"), (b"1", "application/json"), (b"", "text/plain")):
        other = site.client.post("/a", content=body, headers={"content-type": kind})
        assert other.content != one.content
    assert site.client.get("/a").content != one.content
    again = site.client.post("/a", content=b"1", headers={"content-type": "text/plain"})
    assert again.content == one.content
    assert "etag" not in again.headers


def test_bodies_where_none_are_kept() -> None:
    site = Counting()
    assert (
        site.client.post("/b", content=b"1").content != site.client.post("/b", content=b"1").content
    )


@for_each(
    "site",
    [
        Counting(status=500),
        Counting(status=503),
        Counting(status=404),
        Counting(cache_control="no-store"),
        Counting(size=0),
        Counting(size=50_000),
    ],
)
def test_answers_that_are_not_cached(site: Counting) -> None:
    """Failures, what was said to be of the moment, and what is too large for its memory."""
    assert site.client.get("/a").content != site.client.get("/a").content


@pytest.mark.parametrize("status", [500, 503])
def test_failure_is_not_stored(status: int) -> None:
    for path in ("/a", "/v/abc/a", "/nope"):
        answer = Counting(status=status).client.get(path)
        assert answer.headers["cache-control"] == "no-store"
        assert "etag" not in answer.headers


def test_memory_is_bounded() -> None:
    site = Counting(size=100_000)
    for i in range(100):
        site.client.get(f"/a?{i}")
    assert site.requests == 100
    for i in range(99, 90, -1):
        site.client.get(f"/a?{i}")
    assert site.notes.count("hit") < 10
    site.client.get("/a?0")
    assert site.notes[-1] == "miss"


def test_memory_for_headers_is_counted() -> None:
    site = Counting(size=100_000, location="x" * 30_000)
    for i in range(3):
        site.client.get(f"/a?{i}")
    site.client.get("/a?0")
    assert site.notes[-1] == "miss"
    site.client.get("/a?2")
    assert site.notes[-1] == "hit"


def test_answer_that_breaks_off_is_not_kept() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise ConnectionError

    notes: list[str] = []
    some = TestClient(AnswerCache(broken, "abc", {"/a"}, size=10_000, note=notes.append))
    for _ in range(2):
        with pytest.raises(ConnectionError):
            some.get("/a")
    assert notes == ["miss", "miss"]


# What clients say


@for_each(
    ("said", "known"),
    [
        ("{}", True),
        ('"other", {}', True),
        ("{strong}", True),
        ('W/"other"', False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_tags(said: str, known: bool) -> None:
    site = Counting()
    tag = site.client.get("/a").headers["etag"]
    said = said.replace("{strong}", tag.removeprefix("W/")).replace("{}", tag)
    answer = site.client.get("/a", headers={"if-none-match": said})
    assert answer.status_code == (304 if known else 200)


def test_compressed_and_plain_answers_are_kept_apart() -> None:
    page = client().get("/explore", headers={"accept-encoding": "identity"})
    packed = client().get("/explore", headers={"accept-encoding": "br;q=1, gzip;q=0.1"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in page.headers
    assert packed.text == page.text
    for answer in (page, packed):
        assert answer.headers["vary"].lower() == "accept-encoding"
    refused = {"accept-encoding": "gzip;q=nan, *;q=0"}
    assert client().get("/explore", headers=refused).text == page.text


def test_trace_in_the_address_is_that_of_the_body() -> None:
    asked: dict[str, Any] = {"program": EXAMPLE, "leaves": {"a": 2.5}}
    got = client().get("/api/trace", params={"program": EXAMPLE, "a": "2.5", "frame": "3"})
    assert got.json() == client().post("/api/trace", json=asked).json()


@for_each(
    ("asked", "field"),
    [
        ([], "program"),
        ([("program", "L = 2*3"), ("program", "L = 2*3")], "program"),
        ([("program", "a = 2.0"), ("a", "x")], "a"),
        ([("program", "a = 2.0"), ("a", "nan")], "a"),
        ([("program", "a = 2.0"), ("b", "1")], None),
    ],
)
def test_trace_in_the_address_that_is_refused(
    asked: list[tuple[str, Any]], field: str | None
) -> None:
    answer = client().get("/api/trace", params=asked)
    assert answer.status_code == 422
    found = answer.json()
    assert found.get("field") == field
    assert field or found["leaf"] == "b"


@for_each("path", ["/", "/graph", "/numbers", "/transcript", "/graph.svg"])
def test_parameter_given_twice(path: str) -> None:
    answer = client().get(path, params=[("program", "L = 2*3"), ("program", "L = 2*4")])
    assert answer.status_code == 422
    assert "program” is given twice" in answer.text


def test_parameter_given_twice_is_text() -> None:
    name = "<script>x</script>"
    answer = client().get("/", params=[(name, "1"), (name, "2")])
    assert answer.status_code == 422
    assert "<script>x" not in answer.text

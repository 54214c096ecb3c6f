"""The map of the site: every address of it, errors, limits and counts."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from app import main
from app.exercise.address import CHECK, KEY, NEW, RENEWED, SHEET
from app.exercise.sets import SET
from app.explore.export_routes import PATHS
from app.explore.routes import SECTIONS
from app.main import create_app
from app.pages import PAGES
from app.serving.rendering import Renderer
from app.settings import from_environment
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, Html, client, read
from tests.support.places import ROOT

QUERY = {"program": EXAMPLE}
LEARNING = {"samples": "8", "layers": "2-2-1", "steps": "5"}
MAP: dict[str, tuple[str, str]] = {
    "/front": ("GET", "application/json"),
    "/graph": ("GET POST", "text/html"),
    "/numbers": ("GET POST", "text/html"),
    "/transcript": ("GET POST", "text/html"),
    "/value": ("GET POST", "text/html"),
    "/picture": ("GET POST", "text/html"),
    "/graph.svg": ("GET", "image/svg+xml"),
    "/keep-code": ("POST", "text/html"),
    "/embed": ("GET", "text/html"),
    "/print": ("GET", "text/html"),
    "/learn/fix": ("GET", "text/html"),
    "/learn/engine": ("GET", "text/html"),
    "/learn/by-hand": ("GET", "text/html"),
    **dict.fromkeys(SECTIONS, ("GET POST", "text/html")),
    **{path: ("GET POST", entry.media_type) for path, entry in PATHS.items()},
    "/train": ("GET", "text/html"),
    "/train/setup": ("GET", "application/json"),
    "/train/state": ("GET", "application/json"),
    "/train/frames": ("GET", "application/json"),
    "/train/stream": ("GET", "text/event-stream"),
    "/train/open": ("GET", "text/html"),
    "/train/doctor": ("GET", "application/json"),
    "/train/examination": ("GET", "text/html"),
    "/train/race": ("GET", "text/html"),
    "/train/sweep": ("GET", "application/json"),
    "/train/kernel": ("GET", "application/json"),
    "/train/kernels": ("GET", "application/json"),
    "/train/losses.csv": ("GET", "text/csv"),
    "/train/code": ("GET", "text/plain"),
    "/train/code.ipynb": ("GET", "application/x-ipynb+json"),
    "/train/boundary.png": ("GET", "image/png"),
    "/train/loss.svg": ("GET", "image/svg+xml"),
    "/train/network.svg": ("GET", "image/svg+xml"),
    **{page.path: ("GET", "text/html") for page in PAGES},
    "/": ("GET POST", "text/html"),
    "/exercise": ("GET POST", "text/html"),
    **dict.fromkeys((SHEET, RENEWED, SET), ("GET", "text/html")),
    NEW: ("GET POST", "text/html"),
    CHECK: ("GET POST", "text/html"),
    "/api/trace": ("GET POST", "application/json"),
    "/api/train": ("POST", "application/json"),
    "/healthz": ("GET", "application/json"),
    "/readyz": ("GET", "application/json"),
    "/metrics": ("GET", "text/plain"),
}


def query(path: str) -> dict[str, str]:
    """What to ask for at an address."""
    if path == SET:
        return {"id": "x", "title": "Monday", "item": urlencode(QUERY)}
    if path == "/front":
        return {"a": "1", "b": "-2.5"}
    if path == "/train/open":
        return {**LEARNING, "sample": "1"}
    return LEARNING if path.startswith("/train") else QUERY


def counts(some: TestClient) -> dict[tuple[str, int], int]:
    """The answers counted so far, by path and status."""
    text = some.get("/metrics").text
    found = re.findall(
        r'^seegrad_requests_total{path="(.*)",status="(\d+)"} (\d+)\.0$', text, re.MULTILINE
    )
    return {(path, int(status)): int(count) for path, status, count in found}


def test_docstring_is_the_whole_map() -> None:
    assert main.__doc__ is not None
    said = set(re.findall(r"^(?:GET|POST) +(\S+)", main.__doc__, re.MULTILINE))
    below = {"/static/{version}/", "/words/{hash}.json", "/reference/{operation}"}
    below |= {KEY, "/learn/{lesson}", "/learn/{lesson}/answer", "/learn/{lesson}/reached"}
    below |= {
        "/embed/learn/{lesson}",
        "/learn/by-hand/{exercise}",
        "/learn/fix/{exercise}",
        "/learn/engine/{piece}",
        "/learn/{lesson}/own",
    }
    assert said == {*MAP, *below, "/lens/{section}"} - {*SECTIONS}


@for_each("path", MAP)
def test_address_answers(path: str) -> None:
    methods, kind = MAP[path]
    for method in methods.split():
        if path == "/api/trace" and method == "POST":
            answer = client().post(path, json=QUERY)
        elif path == "/api/train":
            answer = client().post(path, json={"steps": 1})
        elif method == "POST":
            answer = client().post(path, data=QUERY)
        else:
            answer = client().get(path, params=query(path))
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] == kind
        assert answer.content


@for_each("path", [path for path, (methods, _) in MAP.items() if "GET" in methods])
def test_head_is_get_without_a_body(path: str) -> None:
    answer = client().head(path, params=query(path))
    assert answer.status_code == 200
    assert answer.content == b""
    whole = client().get(path, params=query(path))
    assert answer.headers["content-type"] == whole.headers["content-type"]


@for_each("path", MAP)
def test_other_methods_are_not_answered(path: str) -> None:
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "POST"):
        if method in MAP[path][0]:
            continue
        answer = client().request(method, path)
        assert answer.status_code == 405
        allowed = set(answer.headers["allow"].replace(" ", "").split(","))
        assert set(MAP[path][0].split()) <= allowed
        assert method not in allowed


def test_assets_are_only_read() -> None:
    answer = client().post(f"/static/{Renderer().version}/css/app.css")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"


@for_each(
    "path",
    [
        "/nope",
        "/graph/",
        "/index.html",
        "/static/",
        "/static/css/app.css",
        "/%00",
        "/..%2f..%2fetc",
    ],
)
def test_address_that_is_not_there(path: str) -> None:
    answer = client().get(path, follow_redirects=False)
    assert answer.status_code == 404
    page = read(answer.text)
    assert page.one("h1").text == "Not Found"
    assert page.within(page.one("main")).one("a").has(href="/explore")


def test_address_that_is_not_there_is_not_repeated() -> None:
    assert "alert(1)" not in client().get("/<script>alert(1)</script>").text


@pytest.mark.parametrize("path", ["/graph", "/numbers", "/transcript", "/value"])
def test_body_over_the_limit(path: str) -> None:
    small = client(SEEGRAD_MAX_BODY="2000")
    long = {"program": EXAMPLE + "\n#" + "x" * 3000}
    assert small.post(path, data=long).status_code == 413
    assert small.post(path, data=QUERY).status_code == 200
    content = iter([urlencode(long).encode()])
    head = {"content-type": "application/x-www-form-urlencoded"}
    assert small.post(path, content=content, headers=head).status_code == 413


def test_long_program_is_refused_with_its_place() -> None:
    program = "a = 2.0\n" + "# a long comment\n" * 4000
    answer = client().post("/graph", data={"program": program})
    assert answer.status_code == 422
    assert "bytes" in read(answer.text).all(class_="report")[0].text


@for_each(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b"--x\r\nbroken"),
        ("multipart/form-data", b"program=L"),
        ("application/json", b'{"program": "L = 2*3"}'),
        ("text/plain", b"program=L"),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % i for i in range(9000))),
        ("application/x-www-form-urlencoded", b"program=%ff%fe&%zz=%"),
        ("application/x-www-form-urlencoded", b""),
    ],
)
def test_form_that_is_none_is_no_error_of_the_server(kind: str, body: bytes) -> None:
    answer = client().post("/graph", content=body, headers={"content-type": kind})
    assert answer.status_code in (400, 413, 415, 422)


def test_file_in_a_form_is_no_program() -> None:
    answer = client().post("/graph", files={"program": ("x.py", b"L = 2*3")})
    assert answer.status_code == 400


def test_form_of_two_kinds_is_read_alike() -> None:
    one = client().post("/graph", data=QUERY)
    other = client().post("/graph", files={"program": (None, EXAMPLE.encode())})
    assert one.text == other.text


def test_health() -> None:
    answer = client().get("/healthz")
    assert answer.json() == {"status": "ok"}
    assert answer.headers["cache-control"] == "no-store"


def test_pages_are_revalidated() -> None:
    for path in ("/", "/graph", "/graph.svg", "/reference", "/train", "/train/state"):
        assert client().get(path, params=query(path)).headers["cache-control"] == "no-cache"


def test_large_answer_is_compressed() -> None:
    answer = client().get("/explore", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in answer.headers["vary"].lower()
    plain = client().get("/explore", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == answer.text


def test_short_script_is_compressed_and_a_tiny_one_is_not() -> None:
    root = f"/static/{Renderer().version}/js"
    for path, encoding in (("explore/timeline.js", "gzip"), ("train/panels/sharing.js", None)):
        answer = client().get(f"{root}/{path}", headers={"accept-encoding": "gzip"})
        assert answer.headers.get("content-encoding") == encoding
        assert answer.text == (ROOT / "static/js" / path).read_text("utf-8")


def test_requests_are_counted() -> None:
    fresh = TestClient(create_app(from_environment({})))
    for _ in range(3):
        fresh.get("/", params=QUERY)
    fresh.post("/graph", data={"program": "L = nope"})
    fresh.get("/nope/1")
    fresh.get("/nope/2")
    fresh.post("/api/trace", json=QUERY)
    assert counts(fresh) == {
        ("/", 200): 3,
        ("/graph", 422): 1,
        ("other", 404): 2,
        ("/api/trace", 200): 1,
    }
    assert counts(fresh)["/metrics", 200] == 1


def test_time_is_counted() -> None:
    fresh = TestClient(create_app(from_environment({})))
    fresh.get("/", params=QUERY)
    lines = fresh.get("/metrics").text.splitlines()
    (line,) = (line for line in lines if line.startswith("seegrad_request_seconds_sum{path="))
    assert float(line.split()[1]) > 0


def test_counts_of_two_applications_are_apart() -> None:
    one, other = (TestClient(create_app(from_environment({}))) for _ in range(2))
    one.get("/")
    assert counts(other) == {}


def test_application_starts_and_stops() -> None:
    with TestClient(create_app(from_environment({}))) as running:
        assert running.get("/healthz").status_code == 200


def test_no_answer_sets_a_cookie() -> None:
    for path in MAP:
        assert "set-cookie" not in client().get(path, params=query(path)).headers


def test_first_page_is_whole() -> None:
    page: Html = read(client().get("/").text)
    assert page.one("html").has(lang="en")
    assert page.one("title").text
    assert len(page.all("h1")) == 1
    ids = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
    assert len(ids) == len(set(ids))


def test_every_page_can_be_reached_from_the_navigation_or_another_page() -> None:
    listed = [page.path for page in PAGES if page.listed]
    linked = set[str]()
    for page in PAGES:
        html = read(client().get(page.path).text)
        navigation = [path for path in html.addresses() if path in listed]
        left_out = {other.path for other in PAGES if page.tool and other.beside}
        assert sorted({*navigation} | left_out) == sorted(listed), page.path
        linked |= {address.partition("#")[0] for address in html.addresses()}
    assert {page.path for page in PAGES} <= linked

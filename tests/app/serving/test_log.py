"""The request log: one line per request, whatever was sent, without its input."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from datetime import datetime
from typing import Any
from urllib.parse import quote

import pytest
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from app import __main__
from app.main import create_app
from app.picture import layout
from app.serving.headers import Message, Receive, Scope, Send
from app.serving.log import RequestLog
from app.settings import from_environment
from tests.support.learning import SMALL, query
from tests.support.pages import EXAMPLE

SECRET = "rosebud"
PROGRAM = f"{SECRET} = 2.0\nL = {SECRET} * 3"
FIELDS = ["time", "method", "path", "id", "status", "bytes", "ms", "address"]

Capture = pytest.CaptureFixture[str]


def logging(**environment: str) -> TestClient:
    """A server that logs its requests."""
    settings = from_environment({"SEEGRAD_LOG_REQUESTS": "1", **environment})
    return TestClient(create_app(settings))


def lines(capture: Capture) -> list[dict[str, Any]]:
    """What was logged since the last call."""
    out = capture.readouterr().out
    assert SECRET not in out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out)
    return [json.loads(line) for line in out.splitlines()]


def asked(path: str, **options: Any) -> Any:
    """The answer of a server that was started, and so knows its addresses."""
    with logging() as client:
        return client.get(path, **options)


def line(capture: Capture) -> dict[str, Any]:
    """The one line that was logged."""
    (found,) = lines(capture)
    return found


# A line


def test_a_request_is_a_line(capsys: Capture) -> None:
    answer = asked("/graph.svg", params={"program": PROGRAM})
    found = line(capsys)
    assert list(found) == FIELDS
    assert (found["method"], found["path"], found["status"]) == ("GET", "/graph.svg", 200)
    assert found["bytes"] == len(answer.content)
    assert found["ms"] > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", found["time"])
    assert datetime.fromisoformat(found["time"]).tzinfo is not None


def test_clients_are_not_logged(capsys: Capture) -> None:
    headers = {"user-agent": "browser-7", "referer": "http://from/", "x-forwarded-for": "10.9.8.7"}
    logging().get("/healthz", headers=headers)
    text = json.dumps(line(capsys))
    for private in ("testclient", "browser-7", "from", "10.9.8.7"):
        assert private not in text


@pytest.mark.parametrize("kind", ["form", "json", "query"])
def test_user_input_is_not_logged(kind: str, capsys: Capture) -> None:
    client = logging()
    wrong = f"{PROGRAM}\n{SECRET} = nope"
    for program in (PROGRAM, wrong):
        if kind == "form":
            client.post("/graph", data={"program": program, SECRET: "3"})
        elif kind == "json":
            client.post("/api/trace", json={"program": program, SECRET: "3"})
        else:
            client.get("/", params={"program": program, SECRET: "3"})
    assert len(lines(capsys)) == 2


@pytest.mark.parametrize("bad", ["\r\n", "\n{}", "\x1b[31m", "\x7f", "\x9b", "\u2028", '"}', "é"])
def test_no_path_makes_a_second_line(bad: str, capsys: Capture) -> None:
    logging().get(f"/a{quote(bad)}b")
    assert line(capsys)["path"] == "other"


def test_only_paths_of_the_site_are_logged(capsys: Capture) -> None:
    with logging(SEEGRAD_MAX_BODY="1024") as client:
        version = client.get("/healthz").headers["seegrad-version"]
        asked = {
            "/healthz": "/healthz",
            f"/v/{version}/reference": "/reference",
            f"/v/{SECRET}/reference": "/reference",
            f"/{SECRET}": "other",
            f"/graph/{SECRET}": "other",
            f"/v/{SECRET}": "/",
            f"/static/{SECRET}": "/static",
            "/" + "x" * 5_000: "other",
        }
        lines(capsys)
        for path, told in asked.items():
            client.get(path)
            assert line(capsys)["path"] == told
        for path, told in {"/api/train": "/api/train", f"/{SECRET}": "other"}.items():
            assert client.post(path, content=b"x" * 2_000).status_code == 413
            assert line(capsys)["path"] == told


def test_an_id_is_the_proxys_or_a_new_one(capsys: Capture) -> None:
    client = logging()
    client.get("/healthz", headers={"x-request-id": "4bf92f35-77b3A_z"})
    assert line(capsys)["id"] == "4bf92f35-77b3A_z"
    ids = set()
    for text in ("", "a b", "x" * 65, '"}', "a\\u000a", "a.b"):
        client.get("/healthz", headers={"x-request-id": text})
        ids.add(line(capsys)["id"])
    assert len(ids) == 6
    assert all(re.fullmatch(r"[0-9a-f]{16}", found) for found in ids)


def test_a_stream_is_a_line_at_its_end(capsys: Capture) -> None:
    answer = asked("/train/stream", params=query(SMALL))
    found = line(capsys)
    assert (found["path"], found["status"]) == ("/train/stream", 200)
    assert found["bytes"] == len(answer.content)


# The address of a content


def address(client: TestClient, capture: Capture, method: str, path: str, **more: Any) -> str:
    """The content address that a request is logged with."""
    client.request(method, path, **more)
    found: str = line(capture)["address"]
    assert re.fullmatch(r"[0-9a-f]{12}", found)
    return found


def test_equal_requests_have_equal_addresses(capsys: Capture) -> None:
    client = logging()
    version = client.get("/healthz").headers["seegrad-version"]
    line(capsys)
    one = address(client, capsys, "GET", "/?program=L%3D2.0*3&frame=1")
    for same in ("/?frame=1&program=L%3D2.0*3", f"/v/{version}/?program=L%3D2.0%2A3&frame=1"):
        assert address(client, capsys, "GET", same) == one
    assert one == address(logging(), capsys, "GET", "/?program=L%3D2.0*3&frame=1")


def test_other_requests_have_other_addresses(capsys: Capture) -> None:
    client = logging()
    paths = ["/", "/graph", "/?program=L", "/?program=M", "/?program=L&a=1", "/?a=program&L=",
             "/train/state?set=0:1&at=1&set=0:2&at=3", "/train/state?set=0:2&at=3&set=0:1&at=1",
             "/train/state?set=0:2&at=1&set=0:1&at=3"]  # fmt: skip
    found = [address(client, capsys, "GET", path) for path in paths]
    for program in ("L = 2.0*3", "L = 2.0*4"):
        found.append(address(client, capsys, "POST", "/graph", data={"program": program}))
        found.append(address(client, capsys, "POST", "/api/trace", json={"program": program}))
    assert len(set(found)) == len(found)


# Errors


def test_an_error_is_a_line_without_its_message(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def broken(*_: object) -> None:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise RuntimeError(f"no {SECRET}\r\n{{}}") from error

    monkeypatch.setattr(layout, "place", broken)
    answer = logging().get("/", params={"program": PROGRAM})
    assert answer.status_code == 500
    assert SECRET not in answer.text.replace(PROGRAM, "")
    error, request = lines(capsys)
    assert error["error"] == "RuntimeError"
    assert error["id"] == request["id"]
    assert request["status"] == 500
    assert "KeyError" in error["traceback"]
    assert any(
        re.fullmatch(r"app/explore/explorer\.py:\d+ in \w+", at) for at in error["traceback"]
    )
    assert re.fullmatch(r"tests/app/serving/test_log\.py:\d+ in broken", error["traceback"][-1])
    assert str(sys.prefix) not in json.dumps(error)


def test_errors_are_logged_without_the_request_log(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(layout, "place", broken)
    client = TestClient(create_app(from_environment({})))
    assert client.get("/", params={"program": EXAMPLE}).status_code == 500
    assert line(capsys)["error"] == "RuntimeError"


async def _recurse(scope: Scope, receive: Receive, send: Send) -> None:
    def deeper() -> None:
        deeper()

    deeper()


async def _group(scope: Scope, receive: Receive, send: Send) -> None:
    raise ExceptionGroup(SECRET, [ValueError(SECRET), RuntimeError(SECRET)])


def test_an_error_of_great_depth_is_cut(capsys: Capture) -> None:
    answer = TestClient(RequestLog(_recurse, requests=False)).get("/")
    assert (answer.status_code, answer.headers["cache-control"]) == (500, "no-store")
    found = line(capsys)
    assert found["error"] == "RecursionError"
    assert len(found["traceback"]) <= 50


def test_errors_of_a_group_are_logged(capsys: Capture) -> None:
    TestClient(RequestLog(_group, requests=False)).get("/")
    found = line(capsys)
    assert found["error"] == "ExceptionGroup"
    assert "within: ValueError" in found["traceback"]
    assert "within: RuntimeError" in found["traceback"]


def test_an_error_amid_an_answer_ends_it(capsys: Capture) -> None:
    async def half(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise RuntimeError(SECRET)

    client = TestClient(RequestLog(half, requests=True), raise_server_exceptions=False)
    assert client.get("/").content == b"half"
    error, request = lines(capsys)
    assert error["error"] == "RuntimeError"
    assert (request["status"], request["bytes"]) == (200, 4)


@pytest.mark.parametrize("amid", [False, True])
def test_a_client_that_left_is_no_error(amid: bool, capsys: Capture) -> None:
    """A server says by an OSError that nobody is there; another error at that moment is one."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"half", "more_body": True})
        except OSError as error:
            if scope["path"] == "/wrapped":
                raise ClientDisconnect from error
            if scope["path"] == "/broken":
                raise KeyError(SECRET) from error
            raise

    async def send(message: Message) -> None:
        if amid <= (message["type"] == "http.response.body"):
            raise BrokenPipeError

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    for path, errors in {"/": [], "/wrapped": [], "/broken": ["KeyError"]}.items():
        scope = {"type": "http", "method": "GET", "path": path, "headers": []}
        asyncio.run(RequestLog(app, requests=False)(scope, receive, send))
        assert [found["error"] for found in lines(capsys)] == errors


# When


def test_on_a_laptop_nothing_is_logged(capsys: Capture) -> None:
    TestClient(create_app(from_environment({}))).get("/healthz")
    assert capsys.readouterr().out == ""


def test_unwritable_log_fails_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def write(self, text: str) -> int:
            raise BrokenPipeError

    client = logging()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Broken())
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("options", "said", "wanted"),
    [
        ([], None, 0),
        (["--log"], None, 1),
        (["--host", "localhost"], None, 0),
        (["--host", "0.0.0.0"], None, 1),  # noqa: S104
        (["--host", "0.0.0.0"], "0", 0),  # noqa: S104
        ([], "1", 1),
    ],
)
def test_request_log_is_on_for_public_hosts_or_by_option(
    options: list[str], said: str | None, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEEGRAD_LOG_REQUESTS", "0")  # so that it is put back afterwards
    monkeypatch.delenv("SEEGRAD_LOG_REQUESTS")
    if said is not None:
        monkeypatch.setenv("SEEGRAD_LOG_REQUESTS", said)
    found: list[int] = []

    def serve(*_: object) -> int:
        found.append(from_environment().whole("log_requests"))
        return 0

    monkeypatch.setattr("app.__main__.supervise", serve)
    assert __main__.main([*options, "--no-open", "--port", "0"]) == 0
    assert found == [wanted]

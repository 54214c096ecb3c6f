"""Requests, streams and processes that were meant to do harm; `data/hostile-wire.jsonl` lists them.

Each line of it names the test that does what it says; those that fit nowhere else are here.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.picture.graphviz_wasm import Graphviz, GraphvizError
from app.serving import version
from app.serving.rendering import Renderer
from app.settings import from_environment
from benchmarks.serving import HOST, running
from tests.browser.conftest import free_port
from tests.support.each import for_each
from tests.support.hostile import lines
from tests.support.pages import EXAMPLE, client, read
from tests.support.places import DATA

ROOT = DATA.parent.parent
PATIENCE = 60.0
ASSET = f"/static/{Renderer().version}/css/app.css"


def until(condition: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


def test_every_case_has_its_test() -> None:
    cases = lines("hostile-wire.jsonl")
    assert len({case["id"] for case in cases}) == len(cases) == 58
    for case in cases:
        file, _, name = case["test"].partition("::")
        text = (ROOT / file).read_text("utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), case


# Requests


def test_a_program_of_one_byte_too_many_in_the_address() -> None:
    program = EXAMPLE + "\n#"
    program += "x" * (16_384 - len(program))
    limited = client(SEEGRAD_PROGRAM_BYTES="16384")
    assert limited.get("/graph", params={"program": program}).status_code == 200
    for path in ("/", "/graph", "/graph.svg", "/api/trace"):
        answer = limited.get(path, params={"program": program + "x"})
        assert answer.status_code == 422
        assert "16,385 bytes" in answer.text


@for_each(
    "headers",
    [
        {"hx-request": "true", "hx-target": "result"},
        {"x-forwarded-for": "203.0.113.9", "x-forwarded-host": "evil.example"},
        {"x-forwarded-proto": "https", "forwarded": "host=evil.example;proto=https"},
        {"host": "evil.example", "origin": "https://evil.example"},
        {"cookie": "a=b", "authorization": "Basic x", "range": "bytes=0-1"},
        {"accept-language": "xx", "accept": "application/xml", "user-agent": "x"},
    ],
)
@for_each("path", ["/", "/graph", "/train", "/reference", "/api/trace", "/nope"])
def test_headers_that_change_nothing(path: str, headers: dict[str, str]) -> None:
    asked = {"steps": "3", "samples": "4", "layers": "2-1"}
    asked = asked if path == "/train" else {"program": EXAMPLE}
    fresh = client(SEEGRAD_ANSWERS_KEPT="0")
    plain = fresh.get(path, params=asked, follow_redirects=False)
    other = fresh.get(path, params=asked, headers=headers, follow_redirects=False)
    assert other.content == plain.content
    assert other.status_code == plain.status_code
    assert dict(other.headers) == dict(plain.headers)


@pytest.mark.parametrize(
    "path",
    [
        "../app.py", "%2e%2e/app.py", "..%2fapp.py", "%252e%252e/", "%2fetc/passwd", "/etc/passwd",
        "%00", "css/app.css%00", "css/../../../app/main.py", "css/..%5c..%5capp%5cmain.py", "css",
        "css/", "CSS/app.css", "~root", "vendor/%2e%2e/%2e%2e/pyproject.toml",
    ],
)  # fmt: skip
def test_no_way_leads_out_of_the_assets(path: str) -> None:
    for base in (f"/static/{Renderer().version}/", "/static/"):
        answer = client().get(httpx2.URL("http://testserver" + base + path))
        assert answer.status_code in (400, 404)
        assert "import" not in answer.text


def test_ten_thousand_ranges() -> None:
    ranges = ",".join(f"{i}-{i}" for i in range(10_000))
    for asked in (f"bytes={ranges}", "bytes=0-0," * 10_000, "bytes=-1", "bytes=99999999-", "x=1-2"):
        answer = client().get(ASSET, headers={"range": asked})
        assert answer.status_code in (200, 206, 400, 416)
        assert len(answer.content) < 2_000_000


def test_forms_without_measure() -> None:
    fields = {f"a{i}": (None, b"1") for i in range(10_000)}
    assert client().post("/graph", files=fields).status_code in (400, 413)
    large = {"program": (None, b"#" * 10_000_000)}
    assert client().post("/graph", files=large).status_code == 413


@pytest.mark.parametrize("text", ["%ff%fe", "%ed%a0%80", "%c0%ae", "%f8%88%80%80%80", "%", "%zz"])
def test_addresses_that_are_no_text(text: str) -> None:
    for path in ("/", "/graph", "/graph.svg", "/api/trace"):
        assert client().get(f"{path}?program=a%3D2%3BL%3Da*a%23{text}").status_code in (200, 422)
        assert client().get(f"{path}?program=a%3D2&{text}=1").status_code in (200, 422)
    assert client().get(f"/train?layers={text}").status_code == 422
    assert client().get(f"/{text}").status_code == 404


@for_each(
    "program",
    [
        "a = 2.0; b = a + 1 # & = ? / % + ; %26 %2B &amp;",
        "s = 'a;b&c=d'\na = 2.0\nL = a * 3",
        "a = 2.0\r\nb = a\t+ 1",
        "ä = 2.0\nL = ä * 3 # € 😀",
    ],
)
def test_a_program_comes_back_byte_for_byte(program: str) -> None:
    for encoded in (quote(program, safe=""), quote(program, safe="").replace("%20", "+")):
        page = read(client().get(f"/?program={encoded}").text)
        (area,) = (it for it in page.all("textarea") if it.has(name="program"))
        assert area.text.splitlines() == program.splitlines()


@for_each("path", ["/api/trace", "/api/train"])
@for_each(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_forms_of_other_sites(path: str, kind: str) -> None:
    headers = {"content-type": kind, "origin": "https://evil.example"}
    answer = client().post(path, content=b'{"program": "L = 2*3"}', headers=headers)
    assert answer.status_code == 415
    assert "access-control-allow-origin" not in answer.headers


@for_each("path", ["/", "/train", "/reference", "/nope", "/graph.svg"])
def test_no_other_site_frames_a_page(path: str) -> None:
    policy = client().get(path).headers["content-security-policy"]
    assert re.search("frame-ancestors '(none|self)'(;|$)", policy)


# Streams


@for_each("name", ["fps", "every", "from"])
@for_each("pace", ["inf", "1e308", "nan", "-1", "1e400", "0x10", "١"])
def test_paces_that_are_none(name: str, pace: str) -> None:
    answer = client().get("/train/stream", params={name: pace, "steps": "3"})
    assert answer.status_code == 422
    assert answer.json()["field"] == name


def test_events_are_lines_of_json() -> None:
    """Names of classes are the only text of a visitor that a run keeps; no event has any of it."""
    rows = "1\tdata: a\n2\tevent: done\n3\tdata: a\n4\tevent: done\n"
    answer = client().get("/train/stream", params={"data": "rows", "rows": rows, "steps": "3"})
    assert answer.status_code == 200
    for line in answer.text.split("\n"):
        assert re.fullmatch(r"(retry|id): \d+|event: (state|done)|data: \{.*\}|: |", line)
    for found in re.findall(r"^data: (.*)$", answer.text, re.MULTILINE):
        json.loads(found)


def test_500_streams_that_are_left() -> None:
    """Nothing of them is left behind: no stream is counted, no descriptor is open."""
    with running({"SEEGRAD_TRAIN_STREAMS_EACH": "600", "SEEGRAD_TRAIN_STREAMS": "600"}) as server:
        base = f"http://{HOST}:{server.port}"
        descriptors = Path(f"/proc/{server.process}/fd")

        def number(name: str) -> float:
            text = httpx2.get(f"{base}/metrics", timeout=PATIENCE).text
            found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
            return float(found[1]) if found else -1

        def open_descriptors() -> int:
            return len(list(descriptors.iterdir())) if descriptors.is_dir() else 0

        asked = {"steps": "100000", "samples": "4", "layers": "2-2-1", "fps": "2"}
        for turn in range(5):
            with httpx2.Client(timeout=PATIENCE, limits=httpx2.Limits()) as some:
                streams = [
                    some.send(
                        some.build_request(
                            "GET", f"{base}/train/stream", params={**asked, "seed": str(seed % 20)}
                        ),
                        stream=True,
                    )
                    for seed in range(100)
                ]
                assert {stream.status_code for stream in streams} == {200}
            if turn == 0:
                until(lambda: number("seegrad_streams_open") == 0)
                before = open_descriptors()
        until(lambda: number("seegrad_streams_open") == 0)
        until(lambda: open_descriptors() <= before + 2)


def test_other_mathematics_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run never goes on with the last bits of another machine: the stream there is gone."""
    here = TestClient(create_app(from_environment({}))).get("/healthz")
    monkeypatch.setattr(version, "first_fingerprint", lambda: "another")
    version._sources.cache_clear()
    try:
        there = TestClient(create_app(from_environment({})))
        mine = here.headers["seegrad-version"]
        assert there.get("/healthz").headers["seegrad-version"] != mine
        assert there.get(f"/v/{mine}/train/stream?steps=3").status_code == 410
    finally:
        version._sources.cache_clear()


# Processes


@pytest.mark.parametrize(
    "source",
    [
        "digraph { a [fontsize=4000000000000000000 label=x] }",
        'digraph { a [shape=record label="' + "{" * 100_000 + '"] }',
        "digraph { a -> b [minlen=1000000000] }",
    ],
    ids=["division", "stack", "memory"],
)
def test_a_crash_of_graphviz_is_an_error_like_others(source: str) -> None:
    """Known ways to crash Graphviz, or to make it end its process: this one goes on."""
    graphviz = Graphviz()
    for _ in range(2):
        with suppress(GraphvizError):
            graphviz.render(source, 20)
        assert b'"objects"' in graphviz.render("digraph { a [shape=box]; b; a -> b }", 20)


def test_graphviz_writes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    graphviz = Graphviz()
    warned = 'digraph { a [shape=nonsense label="<b" fontname="\\"]; b [color=nope] }'
    for _ in range(50):
        with suppress(GraphvizError):
            graphviz.render(warned, 20)
    assert capfd.readouterr() == ("", "")


@contextmanager
def workers() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server of two workers and its address."""
    port = free_port()
    command = [sys.executable, "-m", "app", "--no-open", "--port", str(port), "--workers", "2"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        until(lambda: answers(port))
        yield process, f"http://{HOST}:{port}"
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    try:
        return httpx2.get(f"http://{HOST}:{port}/healthz", timeout=5).status_code == 200
    except httpx2.TransportError:
        return False


def children(process: int) -> set[int]:
    """The workers of a server, without the helper that Python starts beside them."""
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if parent == process and b"resource_tracker" not in command:
            found.add(int(entry.name))
    return found


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@needs_proc
def test_workers_are_replaced_and_end_with_the_process_that_started_them() -> None:
    with workers() as (process, address):
        until(lambda: len(children(process.pid)) == 2)
        first = min(children(process.pid))
        os.kill(first, signal.SIGKILL)
        until(lambda: len(children(process.pid) - {first}) == 2)
        until(lambda: answers(int(address.rpartition(":")[2])))
        left = children(process.pid)
        process.kill()
        until(lambda: not any(is_alive(worker) for worker in left))

"""Answers through nginx: the same from every replica, kept, and there without any of them."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from app import main
from benchmarks.replicas import Answer, Cluster, ask
from tests.app.test_main import MAP, query
from tests.deploy.shell import assert_hard_shell
from tests.support.pages import EXAMPLE

MOMENTARY = main.MOMENTARY | main.STREAMS
PURE = [path for path, (methods, _) in MAP.items() if "GET" in methods and path not in MOMENTARY]
LONG = "\n".join(f"π{i:03d} = {i}.5" for i in range(1_150))
"""Not far from 16 KiB; in an address each π is six characters."""
SECRET = "my_secret_77"


def address(path: str) -> str:
    """An address of the map with a query of its own."""
    return f"{path}?{urlencode(query(path))}"


def trace(program: str) -> str:
    """The address of a program's trace."""
    return f"/api/trace?{urlencode({'program': program})}"


def found_in_cache(cluster: Cluster, path: str) -> None:
    """Ask until nginx has it: it takes a moment, or an answer more, to keep one."""
    for _ in range(3):
        assert cluster.ask(path).status == 200


# The same everywhere


@pytest.mark.parametrize("path", PURE)
def test_replicas_and_nginx_answer_with_the_same_bytes(cluster: Cluster, path: str) -> None:
    first, second = (ask(replica.port, address(path)) for replica in cluster.replicas)
    assert first.status == second.status < 400
    assert first.body == second.body
    assert first.headers["etag"] == second.headers["etag"]
    through = cluster.ask(f"/v/{cluster.version()}{address(path)}")
    assert (through.status, through.body) == (first.status, first.body)
    assert through.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_compressed_and_not_are_kept_apart(cluster: Cluster) -> None:
    path = f"/v/{cluster.version()}{address('/')}"
    for accepted in ("gzip, deflate, br", "br;q=1, gzip;q=0.5", "GZIP"):
        answer = cluster.ask(path, headers={"accept-encoding": accepted})
        assert answer.headers["content-encoding"] == "gzip"
    for accepted in ("identity", "br", "gzip;q=0", "deflate, gzip; q=0.0, br"):
        assert (
            "content-encoding"
            not in cluster.ask(path, headers={"accept-encoding": accepted}).headers
        )


def test_a_tag_is_known(cluster: Cluster) -> None:
    for path in (address("/graph"), f"/v/{cluster.version()}{address('/graph')}"):
        found_in_cache(cluster, path)
        tag = cluster.ask(path).headers["etag"]
        again = cluster.ask(path, headers={"if-none-match": tag})
        assert (again.status, again.body) == (304, b"")


def test_an_answer_that_is_known_can_still_be_framed(cluster: Cluster) -> None:
    """A browser takes the policy of a 304 for that of the page that it stored."""
    stored = cluster.ask(address("/embed")).headers
    again = cluster.ask(address("/embed"), headers={"if-none-match": stored["etag"]})
    assert again.status == 304
    for name in ("content-security-policy", "cross-origin-resource-policy"):
        assert again.headers.get(name) in (None, stored[name])
        assert cluster.ask("/nothing").headers[name] != stored[name]


def test_another_version_is_gone(cluster: Cluster) -> None:
    answer = cluster.ask("/v/0123456789ab" + address("/graph"))
    assert answer.status == 410
    assert_hard_shell(answer)
    assert answer.headers["cache-control"] == "no-store"


def test_a_long_redirect_passes(cluster: Cluster) -> None:
    spec = {"samples": 2, "layers": "2-8-8-1", "steps": 1, "sample": "0,1"}
    path = f"/train/open?{urlencode(spec)}"
    answer = cluster.ask(path)
    assert answer.status == 303
    assert answer.headers["location"] == ask(cluster.replicas[0].port, path).headers["location"]


def test_operators_addresses_are_not_for_visitors(cluster: Cluster) -> None:
    for path in ("/metrics", "/readyz", "//metrics", "/x/../metrics", "/%6detrics"):
        assert ask(cluster.replicas[0].port, path.replace("/x/..", "")).status != 502
        answer = cluster.ask(path)
        assert answer.status == 404, path
        assert b"seegrad_" not in answer.body
    assert cluster.ask("/proxyz").body == b"ok\n"


# Without any replica: what these tests need is asked for beforehand, at once


@pytest.fixture(scope="module")
def kept(_cluster: Cluster) -> dict[str, Answer]:
    """What nginx should have kept, by address."""
    _cluster.revive()
    version = _cluster.version()
    page = _cluster.ask("/train").body.decode()
    asset = next(part for part in page.split('"') if part.startswith("/static/"))
    paths = [
        trace(EXAMPLE),
        trace(LONG),
        trace("1 +"),
        trace(f"{SECRET} = 2.0"),
        *map(address, PURE),
    ]
    found = [asset, "/", "/train", address("/transcript"), *(f"/v/{version}{it}" for it in paths)]
    for _ in range(3):  # a page is kept when it is asked for again
        answers = {path: _cluster.ask(path) for path in found}
    return answers


@pytest.fixture
def alone(_cluster: Cluster, kept: dict[str, Answer]) -> Cluster:
    """nginx with every replica dead."""
    _cluster.kill()
    return _cluster


def test_stored_answer_is_served(alone: Cluster, kept: dict[str, Answer]) -> None:
    for path, before in kept.items():
        after = alone.ask(path)
        assert (after.status, after.body) == (before.status, before.body), path
        assert after.headers["cache-control"] == before.headers["cache-control"]
        for name in ("content-security-policy", "x-content-type-options", "referrer-policy"):
            assert after.headers[name] == before.headers[name]
    assert {answer.status for answer in kept.values()} == {200, 303, 422}


def test_a_long_program_is_kept(alone: Cluster, kept: dict[str, Answer]) -> None:
    (path,) = (path for path in kept if trace(LONG) in path)
    assert 24_000 < len(path) < 60_000
    assert json.loads(alone.ask(path).body)["program"] == LONG


def test_missing_answer_is_a_clear_error(alone: Cluster) -> None:
    versioned = f"/v/0123456789ab{trace('a = 41.0')}"
    for path in (versioned, trace("a = 42.0"), "/train?seed=9", "/v/0/train/stream"):
        answer = alone.ask(path)
        assert answer.status == 502
        assert_hard_shell(answer)
        assert answer.headers["cache-control"] == "no-store"
        assert int(answer.headers["retry-after"]) > 0
        assert b"Nothing you typed is lost" in answer.body
        if "/api/" in path:
            assert answer.headers["content-type"] == "application/problem+json"
            assert json.loads(answer.body)["status"] == 502


# What is written


def test_nothing_typed_is_written_to_a_log(alone: Cluster) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    body = urlencode({"program": f"{SECRET} = 1.0"}).encode()
    told = {"user-agent": SECRET, "referer": SECRET}
    for path in (trace(f"{SECRET} = 1.0"), f"/v/x/graph?{SECRET}", f"/a%20b{SECRET}"):
        assert alone.ask(path, headers=told).status == 502
    assert alone.ask("/graph", "POST", form, body).status == 502
    assert alone.ask(f"/graph?program={SECRET}{'x' * 100_000}").status == 414
    alone.proxy.stop()  # writes what it holds back
    try:
        text = alone.proxy.log.read_text()
    finally:
        alone.proxy.start()
    assert SECRET not in text
    said = [json.loads(line) for line in text.splitlines()]
    assert {entry["status"] for entry in said} >= {200, 304, 502, 414}
    assert {entry["path"] for entry in said} >= {"/api/trace", "/graph", "/v/x/graph", "other"}

"""Compression: whether a request allows gzip, and which bodies are worth it."""

from __future__ import annotations

import gzip

from fastapi import Request

from app.serving.compression import negotiated, packed, takes_gzip
from tests.support.each import for_each


def request(accepted: str | None) -> Request:
    """A request with an Accept-Encoding, or without one."""
    headers = [] if accepted is None else [(b"accept-encoding", accepted.encode())]
    return Request({"type": "http", "headers": headers})


@for_each(
    ("said", "taken"),
    [
        (b"gzip", True),
        (b"br, GZIP;q=0.5", True),
        (b"*", True),
        (b"gzip;q=0, *", False),
        (b"gzip;q=nan, *;q=0", False),
        (b"gzip;q=2", False),
        (b"identity", False),
        (b"", False),
        (b"x-gzipped", False),
    ],
)
def test_accept_encoding(said: bytes, taken: bool) -> None:
    assert takes_gzip(said) is taken


def test_the_request_is_left_with_one_word() -> None:
    said = [(b"accept-encoding", b"br"), (b"host", b"x"), (b"accept-encoding", b"gzip;q=0.5")]
    scope, encoding = negotiated({"type": "http", "headers": said})
    assert encoding == b"gzip"
    assert scope["headers"] == [(b"host", b"x"), (b"accept-encoding", b"gzip")]


def test_long_bodies_are_compressed_where_the_client_reads_gzip() -> None:
    long, short = b"x" * 100_000, b"x" * 100
    body, headers = packed(request("br, gzip"), long)
    assert headers == {"content-encoding": "gzip", "vary": "accept-encoding"}
    assert gzip.decompress(body) == long
    assert packed(request("gzip"), short) == (short, {})
    for accepted in (None, "br", "gzip;q=0"):
        assert packed(request(accepted), long) == (long, {})

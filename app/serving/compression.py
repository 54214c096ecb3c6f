"""Compression of answers with gzip, decided once for each request.

`negotiated` reduces Accept-Encoding to one word before anything else reads it, which gives the
answer cache two variants at most. Long bodies that a request computes are compressed by `packed` in
the thread that computed them, as the event loop would stand still meanwhile, and streams piece by
piece by a `GzipStream`; the middleware of `add_compression` compresses the rest: pages that are
made once. Assets are compressed when the server starts (`app.serving.assets`).
"""

from __future__ import annotations

import gzip
import zlib

from fastapi import FastAPI, Request
from starlette.middleware.gzip import GZipMiddleware

from app.serving.headers import Scope, header

COMPRESS_FROM = 16_384  # bytes; below, compressing costs more time than it saves
LEVEL = 1  # a sixth more bytes than level 6 on a trace, in an eighth of its time
PAGE_LEVEL = (
    4  # of a page with pictures: six sevenths of the bytes of level 1, in less than twice its time
)
STREAM_LEVEL = 6  # of lean events: two thirds of the bytes of level 1, in three times its 0.3 ms


def negotiated(scope: Scope) -> tuple[Scope, bytes]:
    """The request with an Accept-Encoding of one word, `gzip` or `identity`, and that word."""
    encoding = b"gzip" if takes_gzip(header(scope, b"accept-encoding")) else b"identity"
    headers = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
    return {**scope, "headers": [*headers, (b"accept-encoding", encoding)]}, encoding


def packed(request: Request, body: bytes, level: int = LEVEL) -> tuple[bytes, dict[str, str]]:
    """The body to send, compressed if it is long and the client reads gzip; and its headers."""
    accepted = request.headers.get("accept-encoding", "").encode("latin-1")
    if len(body) < COMPRESS_FROM or not takes_gzip(accepted):
        return body, {}
    packed = gzip.compress(body, level, mtime=0)
    return packed, {"content-encoding": "gzip", "vary": "accept-encoding"}


class GzipStream:
    """A gzip stream that grows: each piece can be decoded as soon as it arrives.

    What one piece repeats of those before it costs next to nothing.
    """

    def __init__(self) -> None:
        self._stream = zlib.compressobj(STREAM_LEVEL, wbits=31)

    def piece(self, body: bytes) -> bytes:
        """The next piece."""
        return self._stream.compress(body) + self._stream.flush(zlib.Z_SYNC_FLUSH)


def add_compression(app: FastAPI) -> None:
    """Compress the long answers of `app` that are not compressed yet."""
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESS_FROM, compresslevel=LEVEL)


def takes_gzip(accepted: bytes) -> bool:
    """Whether an Accept-Encoding allows gzip (RFC 9110, 12.5.3); a malformed one does not."""
    weights: dict[bytes, float] = {}
    for part in accepted.lower().split(b","):
        coding, _, parameter = part.partition(b";")
        weights[coding.strip()] = _weight(parameter.strip())
    return weights.get(b"gzip", weights.get(b"*", 0.0)) > 0


def _weight(parameter: bytes) -> float:
    """The weight of a coding; 1 if none is given, 0 for a malformed one."""
    if not parameter:
        return 1.0
    try:
        weight = float(parameter.removeprefix(b"q="))
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0

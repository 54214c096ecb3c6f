"""Bodies as they are sent: compressed if they are long and the client can read it."""

from __future__ import annotations

import gzip

from fastapi import Request

COMPRESS_FROM = 16_384  # bytes; below, compressing costs more time than it saves


def packed(request: Request, body: bytes) -> tuple[bytes, dict[str, str]]:
    """The body as it is sent, with the headers that say so: compressed if it is long.

    To be called where `body` was made: compressing a long one takes the event loop too long.
    """
    if len(body) < COMPRESS_FROM or "gzip" not in request.headers.get("accept-encoding", ""):
        return body, {}
    return gzip.compress(body, 1, mtime=0), {"content-encoding": "gzip", "vary": "accept-encoding"}

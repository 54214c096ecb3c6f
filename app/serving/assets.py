"""Assets from memory: every file is read and compressed once, when the server starts.

A page loads dozens of small files at once. Reading and compressing each for each visitor would
take longer than sending them; together they are about a megabyte.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from app.serving.compression import takes_gzip
from app.serving.headers import IMMUTABLE, Scope, header, is_known

COMPRESS_FROM = 1024  # bytes; below, an answer fits one packet anyway
DIGITS = 16


class Asset(NamedTuple):
    """A file in memory; `packed` is empty where compression would not shorten it.

    The ETag is weak, as body and `packed` share it (RFC 9110, 8.8.3.3).
    """

    body: bytes
    packed: bytes
    kind: str
    etag: str


class Assets(StaticFiles):
    """The files below a folder, and files that are only in memory, by path.

    They are immutable: the address holds a hash of all of them.
    """

    def __init__(self, folder: Path, made: Mapping[str, bytes]) -> None:
        super().__init__(directory=folder)
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        self._files = {path: _asset(path, body) for path, body in {**files, **made}.items()}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file at `path`. Raises HTTPException 404 and 405."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)
        asset = self._files.get(path)
        if asset is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {**IMMUTABLE, "etag": asset.etag, "vary": "accept-encoding"}
        if is_known(scope, asset.etag.encode()):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        body = asset.body
        if asset.packed and takes_gzip(header(scope, b"accept-encoding")):
            body = asset.packed
            headers["content-encoding"] = "gzip"
        headers["content-length"] = str(len(body))
        return Response(body if scope["method"] == "GET" else b"", 200, headers, asset.kind)


def _asset(path: str, body: bytes) -> Asset:
    packed = gzip.compress(body, mtime=0) if len(body) >= COMPRESS_FROM else b""
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:DIGITS]}"'
    return Asset(body, packed if len(packed) < len(body) else b"", kind, etag)

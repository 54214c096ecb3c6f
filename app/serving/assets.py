"""Assets from memory: every file is read when the server starts, and compressed when first sent.

A page loads dozens of small files at once. Reading and compressing each for each visitor would
take longer than sending them; together they are about a megabyte. Most modules are sent to nobody,
as pages load them joined.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from functools import cached_property
from http import HTTPStatus
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from app.serving.compression import takes_gzip
from app.serving.headers import IMMUTABLE, Scope, header, is_known

COMPRESS_FROM = 1024  # bytes; below, an answer fits one packet anyway
DIGITS = 16


class Asset:
    """A file in memory.

    The ETag is weak, as body and `packed` share it (RFC 9110, 8.8.3.3).
    """

    def __init__(self, path: str, body: bytes) -> None:
        self.body = body
        self.kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        self.etag = f'W/"{hashlib.sha256(body).hexdigest()[:DIGITS]}"'

    @cached_property
    def packed(self) -> bytes:
        """The body compressed; empty where that would not shorten it."""
        packed = gzip.compress(self.body, mtime=0) if len(self.body) >= COMPRESS_FROM else b""
        return packed if len(packed) < len(self.body) else b""


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
        self._files = {path: Asset(path, body) for path, body in {**files, **made}.items()}

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
        if takes_gzip(header(scope, b"accept-encoding")) and asset.packed:
            body = asset.packed
            headers["content-encoding"] = "gzip"
        headers["content-length"] = str(len(body))
        return Response(body if scope["method"] == "GET" else b"", 200, headers, asset.kind)

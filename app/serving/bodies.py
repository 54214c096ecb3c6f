"""Bodies of requests: read before any work, up to a limit, and passed on in one piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import HTTPException, Response
from python_multipart.multipart import parse_options_header

from app.serving.headers import ASGI, Message, Receive, Scope, Send

BODILESS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
CLOSE = {"connection": "close", "cache-control": "no-store"}
TOO_LARGE = "The request's body is larger than {most:,} bytes, the limit of this server (max_body)."
DECLARED = " It was announced with {size:,} bytes."
FORMS = frozenset({b"application/x-www-form-urlencoded", b"multipart/form-data"})
FOREIGN = "The form is written in a charset that is not read here; send it as UTF-8."
UNPACKED = "The body is packed as {kind}; send it as it is, without content-encoding."

Refuse = Callable[[Scope, int, str, Mapping[str, str]], Response]


class Bodies:
    """`app`, which gets the bodies of up to `most` bytes; `refuse` makes the answer to others."""

    def __init__(self, app: ASGI, most: int, refuse: Refuse) -> None:
        self._app = app
        self._most = most
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in BODILESS:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        size = int(headers.get(b"content-length", b"0"))
        packing = headers.get(b"content-encoding", b"identity").decode("latin-1")
        if packing.strip().lower() not in ("", "identity"):
            answer = self._refuse(scope, 415, UNPACKED.format(kind=packing[:32]), CLOSE)
        elif size > self._most:
            answer = self._too_large(scope, DECLARED.format(size=size))
        else:
            try:
                body = await self._read(receive)
            except ConnectionError:
                return  # nobody waits for an answer
            if body is not None:
                await self._app(scope, _in_one_piece(body, receive), send)
                return
            answer = self._too_large(scope)
        await answer(scope, receive, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, None for one that is too long. Raises ConnectionError if it never ends."""
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            part: bytes = message.get("body", b"")
            parts.append(part)
            size += len(part)
            if size > self._most:
                return None
            more = message.get("more_body", False)
        return b"".join(parts)

    def _too_large(self, scope: Scope, more: str = "") -> Response:
        return self._refuse(scope, 413, TOO_LARGE.format(most=self._most) + more, CLOSE)


def _in_one_piece(body: bytes, receive: Receive) -> Receive:
    """`receive`, which first gives the whole body."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed


def refuse_charset(content_type: str | None) -> None:
    """Raises HTTPException (415) for a form in another charset than UTF-8.

    To be asked before it is read: that decodes with whatever charset it is told, and some of
    Python's take the square of the length, or remember every name they are asked for.
    """
    kind, options = parse_options_header(content_type)
    if kind in FORMS and options.get(b"charset", b"utf-8").lower() != b"utf-8":
        raise HTTPException(415, FOREIGN)

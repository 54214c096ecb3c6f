"""Bodies of requests: read before any work, up to a limit, and passed on in one piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import Response

from app.headers import ASGI, Message, Receive, Scope, Send

BODILESS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
CLOSE = {"connection": "close", "cache-control": "no-store"}
TOO_LARGE = "The request's body is larger than {most:,} bytes, the limit of this server (max_body)."
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
        packing = headers.get(b"content-encoding", b"identity").decode("latin-1")
        if packing.strip().lower() not in ("", "identity"):
            answer = self._refuse(scope, 415, UNPACKED.format(kind=packing[:32]), CLOSE)
        elif int(headers.get(b"content-length", b"0")) > self._most:
            answer = self._too_large(scope)
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

    def _too_large(self, scope: Scope) -> Response:
        return self._refuse(scope, 413, TOO_LARGE.format(most=self._most), CLOSE)


def _in_one_piece(body: bytes, receive: Receive) -> Receive:
    """`receive`, which first gives the whole body."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed

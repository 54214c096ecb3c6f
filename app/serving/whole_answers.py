"""Answers whose head and body leave in one write."""

from __future__ import annotations

import asyncio

from app.serving.headers import Message


class WholeAnswers:
    """A transport as an answer sees it: the head waits for the first part of the body.

    uvicorn writes the two one after the other. A process that is killed in between leaves a proxy
    with an answer that has begun, which no other replica can give in its place. Answers of unknown
    length are streams, whose head must not wait.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._waiting: list[bytes] | None = None

    def before(self, message: Message) -> None:
        """`message`, an ASGI message of the answer, is about to be written."""
        if message["type"] == "http.response.start" and any(
            name.lower() == b"content-length" for name, _ in message.get("headers", ())
        ):
            self._waiting = []

    def after(self, message: Message) -> None:
        """`message` has been written: a part of the body takes along what waited for it."""
        if message["type"] == "http.response.body":
            self._send()

    def write(self, data: bytes) -> None:
        if self._waiting is None:
            self._transport.write(data)
        else:
            self._waiting.append(data)

    def close(self) -> None:
        self._send()
        self._transport.close()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting:
            self._transport.write(b"".join(waiting))

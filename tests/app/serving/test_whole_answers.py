"""An answer of known length leaves the process in one write, and a stream's head does not wait."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from app.serving.headers import Message, Receive, Scope, Send
from app.serving.protocol import GuardedProtocol

START: Message = {"type": "http.response.start", "status": 200}
SIZED: Message = {**START, "headers": [(b"content-length", b"6")]}
STREAM: Message = {**START, "headers": [(b"content-type", b"text/event-stream")]}


def body(text: bytes, more: bool = False) -> Message:
    return {"type": "http.response.body", "body": text, "more_body": more}


class Wire(asyncio.Transport):
    """A transport that notes each write."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        self.writes.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass


async def answered(messages: list[Message], request: bytes) -> Wire:
    """The wire after an application has sent the messages, each in a turn of its own."""
    done = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for message in messages:
            await send(message)
            await asyncio.sleep(0)
        done.set()

    config = Config(app=app, http=GuardedProtocol, lifespan="off", log_config=None)
    config.load()
    wire = Wire()
    protocol = GuardedProtocol(config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(wire)
    protocol.data_received(request)
    await done.wait()
    await asyncio.sleep(0)
    protocol.connection_lost(ConnectionResetError())
    return wire


def said(messages: list[Message], method: str = "GET", more: str = "") -> Wire:
    return asyncio.run(answered(messages, f"{method} / HTTP/1.1\r\nHost: x\r\n{more}\r\n".encode()))


@pytest.mark.parametrize("more", ["", "Connection: close\r\n"])
def test_head_and_body_leave_together(more: str) -> None:
    wire = said([SIZED, body(b"gradnt")], more=more)
    (whole,) = wire.writes
    assert whole.startswith(b"HTTP/1.1 200 OK\r\n")
    assert whole.endswith(b"\r\n\r\ngradnt")
    assert wire.closed == bool(more)


def test_a_body_in_parts_takes_the_head_with_its_first() -> None:
    first, second = said([SIZED, body(b"gra", more=True), body(b"dnt")]).writes
    assert first.endswith(b"\r\n\r\ngra")
    assert second == b"dnt"


def test_an_answer_without_a_body_is_its_head() -> None:
    (head,) = said([SIZED, body(b"")], method="HEAD").writes
    assert head.endswith(b"\r\ncontent-length: 6\r\n\r\n")


def test_the_head_of_a_stream_does_not_wait() -> None:
    head, *events = said([STREAM, body(b"data: 1\n\n", more=True), body(b"")]).writes
    assert head.endswith(b"\r\n\r\n")
    assert b"data: 1" in b"".join(events)


def test_what_was_begun_is_not_held_back_when_the_application_ends() -> None:
    wire = said([SIZED])
    assert b"".join(wire.writes).endswith(b"\r\n\r\n")
    assert wire.closed

"""HTTP headers of answers: security, caching, and the types of ASGI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
ASGI: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
RawHeaders: TypeAlias = list[tuple[bytes, bytes]]

# Caching

NO_CACHE: Mapping[str, str] = {"cache-control": "no-cache"}
"""Stored, and revalidated before each use."""
NO_STORE: Mapping[str, str] = {"cache-control": "no-store"}
IMMUTABLE: Mapping[str, str] = {"cache-control": "public, max-age=31536000, immutable"}
"""For addresses that contain the version, or the hash, of their content."""

# Security

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
"""Of pages. Other sites cannot frame them; a lesson frames the page that it is about."""
LESSON_POLICY = f"{POLICY}; frame-src 'self'"
"""For lessons, which show the live page beside their text."""
TRAIN_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""For the page that trains in the browser: it may compile WebAssembly, but still not eval text."""
EMBED_POLICY = (
    POLICY.replace("frame-ancestors 'self'", "frame-ancestors *")
    .replace("connect-src 'self'", "connect-src 'none'")
    .replace("form-action 'self'", "form-action 'none'")
)
"""For the page that other sites may frame: it has no form, and its script sends no request."""
PICTURE_POLICY = "default-src 'none'; img-src 'self'; style-src 'none'; frame-ancestors 'none'"
"""For an SVG as a document: it needs nothing, but Firefox asks for the site's icon."""

ALWAYS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class SecurityHeaders:
    """Middleware that adds ALWAYS and `more` to each answer, errors included.

    A header that the application sets itself stays. A 304 has `more` alone: a browser replaces the
    headers that it stored by those of a 304 (RFC 9111, 3.2), and the policy of `/embed` is its own.
    """

    def __init__(self, app: ASGI, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        self.app = app
        self._headers, self._unchanged = (*ALWAYS, *more), more

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers}
                added = self._unchanged if message["status"] == 304 else self._headers
                headers += [pair for pair in added if pair[0] not in present]
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, send_with_headers)


# Messages of ASGI


def raw(headers: Mapping[str, str]) -> RawHeaders:
    """Headers as ASGI sends them."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def header(scope: Scope, name: bytes) -> bytes:
    """The values of a request's header `name`, joined as RFC 9110, 5.3, says; b"" if absent."""
    return b", ".join(value for known, value in scope["headers"] if known == name)


def is_known(scope: Scope, tag: bytes) -> bool:
    """Whether If-None-Match names the ETag `tag`, by weak comparison (RFC 9110, 13.1.2)."""
    tags = header(scope, b"if-none-match")
    return bool(tags) and tag.removeprefix(b"W/") in {
        part.strip().removeprefix(b"W/") for part in tags.split(b",")
    }


def replayed(message: Message, receive: Receive) -> Receive:
    """A `receive` that returns `message` before what is still to come."""
    waiting = [message]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received

"""Request bodies: read before any work, up to a limit, and passed on as one message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl

from fastapi import HTTPException, Request, Response
from python_multipart.multipart import parse_options_header

from app.serving.headers import ASGI, NO_STORE, Message, Receive, Scope, Send, replayed

BODILESS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
CLOSE = {"connection": "close", **NO_STORE}
TOO_LARGE = "The request's body is larger than {most:,} bytes, the limit of this server (max_body)."
DECLARED = " It was announced with {size:,} bytes."
FORMS = frozenset({b"application/x-www-form-urlencoded", b"multipart/form-data"})
SCRIPTS_FORMS = frozenset({
    "application/x-www-form-urlencoded", "application/x-www-form-urlencoded;charset=utf-8",
})  # fmt: skip
"""The forms that browsers and most scripts send: read in a sixth of the time of any form."""
TOO_MANY = "Too many fields. Maximum number of fields is {most}."
CHARSET = "The form is not in UTF-8; send it as UTF-8."
ENCODED = "The body is encoded as {kind}; send it unencoded, without content-encoding."

Refuse = Callable[[Scope, int, str, Mapping[str, str]], Response]
"""Makes the answer to a refused request: its scope, the status, the reason, more headers."""


class BodyLimit:
    """Middleware that reads bodies of up to `most` bytes and answers larger ones with `refuse`."""

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
        encoding = headers.get(b"content-encoding", b"identity").decode("latin-1")
        if encoding.strip().lower() not in ("", "identity"):
            answer = self._refuse(scope, 415, ENCODED.format(kind=encoding[:32]), CLOSE)
        elif size > self._most:
            answer = self._too_large(scope, DECLARED.format(size=size))
        else:
            try:
                body = await self._read(receive)
            except ConnectionError:
                return  # the client is gone
            if body is not None:
                message: Message = {"type": "http.request", "body": body, "more_body": False}
                await self._app(scope, replayed(message, receive), send)
                return
            answer = self._too_large(scope)
        await answer(scope, receive, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body, or None if it is too long. Raises ConnectionError if the client leaves."""
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


async def form_pairs(request: Request, most: int) -> list[tuple[str, str]]:
    """The texts of a form, in order; its ends of lines, which HTML makes CRLF, are newlines.

    Raises HTTPException (415), and (400) for more than `most`.
    """
    kind = request.headers.get("content-type")
    if kind is not None and kind.lower() in SCRIPTS_FORMS:
        text = (await request.body()).decode("latin-1")
        try:
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=most)
        except ValueError:
            raise HTTPException(400, TOO_MANY.format(most=most)) from None
    else:
        refuse_charset(kind)
        form = await request.form(max_files=0, max_fields=most)
        pairs = [(name, text) for name, text in form.multi_items() if isinstance(text, str)]
    return [(name, text.replace("\r\n", "\n")) for name, text in pairs]


def refuse_charset(content_type: str | None) -> None:
    """Raises HTTPException (415) for a form in a charset other than UTF-8.

    To be called before the form is parsed: the parser decodes with any codec of Python's that the
    client names, and some take quadratic time, or cache every name they are asked for.
    """
    kind, options = parse_options_header(content_type)
    if kind in FORMS and options.get(b"charset", b"utf-8").lower() != b"utf-8":
        raise HTTPException(415, CHARSET)

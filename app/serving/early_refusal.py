"""Refusals on the wire, before any application sees the request: their answers and count."""

from __future__ import annotations

from http import HTTPStatus

from prometheus_client import Counter

from app.serving.headers import ALWAYS, NO_STORE, raw

refused = Counter(
    "seegrad_refused_total",
    "Requests refused for malformed HTTP, their length or their slowness, by status.",
    ("status",),
    registry=None,
)
"""The requests that this process refused; every application shows it among its metrics."""

for status in (400, 408, 431):
    refused.labels(status)  # so that each is shown from the start, as 0


class EarlyRefusal(Exception):
    """A request is refused before it has been read to its end."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def answer(self, version: str) -> bytes:
        """The bytes of the answer of a server with this version key."""
        body = self.message.encode() + b"\n"
        own = {
            "seegrad-version": version,
            "content-type": "text/plain; charset=utf-8",
            "content-length": str(len(body)),
            **NO_STORE,
            "connection": "close",
        }
        first = f"HTTP/1.1 {self.status.value} {self.status.phrase}\r\n".encode()
        lines = (b"%b: %b\r\n" % pair for pair in (*ALWAYS, *raw(own)))
        return first + b"".join(lines) + b"\r\n" + body


def malformed(message: str) -> EarlyRefusal:
    """The refusal of a violation of HTTP's syntax."""
    return EarlyRefusal(HTTPStatus.BAD_REQUEST, message)


def too_long(limit: str) -> EarlyRefusal:
    """The refusal of a request line and headers beyond `limit`, which names the unit."""
    message = (
        f"The address and the headers of this request are longer than {limit}, the limit of this "
        "server (head_bytes). If it was a link: open the page without what follows the question "
        "mark, and paste the program there. If it was a script: send the program by POST."
    )
    return EarlyRefusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, message)


def too_late(seconds: float, came: int, declared: bytes | None) -> EarlyRefusal:
    """The refusal of a request of which `came` bytes of body arrived within `seconds`."""
    message = f"The request did not arrive within {seconds:g} seconds (receive_seconds)."
    if declared is not None:
        message += f" {came:,} of the {int(declared):,} bytes of its body arrived."
    return EarlyRefusal(HTTPStatus.REQUEST_TIMEOUT, message)

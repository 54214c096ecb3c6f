"""The module `io`, as far as it touches no file: texts that are written piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.contract import Kind, Machine
from engine.language.sizes import TEXT_LENGTH
from engine.language.weights import text_cost, whole

from .effects import Stream


class Buffer(Stream):
    """`io.StringIO`: `parts` are its text, `at` is the place of the next character read."""

    def __init__(self, m: Machine, text: str) -> None:
        super().__init__(shown=False)
        self.m, self.parts, self.length, self.at = m, [text], len(text), 0

    def text(self) -> str:
        """The whole text, charged."""
        self.m.spend(1 + self.length // 16 + len(self.parts))
        self.parts = ["".join(self.parts)]
        return self.parts[0]

    def put(self, text: str) -> None:
        """Write `text` at the present place."""
        self.m.spend(1 + text_cost(text))
        if self.length + len(text) > TEXT_LENGTH:
            self.m.refuse(f"This text has more than {TEXT_LENGTH:,} characters.", "Write less.")
        if self.at < self.length:
            held = self.text()
            self.parts = [held[: self.at], text, held[self.at + len(text) :]]
        else:
            self.parts.append(text)
        self.at += len(text)
        self.length = max(self.length, self.at)

    def line(self) -> str:
        """The text up to the end of the present line; empty at the end of the text."""
        held = self.text()
        end = held.find("\n", self.at) + 1 or self.length
        self.at, line = end, held[self.at : end]
        return line

    def __iter__(self) -> Iterator[str]:
        return iter(self.line, "")


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `io`."""
    return {"StringIO": bound(m, _buffer, "StringIO")}


def _buffer(m: Machine, initial_value: Any = "", newline: Any = "\n") -> Buffer:
    m.spend(20)
    if not isinstance(initial_value, str | None):
        kind = type(initial_value).__name__
        raise TypeError(f"initial_value must be str or None, not {kind}")
    return Buffer(m, str.__str__(initial_value or ""))


def _write(m: Machine, stream: Buffer, text: Any) -> int:
    if not isinstance(text, str):
        raise TypeError(f"string argument expected, got '{type(text).__name__}'")
    stream.put(str.__str__(text))
    return len(text)


def _read(m: Machine, stream: Buffer, size: Any = -1) -> str:
    start, wanted = stream.at, -1 if size is None else whole(size)
    stream.at = stream.length if wanted < 0 else min(start + wanted, stream.length)
    return stream.text()[start : stream.at]


def _seek(m: Machine, stream: Buffer, place: Any, whence: Any = 0) -> int:
    """A place behind the end, where CPython would fill with zeros, is refused."""
    at = stream.length + whole(place) if whence == 2 else whole(place)
    if not 0 <= at <= stream.length:
        m.refuse("seek stays inside the text here.", "Use seek(0).")
    stream.at = at
    return at


def _truncate(m: Machine, stream: Buffer, size: Any = None) -> int:
    length = stream.at if size is None else whole(size)
    stream.parts = [stream.text()[:length]]
    stream.length = len(stream.parts[0])
    stream.at = min(stream.at, stream.length)
    return length


BUFFER = Kind(
    Buffer,
    "a stream of text",
    methods={
        "write": _write,
        "getvalue": lambda m, stream: stream.text(),
        "read": _read,
        "readline": lambda m, stream: stream.line(),
        "readlines": lambda m, stream: list(m.items(stream)),
        "seek": _seek,
        "tell": lambda m, stream: stream.at,
        "truncate": _truncate,
        "flush": lambda m, stream: None,
        "close": lambda m, stream: None,
        "isatty": lambda m, stream: False,
        "__enter__": lambda m, stream: stream,
        "__exit__": lambda m, stream, *error: None,
        "__iter__": lambda m, stream: stream,
    },
)


class Redirection:
    """`redirect_stdout(stream)`: what is printed inside goes to the stream."""

    def __init__(self, m: Machine, stream: Any) -> None:
        self.m, self.stream = m, stream

    def enter(self) -> Any:
        self.m.redirected.append(self.stream.put)
        return self.stream

    def leave(self) -> None:
        if self.m.redirected:
            self.m.redirected.pop()


def redirect_stdout(m: Machine, new_target: Any) -> Redirection:
    """Raises Refused for anything but a StringIO: no file is written."""
    m.spend(4)
    if not isinstance(new_target, Buffer):
        m.refuse("redirect_stdout takes an io.StringIO here.", "Write f = io.StringIO().")
    return Redirection(m, new_target)


REDIRECTION = Kind(
    Redirection,
    "a context manager",
    methods={
        "__enter__": lambda m, x: x.enter(),
        "__exit__": lambda m, x, *error: x.leave(),
    },
)

"""What a program prints leaves at once: a stop by the host loses none of it.

A call of the host takes some microseconds, so that `print` makes one of it and not one for each
value, separator and end.
"""

import builtins
import io
import sys
from collections.abc import Callable
from typing import Any

import wit_world

MOST = 1 << 16  # characters printed in one chunk
_print = builtins.print


def _nowhere(kind: str, text: str) -> None:
    """While the snapshot is made there is no host yet."""


class _Host:
    """Where chunks go."""

    def __init__(self) -> None:
        self.emit: Callable[[str, str], None] = _nowhere


_host = _Host()


def sendable(text: str) -> str:
    """The text with what UTF-8 cannot hold written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def emit(kind: str, text: str) -> None:
    """Give the host a chunk."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = sendable(text)
    _host.emit(kind, text)


class Stream(io.TextIOBase):
    """A text stream that is emitted under one kind."""

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, kind: str) -> None:
        self.name = f"<{kind}>"
        self._kind = kind

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        for start in range(0, len(text), MOST):
            emit(self._kind, text[start : start + MOST])
        return len(text)

    def writable(self) -> bool:
        return True


class Print:
    """Stands for the built-in function, and does the same in one piece where it can."""

    __slots__ = ()
    __module__ = "builtins"
    __name__ = "print"

    def __repr__(self) -> str:
        return "<built-in function print>"

    def __reduce__(self) -> str:
        return "print"

    def __call__(self, *values: Any, **options: Any) -> None:
        stream = sys.stdout
        sep, end = options.get("sep"), options.get("end")
        sep, end = " " if sep is None else sep, "\n" if end is None else end
        plain = type(sep) is str and type(end) is str and options.keys() <= {"sep", "end", "flush"}
        if not plain or type(stream) is not Stream:
            _print(*values, **options)
            return
        texts: list[str] = []
        try:
            for value in values:
                texts.append(str(value))  # noqa: PERF401 - those before one that fails are printed
        except BaseException:
            stream.write("".join(text + sep for text in texts))
            raise
        stream.write(sep.join(texts) + end)


def set_up() -> None:
    """Replace the standard streams: there is nothing to read."""
    streams = {"stdin": io.StringIO(), "stdout": Stream("stdout"), "stderr": Stream("stderr")}
    for name, stream in streams.items():
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    builtins.print = Print()


def connect() -> None:
    """From now on the host takes what is emitted."""
    _host.emit = wit_world.emit

"""The module `pathlib`: paths as texts. What would look at a file is refused at the call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from engine.language.contract import Kind, Machine

_LONGEST = 4_000
_PARTS = ("name", "stem", "suffix", "suffixes", "parts")
_OF_TEXT = ("with_name", "with_suffix", "with_stem", "joinpath", "relative_to")
_OF_FILES = (
    "open", "read_text", "write_text", "read_bytes", "write_bytes", "exists", "is_file", "is_dir",
    "mkdir", "iterdir", "glob", "rglob", "resolve", "absolute", "unlink", "touch", "stat", "rename",
)  # fmt: skip


class PosixPath:
    """A path of at most 4,000 characters, which names no file."""

    def __init__(self, m: Machine, path: PurePosixPath) -> None:
        if len(str(path)) > _LONGEST:
            m.refuse("This path is too long.", "Make it shorter.")
        self.m, self.path = m, path

    def __truediv__(self, other: Any) -> PosixPath:
        return _made(self.m, self, other)

    def __rtruediv__(self, other: Any) -> PosixPath:
        return _made(self.m, other, self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PosixPath) and self.path == other.path

    def __hash__(self) -> int:
        return hash(str(self.path))

    def __lt__(self, other: Any) -> bool:
        return self.path < other.path if isinstance(other, PosixPath) else NotImplemented

    def __str__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"PosixPath({str(self.path)!r})"


def _plain(m: Machine, part: Any) -> PurePosixPath | str:
    m.spend(4)
    if isinstance(part, PosixPath):
        return part.path
    if not isinstance(part, str):
        kind = type(part).__name__
        raise TypeError(f"expected str, bytes or os.PathLike object, not {kind}")
    if len(part) > _LONGEST:
        m.refuse("This path is too long.", "Make it shorter.")
    return str.__str__(part)


def _made(m: Machine, *parts: Any) -> PosixPath:
    return PosixPath(m, PurePosixPath(*[_plain(m, part) for part in parts]))


def _read(name: str) -> Callable[[Machine, Any], Any]:
    def read(m: Machine, x: PosixPath) -> Any:
        m.spend(4)
        found = getattr(x.path, name)
        return PosixPath(m, found) if isinstance(found, PurePosixPath) else found

    return read


def _of_text(name: str) -> Callable[..., Any]:
    def call(m: Machine, x: PosixPath, *parts: Any) -> PosixPath:
        return PosixPath(m, getattr(x.path, name)(*[_plain(m, part) for part in parts]))

    return call


def _of_file(name: str) -> Callable[..., Any]:
    def call(m: Machine, x: PosixPath, *args: Any, **keywords: Any) -> Any:
        message = f"pathlib.Path.{name} is not here: a program reaches no files."
        m.refuse(message, "Remove the line.")

    return call


PATH = Kind(
    PosixPath,
    "a path",
    {name: _read(name) for name in (*_PARTS, "parent")},
    {
        **{name: _of_text(name) for name in _OF_TEXT},
        **{name: _of_file(name) for name in _OF_FILES},
        "as_posix": lambda m, x: str(x),
        "is_absolute": lambda m, x: x.path.is_absolute(),
    },
)
CONSTRUCTORS: dict[type, Callable[..., Any]] = {PosixPath: _made}


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `pathlib`."""
    return dict.fromkeys(("Path", "PosixPath", "PurePath", "PurePosixPath"), PosixPath)

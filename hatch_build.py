"""The build hook of the wheel, which installs one top-level package: `seegrad`.

In a checkout `app` and `engine` are top-level packages. In the wheel they lie inside `seegrad`, so
that they neither hide nor are hidden by a user's `app.py` or `engine.py`, and their imports say so:
`from engine.ops import OPS` becomes `from seegrad.engine.ops import OPS`. Nothing else changes.
The wheel has the component besides, which is built in `build` and not in the repository.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "seegrad"
MOVED = ("app", "engine")
COMPONENT = "engine/sandbox/python.wasm"
BUILT = "build/sandbox/python.wasm"
MODULE = re.compile(rf"(?:{'|'.join(MOVED)})(?:\.\w+)+(?::\w+)?")  # app.main:create_app


class CannotMoveError(ValueError):
    """A module names another one in a form that has no counterpart in the wheel."""


def moved(source: bytes, file: str) -> bytes:
    """The source of a module as it is in the wheel.

    Raises CannotMoveError for `import engine`, for a `from` and its module on two lines, and for a
    string that is the path of a module.
    """
    lines = source.splitlines(keepends=True)
    places = sorted(_places(ast.parse(source, file), file), reverse=True)
    for number, column in places:  # backwards: a place is not shifted by those behind it
        line = lines[number - 1]
        from_, module = line[:column] + b"from ", line[column + len(b"from ") :]
        if not line.startswith(from_) or not module.startswith(tuple(map(str.encode, MOVED))):
            raise CannotMoveError(f"{file}:{number}: write `from module import` on one line")
        lines[number - 1] = from_ + PACKAGE.encode() + b"." + module
    return b"".join(lines)


def _places(tree: ast.Module, file: str) -> Iterator[tuple[int, int]]:
    """Line and column, in bytes, of every `from` whose module is moved."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(level=0, module=str(name)) if _is_moved(name):
                yield node.lineno, node.col_offset
            case ast.Import(names=names) if any(_is_moved(alias.name) for alias in names):
                raise CannotMoveError(f"{file}:{node.lineno}: write `from module import name`")
            case ast.Constant(value=str(text)) if MODULE.fullmatch(text):
                raise CannotMoveError(f"{file}:{node.lineno}: write {text!r} with __package__")


def _is_moved(module: str) -> bool:
    return module.partition(".")[0] in MOVED


class WheelHook(BuildHookInterface[Any]):
    """Replaces the modules of the wheel whose imports are other ones there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Give hatchling the changed modules; an editable installation is the checkout itself."""
        self._changed = TemporaryDirectory()
        if version == "editable":
            return
        root = Path(self.root)
        for path in (it for top in (PACKAGE, *MOVED) for it in sorted((root / top).rglob("*.py"))):
            name = path.relative_to(root)
            file = Path(self._changed.name, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(moved(path.read_bytes(), name.as_posix()))
            inside = name if name.parts[0] == PACKAGE else PACKAGE / name
            build_data["force_include"][str(file)] = inside.as_posix()
        build_data["force_include"][str(root / BUILT)] = f"{PACKAGE}/{COMPONENT}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the changed modules: they are in the wheel."""
        self._changed.cleanup()

"""The modules of a page as one script, joined when the server starts.

A browser finds the modules of a page one after the other, and a slow line pays for each of them. So
a page's entry module is served with all that it imports, each module in a function of its own: its
names stay its own, it runs once, and after those that it imports, as the language has it. Nothing
is parsed beyond the statements `import` and `export`, which the modules write in one form each; any
other form is refused with its place. A source map leads from the script to the modules as written.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

FOLDER = "joined"
ENTRIES = (
    "js/editor/code-editor.js",
    "js/exercise/exercise.js",
    "js/explore/embed.js",
    "js/explore/main.js",
    "js/from-python/main.js",
    "js/front/front.js",
    "js/learn/engine.js",
    "js/learn/fix.js",
    "js/learn/lesson.js",
    "js/learn/map.js",
    "js/reference/operation.js",
    "js/train/main.js",
    "js/train/race.js",
)
"""The modules that pages and the modules of pages load, each served with all that it imports."""
APART = ("js/editor/codemirror.js",)
"""Modules that stay on their own: CodeMirror is one for the editor and what it loads later."""

_COMMENT = re.compile(
    r"^[ \t]*/\*\*.*?\*/[ \t]*|/\*\* @type \{[^\n*]*\} \*/ ", re.MULTILINE | re.DOTALL
)
_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([\w\s,]*)\};", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_NEXT_LINE = "AACA"  # the segment of most lines
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class CannotJoinError(ValueError):
    """A module imports or exports in a form that has no counterpart in a joined script."""


class ScriptModule(NamedTuple):
    """A module: its path, and its code line by line, imports replaced; in `code` without `export`,
    which `whole` has."""

    path: str
    whole: str
    code: str
    exports: tuple[str, ...]
    imports: tuple[str, ...]


class Joined(NamedTuple):
    """A script, and its source map as JSON."""

    script: str
    map: str


def joined_path(entry: str) -> str:
    """The path of the script of an entry module, below the folder of assets."""
    return f"{FOLDER}/{entry.removeprefix('js/')}"


def scripts(static: Path) -> dict[str, bytes]:
    """The script of each of ENTRIES and its source map, by path."""
    found: dict[str, bytes] = {}
    modules = ScriptModules(static)
    for entry in ENTRIES:
        path = joined_path(entry)
        made = _joined(modules, entry)
        mapped = f"{made.script}\n//# sourceMappingURL={PurePosixPath(path).name}.map\n"
        found[path], found[f"{path}.map"] = mapped.encode(), made.map.encode()
    return found


def join(static: Path, entry: str) -> Joined:
    """The module `entry` and all that it imports as one module with its exports.

    Raises CannotJoinError.
    """
    return _joined(ScriptModules(static), entry)


def _joined(modules: ScriptModules, entry: str) -> Joined:
    parts = modules.below(entry)
    lines = [
        f'import * as {_variable(path)} from "../../{path}";'
        for path in APART
        if any(_variable(path) in part.whole for part in parts)
    ]
    origins: list[tuple[int, int] | None] = [None] * len(lines)
    for place, part in enumerate(parts):
        is_entry = part is parts[-1]
        body = (part.whole if is_entry else part.code).split("\n")
        before = [] if is_entry else [f"const {_variable(part.path)} = (() => {{"]
        after = [] if is_entry else [f"return {{ {', '.join(part.exports)} }};", "})();"]
        lines += [*before, *body, *after]
        origins += [*[None] * len(before), *((place, i) for i in range(len(body)))]
        origins += [None] * len(after)
    return Joined("\n".join(lines), _map(entry, [part.path for part in parts], origins))


class ScriptModules:
    """The modules of a folder of assets, of which each is read once."""

    def __init__(self, static: Path) -> None:
        self._static = static
        self._read: dict[str, ScriptModule] = {}

    def below(self, entry: str) -> list[ScriptModule]:
        """A module and all that it imports, in the order in which they run, `entry` last."""
        done: dict[str, ScriptModule] = {}

        def visit(path: str, on_the_way: tuple[str, ...]) -> None:
            if path in on_the_way:
                raise CannotJoinError(f"{path} imports itself by way of {on_the_way[-1]}")
            if path in done or path in APART:
                return
            module = self._module(path)
            for target in module.imports:
                visit(target, (*on_the_way, path))
            done[path] = module

        visit(entry, ())
        return list(done.values())

    def _module(self, path: str) -> ScriptModule:
        if path not in self._read:
            self._read[path] = _module(path, (self._static / path).read_text("utf-8"))
        return self._read[path]


def _module(path: str, text: str) -> ScriptModule:
    """A module with its imports as constants."""
    code = _COMMENT.sub(_blank, text)
    imports = [_target(path, found[2]) for found in _IMPORT.finditer(code)]
    code = _IMPORT.sub(partial(_import, path), code)
    code = _LATER.sub(lambda found: f'import("{_from_joined(path, found[1])}")', code)
    exports = [found[2] for found in _EXPORT.finditer(code)]
    for found in _EXPORTS.finditer(code):
        exports += [name.strip() for name in found[1].split(",") if name.strip()]
    rest = _EXPORTS.sub("", _EXPORT.sub(r"\1 \2", code))
    if other := _OTHER.search(rest):
        raise CannotJoinError(f"{path}: {other[0]}")
    return ScriptModule(path, code, rest, tuple(exports), tuple(imports))


def _import(path: str, found: re.Match[str]) -> str:
    """An import as constants of the module's object, on as many lines."""
    if found[1] is None:
        return ""
    target = _target(path, found[2])
    return f"const {{{found[1].replace(' as ', ': ')}}} = {_variable(target)};"


def _target(path: str, source: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(path)}/{source}")


def _from_joined(path: str, source: str) -> str:
    """The address of a module that is requested later, as seen from any joined script of a page."""
    target = _target(path, source)
    return f"../../{joined_path(target) if target in ENTRIES else target}"


def _variable(path: str) -> str:
    return "m_" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _blank(found: re.Match[str]) -> str:
    """A comment's lines, empty, so that the lines below keep their numbers."""
    return "\n" * found[0].count("\n")


def _map(entry: str, paths: list[str], origins: list[tuple[int, int] | None]) -> str:
    """A source map (ECMA-426) with the start of each line; `origins` are module and line."""
    return json.dumps(
        {
            "version": 3,
            "file": PurePosixPath(entry).name,
            "sources": [f"../../{path}" for path in paths],
            "names": [],
            "mappings": ";".join(_mappings(origins)),
        }
    )


def _mappings(origins: list[tuple[int, int] | None]) -> Iterator[str]:
    """For each line of the script its segment: column, and changes of module, line and column."""
    module, line = 0, 0
    for origin in origins:
        if origin is None:
            yield ""
            continue
        step = origin[0] - module, origin[1] - line
        yield _NEXT_LINE if step == (0, 1) else "".join(map(_vlq, (0, *step, 0)))
        module, line = origin


def _vlq(number: int) -> str:
    """A number in base 64, variable-length, its sign in the lowest bit."""
    rest = 2 * number if number >= 0 else 1 - 2 * number
    text = ""
    while True:
        rest, digit = rest >> 5, rest & 31
        text += _DIGITS[digit | 32 if rest else digit]
        if not rest:
            return text

"""Check the browser modules for layering violations, import cycles and size.

    python -m scripts.check_scripts            exit 1 if a module in static/js breaks a rule

No module imports a page's `main.js`, imports are acyclic, and each folder imports only the folders
in its row. Imports in JSDoc types are ignored, as they do not exist at run time.
"""

import os
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

SCRIPTS = Path(__file__).resolve().parent.parent / "static/js"

# Folder -> the other folders that its modules may import.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "common": (),
    "editor": ("common", "../vendor"),
    "explore": ("common", "editor", "../vendor"),
    "front": ("common", "learn"),
    "exercise": ("common",),
    "learn": ("common", "editor", "explore"),
    "from-python": ("common",),
    "recorded": ("common", "explore"),
    "reference": ("common",),
    "train/run": ("common",),
    "train/draw": ("common", "train/run"),
    "train/panels": ("common", "train/run", "train/draw"),
    "train": ("common", "train/run", "train/draw", "train/panels"),
}
MAIN = "main.js"
MAIN_LINES = 199
LINES = 400
VARIABLES = 3  # mutable ones at the top of a module; more of them are an object's fields

COMMENT = re.compile(r"/\*.*?\*/[ \t]*", re.DOTALL)
IMPORT = re.compile(
    r"""^(?:import|export)\b(?:[^;"'=(]*?\bfrom)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']""",
    re.MULTILINE,
)
VARIABLE = re.compile(r"^(?:export )?(?:let|var) ([^;]+)", re.MULTILINE)


def problems(root: Path) -> list[str]:
    """One line per violation in the modules below `root`, in the order of the paths."""
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*.js"))
    }
    imports = {name: _imported(name, COMMENT.sub("", text)) for name, text in texts.items()}
    found = [line for name, text in texts.items() for line in _too_large(name, text)]
    found += [line for name, targets in imports.items() for line in _misplaced(name, targets)]
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        found.append(f"import cycle: {' -> '.join(reversed(error.args[1]))}")
    return found


def _imported(name: str, code: str) -> list[str]:
    """The modules that a module imports, as paths below the root; `..` may lead out of it."""
    folder = PurePosixPath(name).parent
    targets = (static or dynamic for static, dynamic in IMPORT.findall(code))
    return [os.path.normpath(folder / target) for target in targets]


def _too_large(name: str, text: str) -> Iterator[str]:
    most = MAIN_LINES if PurePosixPath(name).name == MAIN else LINES
    lines = len(text.splitlines())
    if lines > most:
        yield f"{name}: {lines} lines; at most {most}"
    variables = sum(1 + names.count(",") for names in VARIABLE.findall(COMMENT.sub("", text)))
    if variables > VARIABLES:
        yield f"{name}: {variables} variables at the top of the module; at most {VARIABLES}"


def _misplaced(name: str, targets: list[str]) -> Iterator[str]:
    folder = PurePosixPath(name).parent.as_posix()
    if folder not in MAY_IMPORT:
        yield f"{name}: MAY_IMPORT in {Path(__file__).name} has no row for {folder}"
        return
    for target in targets:
        there = PurePosixPath(target).parent.as_posix()
        if PurePosixPath(target).name == MAIN:
            yield f"{name} imports {target}: only a page imports its {MAIN}"
        elif there not in (folder, *MAY_IMPORT[folder]):
            yield f"{name} imports {target}: {folder} may not import {there}"


def main() -> int:
    """Print the violations; the exit status is 1 if there are any."""
    found = problems(SCRIPTS)
    for line in found:
        print(line, file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

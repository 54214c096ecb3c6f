"""The corpus: programs of the kinds that learners publish, run by CPython and here side by side."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import zip_longest
from pathlib import Path

from engine.program import ProgramError
from tests.support.places import DATA, ROOT
from tests.support.programs import finished

FOLDER = DATA / "corpus"
EXPECTED = FOLDER / "expected.json"
"""The standard output of each program under CPython, by the program's name."""
NOT_YET = FOLDER / "not_yet.txt"
"""Programs that are refused."""
WRONG = FOLDER / "wrong.txt"
"""Programs that run and print something else than CPython, without a word."""
OPTIONAL = frozenset({"numpy", "torch"})
"""Packages that programs import and that need not be installed."""
PATIENCE = 120.0  # seconds for CPython to run all programs
_CPYTHON = ROOT / "tests/support/corpus_cpython.py"
_HEADING = "# kind: "


@dataclass(frozen=True)
class Entry:
    """A program of the corpus."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @property
    def kind(self) -> str:
        """The kind that the first line names."""
        heading = self.text.partition("\n")[0]
        if not heading.startswith(_HEADING):
            raise ValueError(f"{self.path.name} does not begin with {_HEADING!r}")
        return heading.removeprefix(_HEADING)

    def needs(self) -> set[str]:
        """The optional packages that the program imports."""
        found = set()
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
        return found & OPTIONAL


@dataclass(frozen=True)
class Outcome:
    """What became of a program here: the text it printed, or the reason why there is none."""

    output: str = ""
    refusal: str = ""


def entries() -> list[Entry]:
    """All programs, by name."""
    return [Entry(path) for path in sorted(FOLDER.glob("*.py"))]


def listed(file: Path) -> list[str]:
    """The names in one of the lists."""
    return file.read_text("utf-8").split()


def expected() -> dict[str, str]:
    """The recorded output of each program."""
    return _recorded(EXPECTED)


@cache
def _recorded(file: Path) -> dict[str, str]:
    recorded: dict[str, str] = json.loads(file.read_text("utf-8"))
    return recorded


def run_here(entry: Entry) -> Outcome:
    """Run a program in the language of Seegrad; a crash passes as it is.

    A run that is stopped before its end counts as refused, though its last scene is drawn.
    """
    try:
        run = finished(entry.text)
    except ProgramError as error:
        return Outcome(refusal=error.message)
    if run.stopped is not None:
        return Outcome(refusal=run.stopped.message)
    return Outcome("".join(f"{line}\n" for line in run.printed))


def run_by_cpython(programs: Sequence[Entry]) -> dict[str, str]:
    """Run programs in one process of the running Python. Raises RuntimeError if one fails."""
    names = {str(entry.path): entry.name for entry in programs}
    done = subprocess.run(
        [sys.executable, "-I", str(_CPYTHON), str(FOLDER / "support")],
        input=json.dumps(list(names)),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
    return {names[path]: output for path, output in json.loads(done.stdout).items()}


def difference(wanted: str, got: str) -> str:
    """The first line in which two outputs differ; empty if they are equal."""
    pairs = zip_longest(*(text.removesuffix("\n").split("\n") for text in (wanted, got)))
    for number, (line, other) in enumerate(pairs, 1):
        if line != other:
            return f"line {number}: CPython {_shown(line)}, here {_shown(other)}"
    return ""


def _shown(line: str | None) -> str:
    return "nothing" if line is None else repr(line)

"""The project has one name."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FORMER = "gradlens"
PARTS: tuple[str, ...] = (
    "app",
    "benchmarks",
    "deploy",
    "docs",
    "engine",
    "fuzz",
    "requirements",
    "scripts",
)
PARTS += ("seegrad", "static", "templates", "tests", ".ci")
TOLD = {
    "CHANGELOG.md",
    "engine/exercise/random_choices.py",  # links to exercises keep their meaning
    "static/js/common/before-paint.js",  # moves what a browser keeps under the former keys
    "tests/browser/test_former_keys.py",
    "tests/project/test_name.py",
}
"""Where the former name stands."""


def files() -> Iterator[Path]:
    """The files of the project, without what tools and runs leave behind."""
    yield from (file for file in ROOT.iterdir() if file.is_file())
    for part in PARTS:
        yield from (
            file
            for file in (ROOT / part).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts
        )


def test_former_name_stands_nowhere_else() -> None:
    found = {
        str(file.relative_to(ROOT))
        for file in files()
        if FORMER.encode() in file.read_bytes().lower() or FORMER in file.name.lower()
    }
    assert found <= TOLD

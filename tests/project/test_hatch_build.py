"""The build hook changes the imports of the wheel's modules, and nothing else."""

import pytest

from hatch_build import CannotMoveError, moved
from tests.support.each import for_each


@for_each(
    ("source", "wanted"),
    [
        ("from engine.ops import OPS\n", "from seegrad.engine.ops import OPS\n"),
        ("from engine import syntax", "from seegrad.engine import syntax"),
        ("from app.main import (\n    a,\n)\n", "from seegrad.app.main import (\n    a,\n)\n"),
        ("if x:\n\tfrom app import a\r\n", "if x:\n\tfrom seegrad.app import a\r\n"),
        (
            "é = 1; from app import a; from engine import b",
            "é = 1; from seegrad.app import a; from seegrad.engine import b",
        ),
    ],
)
def test_imports_of_the_two_packages_get_the_prefix(source: str, wanted: str) -> None:
    assert moved(source.encode(), "x.py") == wanted.encode()


@for_each(
    "source",
    [
        "",
        "from .engine import a\nfrom . import app\n",
        "from engineering import a\nimport apparatus\nimport os\nfrom seegrad import engine\n",
        "'''\nfrom engine import Value\n'''\n# from app import main\n",
        "text = 'from engine import Value'\nname = 'engine'\nengine.run()\n",
        "# \x0c form feed\r\nx = 'é'\n",
    ],
)
def test_everything_else_stays_byte_for_byte(source: str) -> None:
    assert moved(source.encode(), "x.py") == source.encode()


@for_each(
    ("line", "reason"),
    [
        ("import engine", "x.py:2: write `from module import name`"),
        ("import os, app.main as main", "x.py:2: write `from module import name`"),
        ("from  engine import a", "x.py:2: write `from module import` on one line"),
        ("from \\\n    engine import a", "x.py:2: write `from module import` on one line"),
        ("run('app.main:create_app')", "x.py:2: write 'app.main:create_app' with __package__"),
        ("load(f'{x}', 'engine.kernel')", "x.py:2: write 'engine.kernel' with __package__"),
    ],
)
def test_error_names_an_import_that_cannot_be_rewritten(line: str, reason: str) -> None:
    with pytest.raises(CannotMoveError) as raised:
        moved(f"x = 0\n{line}\n".encode(), "x.py")
    assert str(raised.value) == reason

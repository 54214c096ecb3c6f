"""What the code imports is what `make test` installs: nothing else, not even in a function."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.support.each import for_each
from tests.support.places import ROOT

FOLDERS = ("app", "engine", "fuzz", "scripts", "seegrad", "tests")
OWN = {path.name for path in ROOT.iterdir() if path.is_dir()} | {"hatch_build"}
ORACLES = ROOT / "tests/oracles"
OF_ORACLES = {"jax", "nbclient", "nbformat", "numpy", "torch"}
"""What the oracles import besides, in the environment of `make oracles`."""
NOTEBOOKS = ROOT / "tests/notebooks"
OF_NOTEBOOKS = {"jax", "nbclient", "nbconvert", "nbformat", "numpy", "torch"}
"""What the tests of notebooks import besides, in the environment of `make notebooks`."""
PROGRAMS = ROOT / "tests/data"
"""Texts that are run elsewhere, or by the language alone."""
INSIDE = ROOT / "engine/sandbox/inside"
OF_INSIDE = {"componentize_py_types", "seegrad_guest", "wit_world"}
"""What the builder of the sandbox writes, in the snapshot that it makes."""
RECORDED, JAXPRS = ROOT / "engine/pytorch", ROOT / "engine/jaxprs"
OF_RECORDED, OF_JAXPRS = {"torch"}, {"jax", "numpy"}
"""What recordings of programs of PyTorch and JAX import: the caller's own."""
EXTRA = (
    (RECORDED, OF_RECORDED),
    (JAXPRS, OF_JAXPRS),
    (ORACLES, OF_ORACLES),
    (INSIDE, OF_INSIDE),
    (NOTEBOOKS, OF_NOTEBOOKS),
)
PINS = re.findall(r"^([\w.-]+)==", (ROOT / "requirements/test.txt").read_text(), re.MULTILINE)
INSTALLED = {re.sub(r"[-_.]+", "_", name).lower() for name in PINS}
DISTRIBUTIONS = packages_distributions()
IMPORTERS = {"import_module", "importorskip", "__import__"}


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and top-level package of each import, also of those by a function with a fixed name."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
            case ast.ImportFrom(module=str(module), level=0):
                yield node.lineno, module.partition(".")[0]
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name),
                args=[ast.Constant(value=str(module)), *_],
            ) if name in IMPORTERS:
                yield node.lineno, module.partition(".")[0]


def distributions(package: str) -> set[str]:
    """The names of the distributions that have a package, as an installer compares them."""
    names = DISTRIBUTIONS.get(package, [package])
    return {re.sub(r"[-_.]+", "_", name).lower() for name in names}


def complaints(path: Path, text: str) -> list[str]:
    """Imports of packages that `make test` does not install: place and package."""
    allowed = OWN | sys.stdlib_module_names
    for folder, packages in EXTRA:
        allowed |= packages if folder in path.parents else set()
    return [
        f"{path.relative_to(ROOT)}:{line} imports {package}, "
        "which requirements/test.txt does not have"
        for line, package in imported(ast.parse(text))
        if package not in allowed and not distributions(package) & INSTALLED
    ]


def test_nothing_is_imported_that_is_not_installed() -> None:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    files = [path for path in files if PROGRAMS not in path.parents]
    assert len(files) > 800
    assert [line for path in files for line in complaints(path, path.read_text("utf-8"))] == []


@for_each(
    "text",
    [
        "import torch",
        "def f():\n    from torch.nn import Linear",
        "import torch.nn as nn",
        'torch = pytest.importorskip("torch")',
        'import_module("torch.nn")',
    ],
)
def test_each_form_of_an_import_is_seen(text: str) -> None:
    line = text.count("\n") + 1
    wanted = f"tests/a.py:{line} imports torch, which requirements/test.txt does not have"
    assert complaints(ROOT / "tests/a.py", text) == [wanted]
    assert complaints(ORACLES / "a.py", text) == []


@pytest.mark.parametrize("text", ["import yaml", "import os.path", "from engine import ops"])
def test_what_is_installed_may_be_imported(text: str) -> None:
    assert complaints(ROOT / "tests/a.py", text) == []

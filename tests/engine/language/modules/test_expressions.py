"""Expressions of arrays and tensors have the text that NumPy and PyTorch give them.

Each line of tests/data/numpy-expressions.txt and torch-expressions.txt is evaluated here and by
the package itself.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from tests.support.places import DATA
from tests.support.programs import printed

IMPORTS = {
    "numpy": "import math\nimport numpy as np\n",
    "torch": "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
    "torch.manual_seed(3)\n",
}
LINES = [
    pytest.param(
        package,
        line,
        marks=pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed"),
    )
    for package in IMPORTS
    for line in (DATA / f"{package}-expressions.txt").read_text("utf-8").splitlines()
]


def theirs(package: str, expression: str) -> str:
    """The repr of the value, or the class and text of the exception, by the package itself."""
    names: dict[str, Any] = {
        "math": import_module("math"), "np": import_module("numpy"), "torch": None,
    }  # fmt: skip
    if package == "torch":
        names["torch"] = import_module("torch")
        names |= {"nn": names["torch"].nn, "F": names["torch"].nn.functional}
        names["torch"].manual_seed(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(expression, names))  # noqa: S307  # the tests' own text
        except Exception as error:
            return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(("package", "expression"), LINES)
def test_an_expression_has_the_text_of_the_package(package: str, expression: str) -> None:
    lines = printed(
        f"{IMPORTS[package]}try:\n    print(repr(({expression})))\n"
        'except Exception as e:\n    print(f"{type(e).__name__}: {e}")\n'
    )
    assert "\n".join(lines) == theirs(package, expression)

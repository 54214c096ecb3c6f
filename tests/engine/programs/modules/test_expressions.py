"""Expressions of arrays and tensors have the text that NumPy and PyTorch give them.

Each line of tests/data/numpy-expressions.txt and torch-expressions.txt is evaluated here and by
the package itself.
"""

from __future__ import annotations

from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.places import DATA
from tests.support.programs import printed

IMPORTS = {
    "numpy": "import math\nimport numpy as np\n",
    "torch": "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
    "torch.manual_seed(3)\n",
}
LINES = [
    (package, line)
    for package in IMPORTS
    for line in (DATA / f"{package}-expressions.txt").read_text("utf-8").splitlines()
]


@for_each(("package", "expression"), LINES)
def test_an_expression_has_the_text_of_the_package(
    package: str, expression: str, oracle: Oracle
) -> None:
    text = (
        f"{IMPORTS[package]}try:\n    print(repr(({expression})))\n"
        'except Exception as e:\n    print(f"{type(e).__name__}: {e}")\n'
    )
    assert printed(text) == oracle("programs.printed", text)["printed"]

"""What learners' programs print where PyTorch and NumPy are the real ones, in 32 bits mostly."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

LIBRARY = f"torch {torch.__version__.partition('+')[0]}, numpy {np.__version__}"
NEAR, NOISE = 1e-4, 1e-7  # of 32-bit numbers that are printed with five digits

torch.set_num_threads(1)


@contextlib.contextmanager
def as_started() -> Iterator[None]:
    """PyTorch's and NumPy's settings as at the start, and put back."""
    before = torch.get_default_dtype()
    torch.manual_seed(0)
    np.random.seed(0)  # programs use the global generator
    random.seed(0)
    try:
        with np.errstate(), np.printoptions():
            yield
    finally:
        torch.set_default_dtype(before)
        torch.set_printoptions(profile="default")


def printed(text: str) -> dict[str, Any]:
    """The lines that a program prints, and the class and text of the exception that ends it."""
    written, error = io.StringIO(), ""
    with contextlib.redirect_stdout(written), as_started():
        try:
            exec(compile(text, "program", "exec"), {"__name__": "__main__"})  # noqa: S102  # tests' own
        except Exception as caught:
            error = f"{type(caught).__name__}: {caught}"
    return {"printed": written.getvalue().splitlines(), "error": error}


def names_missing(owner: str, names: list[str]) -> list[str]:
    """Those of the names that a module or class of NumPy does not have."""
    module: Any = np
    for part in owner.split(".")[1:]:
        module = getattr(module, part)
    return [name for name in names if not hasattr(module, name)]

"""What short programs print where NumPy and PyTorch are the real ones."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import torch
import torch.nn.functional
from torch import nn

from tests.oracles.programs import LIBRARY, NEAR, NOISE, as_started
from tests.support.snippets import SHOW

__all__ = ["LIBRARY", "NEAR", "NOISE", "answers"]


def answers(library: str, snippets: list[str]) -> list[str]:
    """What each snippet prints, and behind it the exception that ends it."""
    return [_answer(text) for text in snippets]


def _answer(text: str) -> str:
    names: dict[str, Any] = {"np": np, "torch": torch, "F": torch.nn.functional, "nn": nn}
    exec(SHOW, names)  # noqa: S102  # tests' own
    written = io.StringIO()
    with contextlib.redirect_stdout(written), as_started(), np.errstate(all="ignore"):
        try:
            exec(compile(text, "snippet", "exec"), names)  # noqa: S102  # tests' own
        except Exception as caught:
            print(f"{type(caught).__name__}: {caught}".splitlines()[0])
    return written.getvalue()

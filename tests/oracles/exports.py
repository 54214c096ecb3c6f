"""What exported programs print where PyTorch and JAX are the real ones, in 64 bits."""

from __future__ import annotations

import jax

from tests.oracles import programs

LIBRARY = f"{programs.LIBRARY}, jax {jax.__version__}"
NEAR, NOISE = 1e-9, 1e-13  # after many steps


def printed(text: str) -> list[str]:
    """The lines that a program prints. Raises RuntimeError where it fails."""
    found = programs.printed(text)
    if found["error"]:
        raise RuntimeError(found["error"])
    lines: list[str] = found["printed"]
    return lines

"""Names that mean something without an import."""

from __future__ import annotations

LIBRARIES = {
    "math": "math", "random": "random", "np": "numpy", "numpy": "numpy", "torch": "torch",
    "nn": "torch.nn", "F": "torch.nn.functional", "plt": "matplotlib.pyplot",
    "matplotlib": "matplotlib", "graphviz": "graphviz", "micrograd": "micrograd",
}  # fmt: skip
"""The modules that are known without an import, by the names people give them."""
UNKNOWN = object()

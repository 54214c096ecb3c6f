"""The table of exports of a graph as text.

To add one, add one entry: its generator takes the graph. The page's own exports, pictures and the
offline page, follow in `app.explore.exports`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.trace.model import TraceData

from .graph import ExportGraph
from .to_jax import to_jax
from .to_latex import to_latex
from .to_micrograd import to_micrograd
from .to_python import to_python
from .to_pytorch import to_pytorch


class GraphExport(NamedTuple):
    """One kind of text: name, label, description, file name, generator."""

    name: str
    label: str
    help: str
    file_name: str
    make: Callable[[ExportGraph], str]


GRAPH_EXPORTS: dict[str, GraphExport] = {
    entry.name: entry
    for entry in (
        GraphExport(
            "micrograd",
            "micrograd",
            "A program for micrograd, with the operations that its Value lacks.",
            "graph_micrograd.py",
            to_micrograd,
        ),
        GraphExport(
            "pytorch", "PyTorch", "A program for PyTorch, in 64-bit floats.",
            "graph_pytorch.py", to_pytorch,
        ),
        GraphExport(
            "jax", "JAX", "A program for JAX, in 64-bit floats, with jax.grad.",
            "graph_jax.py", to_jax,
        ),
        GraphExport(
            "python",
            "Plain Python",
            "Both passes unrolled, one assignment a line; gives the numbers of the page.",
            "graph.py",
            to_python,
        ),
        GraphExport(
            "latex", "LaTeX", "The derivation: forward pass, local partials, chain rule.",
            "graph.tex", to_latex,
        ),
    )
}  # fmt: skip
"""Every kind of text by name."""


def export(trace: TraceData, name: str) -> str:
    """The export of a trace. Raises NothingToExport for a trace without a graph."""
    return GRAPH_EXPORTS[name].make(ExportGraph(trace))

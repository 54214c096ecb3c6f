"""Export as plain Python: the unrolled program, which gives the traced numbers bit for bit."""

from __future__ import annotations

from engine.python_text import escaped
from engine.real import as_float

from .graph import ExportGraph
from .writing import prints


def to_python(graph: ExportGraph) -> str:
    """The unrolled program with the lines that print its numbers."""
    program = graph.unrolled
    about = (
        f'"""The two passes of {escaped(graph.title(graph.output))}, one assignment a line, '
        "exported by Seegrad.\n\n"
        "Prints the number of the output and the gradient of each named leaf, one a line.\n"
        '"""\n\n'
    )
    grads = {node.id: program.gradient(node.id) for node in graph.shown}
    name = program.names.get(graph.output.id) or repr(as_float(graph.output.data))
    return f"{about}{program.text}\n{prints(graph, name, grads)}\n"

"""The titles of boxes: the sample that went into a network, the text of a line.

Titles are made from the program's text and from names, never from numbers that a slider can move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.trace.model import Node
from engine.trace.traced import Trace

NETWORK = "mlp"
NEURON = "neuron"
ELEMENTS = 4  # of a sample without a name that are written out
_PARAMETER = re.compile(r"\.(?:w\d+|b)$")
_LINE = re.compile(r"(?:for|while), line (\d+)$")


def title(trace: Trace, kind: str, words: str, inside: Iterable[Node]) -> str:
    """The title of a group of this kind, which the trace calls `words`."""
    if kind == "loop" and (found := _LINE.match(words)):
        return line_text(trace, int(found[1])).rstrip(":") or words
    if kind == NETWORK:
        return f"{words} {_sample(trace, inside)}".rstrip()
    return words


def line_text(trace: Trace, line: int) -> str:
    """The text of a line of the program, counted from 1, without its indentation."""
    lines = trace.program.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _sample(trace: Trace, inside: Iterable[Node]) -> str:
    """What a network was called with: the name of a list, or its numbers; "" if unknown.

    Its elements are what the parameters of the first layer are multiplied by.
    """
    nodes = {node.id: node for node in trace.nodes}
    found: dict[str, Node] = {}
    for node in inside:
        args = [nodes[arg] for arg in node.args]
        if node.op == "*" and any(_PARAMETER.search(arg.name) for arg in args):
            found |= {arg.id: arg for arg in args if not arg.args and not _is_parameter(arg)}
    elements = list(found.values())
    if all(node.kind == "constant" for node in elements):
        more = ", …" if len(elements) > ELEMENTS else ""
        numbers = ", ".join(f"{node.data:g}" for node in elements[:ELEMENTS])
        return f"[{numbers}{more}]" if elements else ""
    stems = {node.name.rpartition("[")[0] or node.name for node in elements}
    return stems.pop() if len(stems) == 1 else ""


def _is_parameter(node: Node) -> bool:
    return bool(_PARAMETER.search(node.name))

"""Text common to the exported programs of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.export.script import program, wrapped
from engine.ops import Op
from engine.python_text import escaped, literal
from engine.trace.model import Node

from .graph import ExportGraph

Call = Callable[[Op, list[str], list[bool]], str]
"""The code of an operation on arguments, of which the flagged ones are numbers."""
SIGNS = ("+", "-", "*", "/", "**")


def heading(graph: ExportGraph, needs: str, held: dict[str, float]) -> str:
    """The docstring of a program, and remarks on the numbers that differ from the traced ones."""
    about = f'"""The graph of {escaped(graph.title(graph.output))}, exported by Seegrad. {needs}'
    says = "Prints the number of the output and the gradient of each named leaf, one a line."
    lines = [*wrapped(about, 0), "", says, '"""']
    for remark in graph.differing(held):
        lines += [f"# {line}" for line in wrapped(remark, 0)]
    return "\n".join(lines)


def assignments(graph: ExportGraph, leaf: Callable[[Node], str], call: Call) -> Iterator[str]:
    """The lines of the forward pass: leaves by `leaf`, operations by `call`."""
    names = graph.names
    for node in graph.trace.nodes:
        if node.id not in names or (node.args and graph.op(node) is not None):
            continue
        why = graph.cut.get(node.id)
        yield f"{names[node.id]} = {leaf(node)}" + (f"  # {why}" if why else "")
    for node in graph.trace.nodes:
        op = graph.op(node)
        if op is not None:
            args = [graph.nodes[arg] for arg in node.args]
            plain = [arg.id not in names for arg in args]
            texts = [names.get(arg.id) or literal(float(graph.number(arg))) for arg in args]
            yield f"{names[node.id]} = {call(op, texts, plain)}"


def infix(op: Op, args: list[str]) -> str:
    """An arithmetic operation as an expression."""
    if op.name == "neg":
        return f"-{args[0]}" if args[0][0] != "-" else f"-({args[0]})"
    held = [f"({arg})" if arg[0] == "-" else arg for arg in args]
    return f"{held[0]} {op.name} {args[1] if args[1][0] != '-' else held[1]}"


def prints(graph: ExportGraph, number: str, gradients: dict[str, str]) -> str:
    """The lines that print `name number`: the output, and the gradients by node."""
    lines = [f"print({literal(graph.title(graph.output))}, {number})"]
    lines += [f"print({literal(graph.title(x))}, {gradients[x.id]})" for x in graph.shown]
    return "\n".join(lines)


def file_of(*blocks: str) -> str:
    """A program from its blocks."""
    return program(*blocks)

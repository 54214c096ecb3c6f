"""Export for micrograd, with the operations that its Value lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine import formula_python
from engine.export.micrograd_operations import KNOWN, LACKING, method
from engine.formula_code import operations_in, translate
from engine.formula_python import same
from engine.ops import OPS, Op
from engine.python_text import literal
from engine.trace.model import Node

from .graph import ExportGraph, near
from .writing import assignments, file_of, heading, infix, prints

ROOM = 900
"""The greatest depth of a graph that fits Python's default recursion limit."""
NAMES = {"/": "divided_by", "**": "to_the_power"}
"""Methods for arithmetic that micrograd's own methods do not give."""


def to_micrograd(graph: ExportGraph) -> str:
    """The graph as a program for micrograd."""
    names = graph.names
    found = _Operations(graph)
    lines = list(
        assignments(graph, lambda node: f"Value({literal(graph.number(node))})", found.call)
    )
    held = {x: grad for x, grad in graph.held.items() if x in names}
    starts = [f"{names[x]}.grad = {literal(grad)}  # held before" for x, grad in held.items()]
    end = prints(
        graph, f"{names[graph.output.id]}.data", {x.id: f"{names[x.id]}.grad" for x in graph.shown}
    )
    code = found.definitions()
    body = "\n".join([*_deep(graph), *lines, *starts, f"{names[graph.output.id]}.backward()"])
    text = "\n".join([*code, body])
    imports = [f"import {name}" for name in ("math", "sys") if f"{name}." in text]
    head = "\n".join([*imports, *[""] * bool(imports), "from micrograd.engine import Value"])
    return file_of(heading(graph, "Needs micrograd.", held), head, *code, body, end)


@dataclass
class _Operations:
    """The operations of a graph in micrograd, and those that it lacks."""

    graph: ExportGraph
    missing: dict[str, Op] = field(default_factory=dict)
    total: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for node in self.graph.trace.nodes:
            op = self.graph.op(node)
            if op is not None and not _runs(self.graph, node, op):
                self.total.add(op.name)

    def call(self, op: Op, args: list[str], plain: list[bool]) -> str:
        """The code of an operation; its first argument is a Value if it is a method's."""
        is_native = op.name in KNOWN and op.name not in self.total
        if op.name == "**":
            is_native = is_native and plain[1]
        if all(plain) or (plain[0] and (not is_native or op.name in {"**", "neg", "relu"})):
            args = [f"Value({args[0]})", *args[1:]]
        if is_native and op.name != "relu":
            return infix(op, args)
        if not is_native:
            self.missing[op.name] = op
        if op.name == "abs":
            return f"abs({args[0]})"
        return f"{args[0]}.{NAMES.get(op.name, op.name)}({', '.join(args[1:])})"

    def definitions(self) -> list[str]:
        """The operations that micrograd lacks, with the functions that they call."""
        if not self.missing:
            return []
        plain = [op for op in self.missing.values() if op.name not in self.total]
        total = [op for op in self.missing.values() if op.name in self.total]
        functions: list[str] = []
        if plain:
            functions += formula_python.definitions(_called(plain), False)
        if total:
            names = {
                x
                for op in total
                for text in _texts(op)
                for x in formula_python.names_of_total(text)
            }
            functions = formula_python.definitions(names | _called(plain), True)
        methods = [
            *(block for op in plain for block in self._method(op, translate)),
            *(block for op in total for block in self._method(op, formula_python.total_code)),
        ]
        return [LACKING, *functions, *methods]

    def _method(self, op: Op, write: Callable[[str], str]) -> list[str]:
        return method(op, name=NAMES.get(op.name, ""), write=write)


def _texts(op: Op) -> tuple[str, ...]:
    return (op.formula, *op.partials)


def _called(ops: list[Op]) -> set[str]:
    """The operations that the texts of `ops` call by name."""
    return {op.name for op in operations_in([text for op in ops for text in _texts(op)])}


def _runs(graph: ExportGraph, node: Node, op: Op) -> bool:
    """Whether Python computes a Value and its partials as micrograd writes them."""
    numbers = [graph.number(graph.nodes[arg]) for arg in node.args]
    number = graph.number(node)
    if op.name == "/":
        first = OPS["**"]
        inverse = first.compute(numbers[1], -1.0)
        parts = [(formula_python.forward(first), [numbers[1], -1.0], inverse)]
        product = numbers[0] * inverse
        if not same(product, number):
            return False
    else:
        parts = [(formula_python.forward(op), numbers, number)]
        parts += [
            (formula_python.partial(op, slot), [number, *numbers], derive(number, *numbers))
            for slot, derive in enumerate(op.derive)
            if op.name != "**" or slot == 0 or node.args[1] in graph.names
        ]
    return all(_is_plain(*part) for part in parts)


def _is_plain(
    expression: formula_python.PythonFormula, numbers: list[float], wanted: float
) -> bool:
    found = expression.plain_number(numbers)
    return isinstance(found, int | float) and near(found, wanted)


def _deep(graph: ExportGraph) -> list[str]:
    """Raise the recursion limit if the longest path of the graph exceeds it."""
    depth: dict[str, int] = {}
    for node in graph.trace.nodes:
        depth[node.id] = 1 + max((depth[arg] for arg in node.args), default=0)
    deepest = 2 * max(depth.values())
    if deepest < ROOM:
        return []
    return [f"sys.setrecursionlimit({2 * deepest + 1000!r})  # for the backward pass"]

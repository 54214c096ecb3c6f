r"""Export as a derivation in LaTeX: the forward pass, the local partials, the chain rule.

The document needs amsmath alone and holds nothing but ASCII.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.ops import OPS
from engine.real import as_float
from engine.trace.model import Node

from .graph import ExportGraph
from .latex_text import formula, name, number, text

ROW = r" \\"
PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{amsmath}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\begin{document}"""


def to_latex(graph: ExportGraph) -> str:
    """The derivation of the gradients of a graph, a document of its own."""
    derivation = _Derivation(graph)
    out = text(derivation.titles[graph.output.id])
    parts = [
        PREAMBLE,
        rf"\section*{{The gradients of {out}}}",
        *_section("Forward", derivation.forward()),
        *_section("Local partial derivatives", derivation.partials()),
        *_section("Chain rule", derivation.chain()),
        *[text(remark) + r"\par" for remark in graph.differing(graph.held)],
        r"\end{document}",
    ]
    return "\n".join(parts) + "\n"


def _section(title: str, rows: Iterator[str]) -> list[str]:
    found = list(rows)
    if not found:
        return []
    return [
        rf"\subsection*{{{title}}}",
        r"\begin{align*}",
        (ROW + "\n").join(found),
        r"\end{align*}",
    ]


class _Derivation:
    def __init__(self, graph: ExportGraph) -> None:
        self.graph = graph
        self.titles = {node.id: graph.title(node) for node in graph.trace.nodes}
        self.grads = graph.gradients(graph.held)

    def name(self, node: Node) -> str:
        """The name of a Value; a number inside an expression is its own name."""
        if node.id not in self.graph.names:
            return number(self.graph.number(node))
        return name(self.titles[node.id])

    def forward(self) -> Iterator[str]:
        """`c = a b = 2 (-3) = -6` for each Value."""
        graph = self.graph
        for node in graph.trace.nodes:
            if node.id not in graph.names:
                continue
            shown, op = number(graph.number(node)), graph.op(node)
            if op is None:
                why = (
                    rf" \quad \text{{({text(graph.cut[node.id])})}}" if node.id in graph.cut else ""
                )
                yield f"{self.name(node)} &= {shown}{why}"
                continue
            names = formula(op.formula, self._slots(node, numbers=False), self._numbers(node))
            numbers = formula(op.formula, self._slots(node, numbers=True), self._numbers(node))
            yield f"{self.name(node)} &= {names} = {numbers} = {shown}"

    def partials(self) -> Iterator[str]:
        """Each partial of each operation, with names and as a number."""
        graph = self.graph
        for node in graph.trace.nodes:
            if graph.op(node) is None or node.id not in graph.reached:
                continue
            for slot, arg in enumerate(node.args):
                if arg in graph.names:
                    yield self._partial(node, slot)

    def _partial(self, node: Node, slot: int) -> str:
        op = OPS[node.op or ""]
        to = self.graph.nodes[node.args[slot]]
        shown = formula(op.partials[slot], self._slots(node, numbers=False), self._numbers(node))
        place = rf"\Big|_{{{slot + 1}}}" if len({*node.args}) < len(node.args) else ""
        value = number(self._slope(node, slot))
        equals = "" if shown == value else f" = {value}"
        slope = rf"\frac{{\partial {self.name(node)}}}{{\partial {self.name(to)}}}"
        return f"{slope}{place} &= {shown}{equals}"

    def chain(self) -> Iterator[str]:
        """The gradient of each Value: a sum of products over its uses, and its number."""
        graph = self.graph
        out = graph.output
        shown = {node.id for node in graph.shown}
        uses: dict[str, list[tuple[Node, int]]] = {}
        for node in reversed(graph.trace.nodes):
            if graph.op(node) is not None and node.id in graph.reached:
                for slot, arg in enumerate(node.args):
                    uses.setdefault(arg, []).append((node, slot))
        for node in reversed(graph.trace.nodes):
            if node is out:
                yield rf"{self._gradient(node)} &= 1"
            elif node.id in graph.names and (node.id in uses or node.id in shown):
                yield from self._sum(node, uses.get(node.id, ()))

    def _sum(self, node: Node, uses: Sequence[tuple[Node, int]]) -> Iterator[str]:
        gradient, held = self._gradient(node), self.graph.held.get(node.id)
        terms = [number(held)] if held else []
        digits = list(terms)
        for of, slot in uses:
            upstream, slope = self.grads[of.id], self._slope(of, slot)
            factor = rf"\frac{{\partial {self.name(of)}}}{{\partial {self.name(node)}}}"
            terms.append(rf"{self._gradient(of)} \cdot {factor}")
            digits.append(rf"{number(upstream, paren=True)} \cdot {number(slope, paren=True)}")
        if not terms:
            yield f"{gradient} &= 0"
            return
        yield f"{gradient} &= " + self._joined(terms)
        yield f"&= {self._joined(digits)} = {number(self.grads[node.id])}"

    def _joined(self, terms: Sequence[str]) -> str:
        rows = [" + ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
        return (ROW + "\n&\\quad + ").join(rows)

    def _gradient(self, node: Node) -> str:
        return rf"\frac{{\partial {self.name(self.graph.output)}}}{{\partial {self.name(node)}}}"

    def _slope(self, node: Node, slot: int) -> float:
        numbers = [self.graph.number(self.graph.nodes[arg]) for arg in node.args]
        return as_float(OPS[node.op or ""].derive[slot](self.graph.number(node), *numbers))

    def _slots(self, node: Node, *, numbers: bool) -> Mapping[str, str]:
        op, graph = OPS[node.op or ""], self.graph
        args = [graph.nodes[arg] for arg in node.args]
        write = (lambda x: number(graph.number(x), paren=True)) if numbers else self._argument
        return {"y": write(node)} | dict(zip(op.params, map(write, args), strict=True))

    def _numbers(self, node: Node) -> Mapping[str, float]:
        op, graph = OPS[node.op or ""], self.graph
        args = [graph.number(graph.nodes[arg]) for arg in node.args]
        return {"y": graph.number(node)} | dict(zip(op.params, args, strict=True))

    def _argument(self, node: Node) -> str:
        shown = self.name(node)
        is_number = node.id not in self.graph.names
        compound = not is_number and any(sign in self.titles[node.id] for sign in "+-*/ ")
        return rf"\left({shown}\right)" if compound or shown.startswith("-") else shown

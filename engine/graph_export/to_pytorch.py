"""Export for PyTorch, in 64-bit floats; operations that it lacks become autograd functions."""

from __future__ import annotations

import ast
from functools import partial

from engine import parser_lock
from engine.export.to_pytorch import function
from engine.formula_code import is_of_torch, operations_in, torch_call, torch_function
from engine.ops import Op
from engine.python_text import literal
from engine.trace.model import Node

from .graph import ExportGraph
from .writing import SIGNS, assignments, file_of, heading, infix, prints


def to_pytorch(graph: ExportGraph) -> str:
    """The graph as a program for PyTorch."""
    names, used = graph.names, {op.name: op for x in graph.trace.nodes if (op := graph.op(x))}
    held = {x.id: graph.held[x.id] for x in graph.leaves if x.id in graph.held}
    leaves = {x.id for x in graph.leaves}

    def leaf(node: Node) -> str:
        more = ", requires_grad=True" if node.id in leaves else ""
        return f"torch.tensor({literal(graph.number(node))}{more})"

    own = {name for name, op in used.items() if not is_of_torch(op)} | _at_the_edge(graph)
    lines = list(assignments(graph, leaf, partial(_call, own)))
    starts = [
        f"{names[x]}.grad = torch.tensor({literal(grad)})  # held before"
        for x, grad in held.items()
    ]
    out = names[graph.output.id]
    passes = [f"{out}.backward()"] if graph.reached & leaves else []
    end = prints(graph, f"{out}.item()", _gradients(graph))
    texts = [text for op in used.values() if op.name in own for text in (op.formula, *op.partials)]
    inner = [op for op in operations_in(texts) if not is_of_torch(op)]
    missing = [*inner, *(op for name, op in used.items() if name in own)]
    code = [function(op) for op in {op.name: op for op in missing}.values()]
    body = "\n".join([*lines, *starts, *passes])
    text = "\n".join([*code, body])
    imports = [*(["import math", ""] if "math." in text else []), "import torch"]
    imports += ["from torch.nn import functional"] if "functional." in text else []
    head = "\n".join([*imports, "", "torch.set_default_dtype(torch.float64)"])
    return file_of(heading(graph, "Needs PyTorch.", held), head, *code, body, end)


def _at_the_edge(graph: ExportGraph) -> set[str]:
    """The operations that meet numbers for which PyTorch's derivatives are others."""
    return {
        op.name
        for node in graph.trace.nodes
        if (op := graph.op(node)) and op.is_word and not graph.is_finite(node)
    }


def _call(own: set[str], op: Op, args: list[str], plain: list[bool]) -> str:
    if op.name in SIGNS or op.name == "neg":
        first = [f"torch.tensor({args[0]})", *args[1:]] if all(plain) else args
        return infix(op, first)
    if op.name in own:
        given = [
            f"torch.tensor({arg})" if held else arg for arg, held in zip(args, plain, strict=True)
        ]
        return f"{torch_function(op.name)}.apply({', '.join(given)})"
    trees: list[ast.expr] = [parser_lock.expression(arg) for arg in args]
    return ast.unparse(ast.fix_missing_locations(torch_call(op.name, trees, plain)))


def _gradients(graph: ExportGraph) -> dict[str, str]:
    names = graph.names
    return {
        x.id: f"{names[x.id]}.grad.item()"
        if x.id in graph.reached or x.id in graph.held
        else "0.0  # the output does not depend on it"
        for x in graph.shown
    }

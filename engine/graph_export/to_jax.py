"""Export for JAX, in 64-bit floats: a function of the leaves, and `jax.grad` of it.

At a kink, where JAX may use another subgradient, and where it has no such function, an operation
becomes a `jax.custom_jvp` with the formula and the partials of the table.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from engine import parser_lock
from engine.export.script import indented
from engine.formula_code import JAX, jax_call, operations_in, translate
from engine.formulas import FUNCTIONS
from engine.ops import Op
from engine.python_text import literal
from engine.trace.model import Node

from .graph import ExportGraph
from .writing import SIGNS, assignments, file_of, heading, infix, prints

NATIVE = frozenset({*FUNCTIONS} - {"hypot", "fmod", "copysign", "floor", "trunc", "atan2"})
"""Functions whose derivatives in JAX are those of the table, away from kinks."""


def to_jax(graph: ExportGraph) -> str:
    """The graph as a program for JAX."""
    names = graph.names
    found = _Operations(graph)
    leaves = graph.leaves
    inputs = {x.id for x in leaves}
    lines = [
        line
        for line in assignments(graph, lambda node: literal(graph.number(node)), found.call)
        if line.partition(" = ")[0] not in {names[x] for x in inputs}
    ]
    arguments = ", ".join(names[x.id] for x in leaves)
    out = names[graph.output.id]
    body = [*lines, f"return jnp.asarray({out}, dtype=float)"]
    forward = "\n".join([f"def forward({arguments}):", *indented(body)])
    values = [f"    {literal(graph.number(x))},  # {names[x.id]}" for x in leaves]
    grad = f"gradients = jax.grad(forward, argnums=tuple(range({len(leaves)})))(*leaves)"
    run = "\n".join(
        [
            *(["numbers = (", *values, ")"] if leaves else ["numbers = ()"]),
            "leaves = [jnp.asarray(x) for x in numbers]",
            *([grad] if leaves else []),
        ]
    )
    held = {x.id: graph.held[x.id] for x in leaves if x.id in graph.held}
    gradients = {}
    for at, leaf in enumerate(leaves):
        start = f"{literal(held[leaf.id])} + " if leaf.id in held else ""
        gradients[leaf.id] = f"{start}float(gradients[{at}])"
    end = prints(graph, "float(forward(*leaves))", gradients)
    code = found.definitions()
    text = "\n".join([*code, forward])
    imports = [
        *(["import math", ""] if "math." in text else []),
        "import jax",
        "import jax.numpy as jnp",
    ]
    imports += ["import jax.scipy.special"] if "jax.scipy" in text else []
    head = "\n".join([*imports, "", 'jax.config.update("jax_enable_x64", True)'])
    return file_of(heading(graph, "Needs JAX.", held), head, *code, forward, run, end)


@dataclass
class _Operations:
    """The operations of a graph in JAX, and those that a program must define."""

    graph: ExportGraph
    missing: dict[str, Op] = field(default_factory=dict)
    kinks: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for node in self.graph.trace.nodes:
            op = self.graph.op(node)
            if op is not None and self._is_at_an_edge(node, op):
                self.kinks.add(op.name)

    def _is_at_an_edge(self, node: Node, op: Op) -> bool:
        """Whether an operation is at a kink, at 0 to a power, or at the border of its domain."""
        numbers = [self.graph.number(self.graph.nodes[arg]) for arg in node.args]
        if op.name == "**" and not numbers[0] > 0:
            return True
        return op.at_kink(*numbers) or not op.in_domain(*numbers) or not self.graph.is_finite(node)

    def call(self, op: Op, args: list[str], plain: list[bool]) -> str:
        is_native = op.name not in self.kinks and (op.name in NATIVE or op.name in (*SIGNS, "neg"))
        if op.name in ("+", "-", "*", "/", "neg") or (is_native and op.name == "**"):
            first = [f"jnp.asarray({args[0]})", *args[1:]] if all(plain) else args
            return infix(op, first)
        if not is_native:
            self.missing[op.name] = op
            return f"{_name(op)}({', '.join(map(_as_array, args, plain))})"
        trees: list[ast.expr] = [parser_lock.expression(arg) for arg in args]
        return ast.unparse(ast.fix_missing_locations(jax_call(op.name, trees, plain)))

    def definitions(self) -> list[str]:
        texts = [text for op in self.missing.values() for text in (op.formula, *op.partials)]
        functions = {
            op.name: f"def {op.name}({', '.join(op.params)}):\n"
            f"    return {_code(op.formula, op.params)}"
            for op in operations_in(texts)
        }
        return [*functions.values(), *map(_function, self.missing.values())]


def _as_array(arg: str, plain: bool) -> str:
    return f"jnp.asarray({arg})" if plain else arg


def _name(op: Op) -> str:
    return "power_of" if op.name == "**" else f"{op.name}_of"


def _code(text: str, params: tuple[str, ...]) -> str:
    return translate(text, {}, params, JAX)


def _function(op: Op) -> str:
    """An operation with its partials as a function that JAX differentiates by them."""
    params, name = ", ".join(op.params), _name(op)
    partials = [_code(f"({text}) * t", ("t", "y", *op.params)) for text in op.partials]
    rules = [f"    lambda t, y, {params}: {code}," for code in partials]
    return "\n".join(
        [
            "@jax.custom_jvp",
            f"def {name}({params}):",
            f"    return {_code(op.formula, op.params)}",
            "",
            "",
            f"{name}.defjvps(",
            *rules,
            ")",
        ]
    )

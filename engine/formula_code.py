"""Translation of the tables' formulas to the code of other programs: Python floats, PyTorch.

Formulas are nearly Python already; differences are rewritten in the syntax tree, which preserves
precedence, so an entry of a table needs no code here.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from . import parser_lock
from .formulas import CONSTANTS, FUNCTIONS, names_in
from .ops import OPS, Op

SIGNS: dict[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.Div(),
    "**": ast.Pow(),
}
TORCH_FUNCTIONS = {"max": "torch.maximum", "min": "torch.minimum"}
"""Functions of the formula language with other names in PyTorch."""
JAX_FUNCTIONS = {
    "max": "jnp.maximum",
    "min": "jnp.minimum",
    "erf": "jax.scipy.special.erf",
    "erfc": "jax.scipy.special.erfc",
    **{name: f"jnp.arc{name[1:]}" for name in ("asin", "acos", "atan", "atan2", "asinh", "acosh")},
    "atanh": "jnp.arctanh",
}
"""Functions of the formula language with other names in JAX."""
TORCH_OPS = {
    "relu": "torch.relu({})",
    "sigmoid": "torch.sigmoid({})",
    "leaky_relu": "functional.leaky_relu({})",
    "softplus": "functional.softplus({}, threshold=50.0)",
    "silu": "functional.silu({})",
    "gelu": "functional.gelu({})",
    "degrees": "torch.rad2deg({})",
    "radians": "torch.deg2rad({})",
    "cbrt": "torch.sign({0}) * torch.abs({0}) ** (1 / 3)",
}
"""PyTorch's native operations, besides the functions of the formula language that it has.

Any other becomes a `torch.autograd.Function` with its formula and partials.
"""


def operations_in(texts: Iterable[str]) -> list[Op]:
    """The operations of the table that formulas call, in topological order."""
    found: dict[str, Op] = {}
    for text in texts:
        for name in sorted(names_in(text) & set(OPS) - set(FUNCTIONS)):
            op = OPS[name]
            found |= {inner.name: inner for inner in operations_in([op.formula])}
            found[name] = op
    return list(found.values())


class Library(NamedTuple):
    """A library of arrays: how it selects by a condition, and how it is called.

    `call` takes a function or operation, its arguments, and which of these are plain numbers.
    """

    where: str
    call: Callable[[str, Sequence[ast.expr], Sequence[bool]], ast.expr]


def translate(
    text: str,
    names: Mapping[str, str] = {},
    tensors: Iterable[str] = (),
    library: Library | None = None,
) -> str:
    """A formula of the tables as a Python expression.

    `names` maps identifiers to their replacements. Subexpressions that depend on `tensors` use the
    functions of `library`, PyTorch by default, others those of `math`; operations of the table are
    called by name.
    """
    tree = _Translator(names, frozenset(tensors), library or TORCH).visit(_parsed(text))
    return ast.unparse(ast.fix_missing_locations(tree))


def _parsed(text: str) -> ast.expr:
    return parser_lock.expression(text)


class _Translator(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str], tensors: frozenset[str], library: Library) -> None:
        self.names = names
        self.tensors = tensors
        self.library = library

    def _is_plain(self, *nodes: ast.AST) -> bool:
        """Whether the nodes contain no tensor. Call before their names are replaced."""
        inner = (node for root in nodes for node in ast.walk(root) if isinstance(node, ast.Name))
        return not any(node.id in self.tensors for node in inner)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names:
            return _parsed(self.names[node.id])
        return _parsed(f"math.{node.id}") if node.id in CONSTANTS else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        name, plain = node.func.id, self._is_plain(*node.args)
        kinds = [self._is_plain(arg) for arg in node.args]
        args = [self.visit(arg) for arg in node.args]
        if not plain:
            return self.library.call(name, args, kinds)
        known = name in FUNCTIONS and hasattr(math, name)
        return called(f"math.{name}" if known else name, args)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        plain = self._is_plain(node.test)
        self.generic_visit(node)
        if plain:
            return node
        return called(self.library.where, [node.test, node.body, node.orelse])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        plain = self._is_plain(node)
        self.generic_visit(node)
        if plain:
            return node
        sign = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        out = node.values[0]
        for value in node.values[1:]:
            out = ast.BinOp(out, sign, value)
        return out


def called(name: str, args: Sequence[ast.expr]) -> ast.expr:
    """A call of the function `name`."""
    return ast.Call(_parsed(name), list(args), [])


def torch_call(name: str, args: Sequence[ast.expr], plain: Sequence[bool]) -> ast.expr:
    """A call of a function or operation on tensors; `plain` arguments are converted first."""
    args = [
        called("torch.tensor", [arg]) if number else arg
        for arg, number in zip(args, plain, strict=True)
    ]
    if name in TORCH_OPS:
        return _parsed(TORCH_OPS[name].format(*map(ast.unparse, args)))
    if name in FUNCTIONS:
        return called(TORCH_FUNCTIONS.get(name, f"torch.{name}"), args)
    return called(f"{torch_function(name)}.apply", args)


def jax_call(name: str, args: Sequence[ast.expr], _plain: Sequence[bool]) -> ast.expr:
    """A call of a function of the formula language, or of an operation by its name, in JAX."""
    of_jax = JAX_FUNCTIONS.get(name, f"jnp.{name}") if name in FUNCTIONS else name
    return called(of_jax, args)


TORCH = Library("torch.where", torch_call)
JAX = Library("jnp.where", jax_call)


def torch_function(name: str) -> str:
    """The class name of an operation that PyTorch lacks."""
    return "".join(part.title() for part in name.split("_")) + "Function"


def is_of_torch(op: Op) -> bool:
    """Whether PyTorch has an operation, as a function or an operator."""
    return op.name in SIGNS or op.name == "neg" or op.name in FUNCTIONS or op.name in TORCH_OPS

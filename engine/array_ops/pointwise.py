"""Functions of single elements, broadcast: the operations of `engine.ops`, and rows with settings.

A row states its formula and partials in the same language as an operation of a scalar. Its
settings, such as the slope of a leaky relu, are names in these texts, and `params` holds them.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from engine import parser_lock
from engine.formulas import Function, compile_columns, compile_text
from engine.ops import OPS

from .flat import Flat, Numbers, broadcast, expanded, index_text, summed_to
from .grid import Shape, row_major
from .pointwise_rows import ROWS
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules


def place_in(cell: int, wide: Shape, shape: Shape) -> int:
    """The place, in an array of `shape` that is broadcast to `wide`, of the element at `cell`."""
    if shape == wide:
        return cell
    place = 0
    lead = len(wide) - len(shape)
    for k, stride in enumerate(row_major(wide)):
        if k >= lead and shape[k - lead] != 1:
            place += cell // stride % wide[k] * row_major(shape)[k - lead]
    return place


def written(x: float) -> str:
    """A number in a formula, which has no name for an infinity."""
    return repr(x).replace("inf", "1e309")


class _Placed(ast.NodeTransformer):
    """Replaces names by texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return parser_lock.expression(self.texts[node.id]) if node.id in self.texts else node


def replaced(formula: str, texts: Mapping[str, str]) -> str:
    """A formula with texts in place of its names."""
    return ast.unparse(_Placed(texts).visit(parser_lock.module(formula))).strip()


@dataclass(frozen=True, slots=True, eq=False)
class Pointwise:
    """y = f(x₁, …, xₙ; settings), element by element."""

    args: tuple[str, ...]
    settings: Mapping[str, float]
    formula: str
    partials: tuple[str, ...]
    compute: Function
    pull: tuple[Callable[..., list[float]], ...]
    """For each argument its contributions, from columns of incoming gradients, y and all."""
    quick: Callable[..., Any] | None = None
    """The operator that computes the same where it does not raise."""

    def given(self, params: Params) -> list[float]:
        return [params.get(name, default) for name, default in self.settings.items()]

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        return broadcast(*shapes)

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        shape = broadcast(*(x.shape for x in args))
        columns = [expanded(x, shape) for x in args]
        if self.quick is not None:
            try:
                return Flat(shape, list(map(self.quick, *columns)))
            except ArithmeticError:
                pass
        return Flat(shape, list(map(self.compute, *columns, *map(repeat, self.given(params)))))

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        columns = [expanded(x, y.shape) for x in args]
        settings = list(map(repeat, self.given(params)))
        return [
            summed_to(
                list(self._amounts(slot, g.data, y.data, columns, settings)), y.shape, x.shape
            )
            if wanted[slot]
            else None
            for slot, x in enumerate(args)
        ]

    def _amounts(
        self, slot: int, g: Numbers, y: Numbers, columns: list[Numbers], settings: list[Any]
    ) -> Iterable[float]:
        match self.partials[slot]:
            case "0":
                return [0.0] * len(y)
            case "1":
                return g
            case "-1":
                return map(operator.neg, g)
            case "a" | "b" as name if self.args == ("a", "b"):
                return map(operator.mul, g, columns["ab".index(name)])
            case "y":
                return map(operator.mul, g, y)
        found = self.pull[slot](g, y, *columns, *settings)
        if "0 if " in self.partials[slot] or "else 0" in self.partials[slot]:
            return [x + 0.0 for x in found]  # what is masked out is 0, never -0
        return found

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        wide = broadcast(*shapes)
        return [[place_in(cell, wide, shape)] for shape in shapes]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        places = [place for (place,) in self.reads(cell, shapes, params)]
        texts = {
            name: index_text(name, place) for name, place in zip(self.args, places, strict=True)
        }
        settings = zip(self.settings, map(written, self.given(params)), strict=True)
        return replaced(self.formula, texts | dict(settings))


def columns_of(
    partials: Sequence[str], params: tuple[str, ...]
) -> tuple[Callable[..., list[float]], ...]:
    """What each argument receives, as `Pointwise` holds it."""
    return tuple(compile_columns(text, ("y", *params)) for text in partials)


_QUICK: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "neg": operator.neg,
}  # fmt: skip


_NUMPY = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide true_divide", "**": "power pow",
    "neg": "negative", "abs": "abs absolute fabs", "max": "maximum fmax", "min": "minimum fmin",
    "asin": "arcsin asin", "acos": "arccos acos", "atan": "arctan atan", "atan2": "arctan2 atan2",
    "asinh": "arcsinh asinh", "acosh": "arccosh acosh", "atanh": "arctanh atanh",
    "mod": "mod remainder", "radians": "radians deg2rad", "degrees": "degrees rad2deg",
    **{name: name for name in (
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin", "cos",
        "tan", "sinh", "cosh", "tanh", "hypot", "fmod", "copysign",
    )},
}  # fmt: skip
_TORCH = {
    "+": "add", "-": "sub subtract", "*": "mul multiply", "/": "div divide true_divide",
    "**": "pow", "neg": "neg negative", "abs": "abs absolute", "max": "maximum fmax",
    "min": "minimum fmin", "asin": "asin arcsin", "acos": "acos arccos", "atan": "atan arctan",
    "atan2": "atan2 arctan2", "asinh": "asinh arcsinh", "acosh": "acosh arccosh",
    "atanh": "atanh arctanh", "mod": "remainder", "radians": "deg2rad", "degrees": "rad2deg",
    **{name: name for name in (
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "sin", "cos", "tan",
        "sinh", "cosh", "tanh", "sigmoid", "relu", "leaky_relu", "softplus", "silu", "gelu",
        "hypot", "fmod", "copysign", "erf", "erfc",
    )},
}  # fmt: skip
_NODES = {
    "+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "**": "Pow", "max": "Maximum",
    "min": "Minimum", "leaky_relu": "LeakyRelu", "log1p": "Log1P", "radians": "Deg2Rad",
    "degrees": "Rad2Deg", "mod": "Remainder",
}  # fmt: skip


def _words(says: str, args: Sequence[str]) -> str:
    for place, name in enumerate(args):
        says = says.replace(f"{{x{place}}}", name)
    return f"{says}, element by element"


def _rule(partial: str, kink: bool = False) -> str:
    plain = {"0": "", "1": "g", "-1": "-g"}
    if partial in plain:
        return plain[partial]
    return f"g * ({partial})"


def _enter(name: str, it: Pointwise, fixed: bool, **rest: Any) -> None:
    constant = tuple(i for i, text in enumerate(it.partials) if text == "0" and fixed)
    define(
        ArrayOp(
            name, it.args, it.forward, it.backward, it.shape, it.reads, it.scalar,
            rules=rules(*map(_rule, it.partials)), constant=constant, **rest,
        )
    )  # fmt: skip


# fmt: off
for _name, _op in OPS.items():
    _enter(
        _name,
        Pointwise(_op.params, {}, _op.formula, _op.partials, _op.compute,
                  columns_of(_op.partials, _op.params), _QUICK.get(_name)),
        False, words=_words(_op.forward_says, _op.params), numpy=names(_NUMPY.get(_name, "")),
        torch=names(_TORCH.get(_name, "")),
        node=f"{_NODES.get(_name, _name.capitalize())}Backward0",
        samples=tuple((point, {}) for point in _op.samples),
    )
for _row in [row for row in ROWS if row.name not in OPS]:  # which may come to have more
    _params = (*_row.args, *_row.settings)
    _enter(
        _row.name,
        Pointwise(_row.args, _row.settings, _row.formula, _row.partials,
                  compile_text(_row.formula, _params), columns_of(_row.partials, _params)),
        _row.fixed, words=_row.words, numpy=names(_row.numpy),
        torch=names(_row.torch or _row.name),
        node=f"{_row.node or _row.name.title().replace('_', '')}Backward0",
        samples=tuple((point, {}) for point in _row.samples),
    )

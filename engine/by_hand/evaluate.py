"""Statements on arrays, evaluated from the arrays of a run with the table of operations.

No program is run for this: it tells at once which of many changes of a line cannot be right.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from engine.array_ops.flat import Flat, Misfit, number
from engine.array_ops.ops import ARRAY_OPS
from engine.record.array_calls import SAME, SIGNS, call_of

Shape = tuple[int, ...]
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
    ast.Gt: ">", ast.Lt: "<", ast.GtE: ">=", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "**": operator.pow,
}  # fmt: skip
SIZE = 200_000
"""Elements of a result up to which it is computed."""
DEPTH = 8
"""Definitions that are followed from one another."""
_LIBRARIES = frozenset({"np", "numpy", "torch", "F"})


class Unknown(Exception):
    """What cannot be evaluated here."""


class Impossible(Exception):
    """What cannot be computed: shapes that do not fit."""


@dataclass(slots=True)
class KnownArrays:
    """The arrays by the texts of their names, before some statements.

    `indices` has the places of elements and their shape by the text of an index and the shape that
    it is of, `definitions` what names of numbers stand for.
    """

    arrays: dict[str, Flat]
    indices: Mapping[tuple[str, Shape], tuple[Sequence[int], Sequence[int]]]
    definitions: Mapping[str, ast.expr] = field(default_factory=dict)

    def copy(self) -> KnownArrays:
        return KnownArrays(dict(self.arrays), self.indices, self.definitions)


def run(node: ast.stmt, setting: KnownArrays) -> str:
    """Run a statement; the name of the array that it leaves. Raises Unknown and Impossible."""
    evaluator = _Evaluator(setting)
    match node:
        case ast.Assign(targets=[ast.Subscript() as target], value=value) if not _is_item(target):
            return _write(target, evaluator, "write", evaluator.array(value))
        case ast.Assign(targets=[target], value=value):
            key, found = ast.unparse(target), evaluator.array(value)
        case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value) if not _is_item(
            target
        ):
            old = evaluator.item(target)
            return _write(target, evaluator, "write", evaluator.sign(
                _SIGNS[type(op)], old, evaluator.value(value)))  # fmt: skip
        case ast.AugAssign(target=target, op=op, value=value):
            key = ast.unparse(target)
            found = evaluator.array(ast.BinOp(target, op, value))
        case ast.Expr(value=ast.Call(func=func, args=[owner, index, value])) if (
            isinstance(func, ast.Attribute) and func.attr == "at"
        ):
            target = ast.Subscript(owner, index)
            return _write(target, evaluator, "scatter_add", evaluator.array(value))
        case _:
            raise Unknown
    setting.arrays[key] = found
    return key


def _is_item(target: ast.Subscript) -> bool:
    """Whether a target is an item of a dict or a list that holds arrays."""
    return isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str)


def _write(target: ast.Subscript, evaluator: _Evaluator, op: str, value: Any) -> str:
    key = ast.unparse(target.value)
    owner = evaluator.array(target.value)
    params = evaluator.index(target.slice, owner.shape)
    evaluator.setting.arrays[key] = evaluator.of(op, [owner, value], params)
    return key


class _Evaluator:
    def __init__(self, setting: KnownArrays) -> None:
        self.setting = setting
        self.depth = 0

    def array(self, node: ast.AST) -> Flat:
        found = self.value(node)
        if isinstance(found, bool | int | float):
            return number(float(found))
        if not isinstance(found, Flat):
            raise Unknown
        return found

    def value(self, node: ast.AST) -> Any:
        """An array, or a plain value: a number, a tuple of them, None."""
        match node:
            case ast.Constant(value=found):
                return found
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple([self.value(part) for part in parts])
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                found = self.value(inner)
                return -found if isinstance(found, int | float) else self.of("neg", [found], {})
            case ast.BinOp(left=left, right=right, op=op) if type(op) in _SIGNS:
                return self.sign(_SIGNS[type(op)], self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SIGNS:
                return self.sign(_SIGNS[type(op)], self.value(left), self.value(right))
        key = ast.unparse(node)
        known = self.setting.arrays.get(key)
        return known if known is not None else self._other(node, key)

    def _other(self, node: ast.AST, key: str) -> Any:
        match node:
            case ast.Attribute(value=inner, attr="shape"):
                return self.array(inner).shape
            case ast.Attribute(value=inner, attr="T"):
                return self.of("permute", [self.array(inner)], {})
            case ast.Attribute(value=inner, attr="size"):
                return len(self.array(inner).data)
            case ast.Subscript():
                return self.item(node)
            case ast.Call():
                return self.call(node)
            case ast.Name() if key in self.setting.definitions and self.depth < DEPTH:
                self.depth += 1
                found = self.value(self.setting.definitions[key])
                self.depth -= 1
                return found
        raise Unknown

    def item(self, node: ast.Subscript) -> Any:
        found = self.value(node.value)
        if type(found) is tuple:
            at = self.value(node.slice)
            if not isinstance(at, int) or not -len(found) <= at < len(found):
                raise Unknown
            return found[at]
        if not isinstance(found, Flat):
            raise Unknown
        return self.of("index", [found], self.index(node.slice, found.shape))

    def index(self, node: ast.expr, shape: Shape) -> dict[str, Any]:
        """The params of an index that the run has used on an array of this shape, or of a mask."""
        known = self.setting.indices.get((ast.unparse(node), shape))
        if known is not None:
            return {"places": known[0], "shape": known[1]}
        if isinstance(node, ast.Compare):
            mask = self.array(node)
            if mask.shape == shape:
                places = [i for i, x in enumerate(mask.data) if x]
                return {"places": places, "shape": [len(places)]}
        raise Unknown

    def sign(self, sign: str, a: Any, b: Any) -> Any:
        if isinstance(a, int | float) and isinstance(b, int | float):
            try:
                plain = _PLAIN.get(sign)
                if plain is not None and max(abs(a), abs(b)) < 1e6:
                    return plain(a, b)
            except ArithmeticError:
                pass
            raise Unknown
        return self.of(SIGNS.get(sign, sign), [a, b], {})

    def call(self, node: ast.Call) -> Any:
        func = node.func
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            raise Unknown
        args = [self.value(arg) for arg in node.args]
        keywords = {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords}
        if isinstance(func, ast.Name) and func.id == "len" and len(args) == 1:
            shape = args[0].shape if isinstance(args[0], Flat) else args[0]
            if not shape:
                raise Impossible
            return shape[0] if isinstance(args[0], Flat) else len(args[0])
        if not isinstance(func, ast.Attribute):
            raise Unknown
        root = func.value
        if not (isinstance(root, ast.Name) and root.id in _LIBRARIES):
            args = [self.array(root), *args]
            if func.attr in ("numel", "size"):
                return len(args[0].data)
        found = call_of(func.attr, args, keywords, lambda x: isinstance(x, Flat))
        if found.op == SAME:
            return found.operands[0]
        if found.op is None and func.attr in ("zeros_like", "ones_like") and args:
            return Flat(args[0].shape, [float(func.attr == "ones_like")] * len(args[0].data))
        return self.of(found.op or "", list(found.operands), dict(found.params))

    def of(self, name: str, args: list[Any], params: dict[str, Any]) -> Flat:
        op = ARRAY_OPS.get(name)
        if op is None or (name in ("reshape", "expand") and "shape" not in params):
            raise Unknown
        arrays = [number(float(x)) if isinstance(x, bool | int | float) else x for x in args]
        if not all(isinstance(x, Flat) for x in arrays):
            raise Unknown
        try:
            if prod(op.shape([x.shape for x in arrays], params)) > SIZE:
                raise Unknown
            return op.forward(arrays, params)
        except (Misfit, ArithmeticError, ValueError, KeyError, IndexError, TypeError):
            raise Impossible from None

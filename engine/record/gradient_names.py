"""Under which name the classes of a program keep gradients: a usual one, else what the text shows.

What is a gradient is shown by how it is used: it starts from 0, becomes 1 for the output, and is
added to by amounts that are no counts, outside of the method that makes an object.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from .attribute_names import CHILDREN, DATA, GRADIENTS, LABELS, OPS

_OTHERS = DATA | CHILDREN | {*LABELS, *OPS}
_INITS = frozenset({"__init__", "__post_init__"})
_SHOWN = 3
"""Points from which an attribute is taken for the gradient; see `_points`."""


def gradients_in(tree: ast.AST) -> frozenset[str]:
    """GRADIENTS, and the attribute in which a program without any of them keeps its gradients."""
    nodes = list(ast.walk(tree))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    if not classes:
        return GRADIENTS
    computed = {
        node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.decorator_list
    }
    if any(name in GRADIENTS and name not in computed for name in _stored(nodes)):
        return GRADIENTS
    points = Counter[str]()
    inside = {part for node in nodes if _is_init(node) for part in ast.walk(node)}
    taken = _OTHERS | computed | set(_given(nodes, classes))
    for node in nodes:
        for name, value in assigned_in(node):
            if name not in taken:
                points[name] |= _points(node, name, value, is_start=node in inside)
    shown = {name: _total(bits) for name, bits in points.items()}
    best = max(shown, key=lambda name: shown[name], default="")
    return GRADIENTS | {best} if best and shown[best] >= _SHOWN else GRADIENTS


_FROM_0, _FROM_0_0, _IS_1, _ADDS, _SETS = 1, 2, 4, 8, 16
_WORTH = {_FROM_0: 1, _FROM_0_0: 1, _IS_1: 2, _ADDS: 2, _SETS: 1}


def _total(bits: int) -> int:
    return sum(worth for bit, worth in _WORTH.items() if bits & bit)


def _points(node: ast.AST, name: str, value: ast.expr, *, is_start: bool) -> int:
    """What one assignment shows of an attribute, as bits."""
    number = _number(value)
    if is_start or isinstance(node, ast.AnnAssign):
        is_0 = number == 0 or (isinstance(value, ast.Constant) and value.value is None)
        return (_FROM_0 if is_0 else 0) | (_FROM_0_0 if is_0 and type(number) is float else 0)
    if isinstance(node, ast.AugAssign):
        is_amount = isinstance(node.op, ast.Add) and (number is None or type(number) is float)
        return _ADDS if is_amount and not _is_text_or_list(value) else 0
    if number is not None:
        return _IS_1 if number == 1 else 0
    reads = any(isinstance(part, ast.Attribute) and part.attr == name for part in ast.walk(value))
    return _SETS | (_ADDS if reads and isinstance(value, ast.BinOp | ast.IfExp) else 0)


def _number(value: ast.expr) -> float | None:
    """The number that stands in the text, or is the argument of a call: `np.float64(0.0)`."""
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        value = value.args[0]
    if isinstance(value, ast.Constant) and type(value.value) in (int, float):
        return value.value  # type: ignore[return-value]
    return None


def _is_text_or_list(value: ast.expr) -> bool:
    return isinstance(value, ast.List | ast.ListComp | ast.JoinedStr | ast.Tuple) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def _is_init(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name in _INITS


def _stored(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def assigned_in(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The attributes, or the fields of a dataclass, to which a statement assigns."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AugAssign(target=place, value=value):
            pairs = [(place, value)]
        case ast.AnnAssign(target=place, value=ast.expr() as value):
            pairs = [(place, value)]
    for target, value in pairs:
        if isinstance(target, ast.Attribute):
            yield target.attr, value
        elif isinstance(node, ast.AnnAssign) and isinstance(target, ast.Name):
            yield target.id, value


def _given(nodes: Sequence[ast.AST], classes: Sequence[ast.ClassDef]) -> Iterator[str]:
    """The attributes that the caller gives an object: the first field, parameters of `__init__`."""
    for owner in classes:
        fields = [part for part in owner.body if isinstance(part, ast.AnnAssign)]
        yield from (part.target.id for part in fields[:1] if isinstance(part.target, ast.Name))
    for init in filter(_is_init, nodes):
        names = {part.arg for part in ast.walk(init) if isinstance(part, ast.arg)}
        for node in ast.walk(init):
            for name, value in assigned_in(node):
                if isinstance(value, ast.Name) and value.id in names:
                    yield name

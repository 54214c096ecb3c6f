"""Whether a program computes with whole arrays, or computes gradients of plain numbers by hand.

Following them costs a run half of its time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.named_gradients import loss_rank, plain, quotients, targets

from .source import Source

LIBRARIES = frozenset({"numpy", "torch"})
OF_NUMBERS = frozenset({
    "tanh", "exp", "log", "relu", "sigmoid", "sin", "cos", "sqrt", "float32", "float64", "float",
    "double", "manual_seed",
})  # fmt: skip
"""What makes no array of numbers, in PyTorch."""


def uses_arrays(source: Source) -> bool:
    """Whether the program uses NumPy, or PyTorch with more than single numbers."""
    for node in source.each(ast.ImportFrom):
        if (node.module or "").partition(".")[0] in LIBRARIES:
            return True
    numpy, torch = set(_names(source, "numpy")), set(_names(source, "torch"))
    return any(
        node.id in numpy or (node.id in torch and not _is_of_numbers(source, node))
        for node in source.each(ast.Name)
    )


def writes_gradients_of_numbers(source: Source) -> bool:
    """Whether the program has no classes, a loss, and names for gradients of what is behind it."""
    if source.each(ast.ClassDef) or uses_arrays(source):
        return False
    names = {name for stored in _stored(source) for name in (stored, plain(stored))}
    losses = {name for name in names if loss_rank(name)}
    losses |= {over for name in names for over, of in quotients(name) if {over, of} <= names}
    return any(of in names for name in names for loss in losses for of in targets(name, loss))


def _stored(source: Source) -> Iterator[str]:
    """The variables of the program, the parameters of its functions, and keys of its dicts."""
    for name in source.each(ast.Name):
        if isinstance(name.ctx, ast.Store):
            yield name.id
    yield from (arg.arg for arg in source.each(ast.arg))
    for item in source.each(ast.Subscript):
        if isinstance(item.ctx, ast.Store):
            yield ast.unparse(item)
    for assigned in source.each(ast.Assign):
        match assigned:
            case ast.Assign(targets=[ast.Name(id=owner)], value=ast.Dict(keys=keys)):
                yield from (f"{owner}[{k.value!r}]" for k in keys if isinstance(k, ast.Constant))


def _names(source: Source, library: str) -> Iterator[str]:
    for node in source.each(ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == library:
                yield alias.asname or library


def _is_of_numbers(source: Source, name: ast.Name) -> bool:
    """Whether PyTorch is used for single numbers: `torch.tensor(2.0)`, `torch.tanh(x)`."""
    used = source.parents.get(name)
    if not isinstance(used, ast.Attribute):
        return False
    call = source.parents.get(used)
    if used.attr in ("tensor", "Tensor") and isinstance(call, ast.Call) and call.func is used:
        return len(call.args) == 1 and _is_number(call.args[0])
    return used.attr in OF_NUMBERS


def _is_number(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_number(operand)
        case ast.List(elts=[only]):
            return _is_number(only)
    return False

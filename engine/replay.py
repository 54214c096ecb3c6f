"""A run with other leaves, computed from its record instead of run again.

Where nothing but arithmetic depends on the leaves, another number of one changes no branch, no
index and no text: the graph is computed anew by the table of operations. Whether that is so is read
off the program's text, which may do no more than is listed here.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.ops import OPS
from engine.record.model import RecordedRun, RunNumber, Stage
from engine.record.source import Source

_CALLED = frozenset({
    "Value", "Neuron", "Layer", "MLP", "sum", "zip", "enumerate", "len", "list", "tuple",
    "reversed", "range",
})  # fmt: skip
"""Functions that a program may call, beside operations and its own."""
_METHODS = frozenset({"backward", "append", "parameters"})
_MODULES = frozenset({"math", "micrograd.engine", "micrograd.nn"})
_NODES = (
    ast.Assign, ast.AugAssign, ast.Expr, ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Call,
    ast.Attribute, ast.List, ast.Tuple, ast.For, ast.ListComp, ast.GeneratorExp, ast.FunctionDef,
    ast.Return, ast.Import, ast.ImportFrom, ast.keyword, ast.arg, ast.alias, ast.Starred,
)  # fmt: skip
"""The parts of a program that decide nothing."""


def is_arithmetic(source: Source) -> bool:
    """Whether nothing but arithmetic of a program can depend on its leaves."""
    if any(not issubclass(kind, _NODES) for kind in source.parts):
        return False
    own = {node.name for node in source.each(ast.FunctionDef)}
    called = {node.func for node in source.each(ast.Call)}
    return (
        all(_is_known(node, own) for node in source.each(ast.Call))
        and all(node in called for node in source.each(ast.Attribute))
        and all(not node.decorator_list for node in source.each(ast.FunctionDef))
        and all(isinstance(node.target, ast.Name) for node in source.each(ast.AugAssign))
        and _imports(source) <= _MODULES
    )


def _is_known(node: ast.Call, own: Iterable[str]) -> bool:
    match node.func:
        case ast.Name(id="range"):
            return all(_is_whole(arg) for arg in node.args)
        case ast.Name(id=name):
            return name in _CALLED or name in own or _is_operation(name)
        case ast.Attribute(value=ast.Name(id="math"), attr=name):
            return name in OPS and OPS[name].is_word
        case ast.Attribute(attr=name):
            return name in _METHODS or _is_operation(name)
    return False


def _is_whole(node: ast.expr) -> bool:
    """Whether a bound of a range is no number that the reader can change."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len"
    return isinstance(node, ast.Constant)


def _is_operation(name: str) -> bool:
    return name in OPS and OPS[name].is_word and not OPS[name].module


def _imports(source: Source) -> set[str]:
    found = {alias.name for node in source.each(ast.Import) for alias in node.names}
    return found | {node.module or "" for node in source.each(ast.ImportFrom)}


def can_replay(run: RecordedRun) -> bool:
    """Whether the record of a run tells how every number of its graph is computed."""
    stage = run.stage
    if stage is None or stage.steps is not None or run.witness or run.charts or run.arrays:
        return False
    if run.array_record is not None and run.array_record.names:
        return False  # gradients that were computed by hand are judged anew
    if stage.changed or stage.stale or len(run.scenes) > 1 or run.stopped or run.printed:
        return False
    backward = stage.backward
    if any(backward.held) or any(backward.grads):
        return False
    if backward.order[-1].is_plain and any(x.id == "sum" for x in run.source.each(ast.Name)):
        return False  # it adds floats with the rounding errors of the steps before
    return all(x.op is not None or not x.args for x in backward.order) and not any(
        x.rounds for x in backward.order
    )


def replayed(run: RecordedRun, changes: Mapping[str, float]) -> RecordedRun | None:
    """The run with other numbers at some leaves, which must be those of its keys.

    None where Python may raise an exception: plain numbers that are computed are finite.
    """
    stage = run.stage
    assert stage is not None
    fresh: dict[RunNumber, RunNumber] = {}
    changed = {value: changes[key] for key, value in run.keys if key in changes}
    for x in stage.backward.order:
        new = fresh[x] = _computed(x, [fresh[arg] for arg in x.args], changed.get(x))
        if x.is_plain and x.op is not None and not math.isfinite(new.data):
            return None
    order = list(fresh.values())
    backward = replace(stage.backward, order=order, data=[x.data for x in order])
    drawn = Stage(backward, None, None, stage.places, stage.left_out)
    return replace(run, stage=drawn, keys=[(key, fresh[x]) for key, x in run.keys])


def _computed(x: RunNumber, args: list[RunNumber], changed: float | None) -> RunNumber:
    new = object.__new__(type(x))
    for name in _SLOTS:
        setattr(new, name, getattr(x, name))
    new.args = tuple(args)
    if changed is not None:
        new.data = float(changed)
    elif x.op is not None:
        new.data = x.op.compute(*[arg.data for arg in args])
    new.made_with = new.data
    return new


_SLOTS = [
    name
    for base in RunNumber.__mro__
    for name in getattr(base, "__slots__", ())
    if name not in ("origin", "__dict__", "__weakref__")
]

"""Calls by name and of methods: who is called, and what the methods of each owner do."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from engine.nn import Module
from engine.ops import Op
from engine.value import Value

from . import imports
from .arguments import Builtin, only, spend_items
from .attributes import get_attribute
from .functions import BUILTINS, KEYWORDS, tensor
from .kinds import method_of
from .names import BUILT_IN_HINT, DRAWING_NAMES, NOT_HERE, NUMERIC, look_up, op_of
from .object_methods import check_arguments
from .objects import (
    DRAWING,
    MAPPED,
    Drawing,
    Imported,
    Keywords,
    Library,
    bare,
    kind,
    sentence,
    written,
)
from .random_numbers import RANDOM
from .tape import Refused, Tensor

if TYPE_CHECKING:
    from .expressions import Expressions

_DRAWS = re.compile(r"^_?(draw|plot|show|visuali[sz]e|render)(_|$)", re.IGNORECASE)


def call_name(run: Expressions, func: ast.Name, node: ast.Call) -> Any:
    """`f(…)`: a function of the program, a network, an operation or a built-in function."""
    name = func.id
    if _DRAWS.match(name) or name in DRAWING_NAMES:
        return pass_over(run, node)
    defined = _defined(run, name)
    if name == "map" and defined is None:
        return _map(run, node)
    if defined is not None:
        return call_defined(run, defined, func, node)
    if name in run.missing:
        return call_missing(run, run.missing[name], node)
    if name in BUILTINS:
        return call_builtin(run, BUILTINS[name], name, node)
    op = op_of(name)
    if op:
        return call_op(run, op, node)
    look_up(run, func)
    raise Refused(func, f"{name} cannot be called.", "Call one of its functions: math.tanh(x).")


def call_builtin(run: Expressions, function: Builtin, name: str, node: ast.Call) -> Any:
    """A function of a table; an argument by a name that it does not know is refused."""
    args, keywords = run.arguments(node)
    known = KEYWORDS.get(name, frozenset())
    unknown = set(keywords) - known
    if unknown:
        hint = f"It has {', '.join(sorted(known))}." if known else "Leave it out."
        raise Refused(node, f"{name} has no argument {min(unknown)} here.", hint)
    return function(run, args, keywords, node)


def _defined(run: Expressions, name: str) -> Any:
    env = run.env
    while name not in env.names:
        if env.around is None:
            return None
        env = env.around
    return env.names[name]


def call_defined(run: Expressions, defined: Any, func: ast.expr, node: ast.Call) -> Any:
    """A call of what the program itself holds: its function, a network, a part of one."""
    if isinstance(defined, Module):
        return run.call_module(defined, node)
    if isinstance(defined, Drawing):
        return pass_over(run, node)
    if isinstance(defined, Imported):
        return _call_imported(run, defined, node)
    if hasattr(defined, "params"):
        return run.call_function(defined, node)
    name = ast.unparse(func)[:40]
    hint = f"For a product write {name}*(…)."
    raise Refused(func, f"{name} is {kind(defined)}, not a function.", hint)


def _call_imported(run: Expressions, function: Imported, node: ast.Call) -> Any:
    table, name = RANDOM if function.library == "random" else BUILTINS, function.name
    if name in table:
        return call_builtin(run, table[name], name, node)
    op = op_of(name)
    assert op is not None
    return call_op(run, op, node)


def pass_over(run: Expressions, node: ast.Call) -> Drawing:
    """A call that draws: the page draws the graph itself."""
    if isinstance(node.func, ast.Name) and node.func.id in imports.DRAWS:
        run.arguments(node)
    else:
        _check_drawn(run, node)
    run.note(node, f"{written(node.func)}(…) is passed over: the graph is drawn here.")
    return DRAWING


def _check_drawn(run: Expressions, node: ast.Call) -> None:
    """Raises Refused for a name without a value in what a call draws, as Python would."""
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        parts = list(ast.walk(argument))
        run.tape.spend(node, len(parts))
        names = [part for part in parts if isinstance(part, ast.Name)]
        own = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        own |= {part.arg for part in parts if isinstance(part, ast.arg)}
        for name in names:
            if name.id not in own and not _has_meaning(run, name.id):
                look_up(run, name)


def _has_meaning(run: Expressions, name: str) -> bool:
    return run.holds(name) or name in run.missing or name in BUILTINS or bool(op_of(name))


def call_missing(run: Expressions, path: str, node: ast.Call) -> Any:
    """A call of `path` in a module that is not here. Raises Refused if its result is unknown."""
    module, _, last = path.rpartition(".")
    if last in imports.SHARED and last in BUILTINS:
        run.note(node, imports.shared(run, last, module))
        return call_builtin(run, BUILTINS[last], last, node)
    if last in imports.DRAWS:
        return pass_over(run, node)
    if path in imports.NO_EFFECT:
        run.note(node, f"{path}(…) has no effect here.")
        return None
    if path in imports.CLOCKS:
        run.note(node, f"{path}() is always 0 here, so that every run gives the same numbers.")
        return 0.0
    if path in imports.PROGRESS_BARS:
        args, _ = run.arguments(node)
        return only(args[:1], node, "tqdm")
    raise imports.refused(path, node)


def call_op(
    run: Expressions, op: Op, node: ast.Call, first: tuple[Any, ast.expr] | None = None
) -> Value:
    """An operation by its name: `tanh(x)`, `x.tanh()`, `math.tanh(x)`."""
    args, keywords = run.arguments(node)
    nodes: list[ast.expr] = list(node.args)
    if first:
        args, nodes = [first[0], *args], [first[1], *nodes]
    _check_options(op, keywords, node)
    if len(args) != len(op.params):
        inputs = "1 input" if len(op.params) == 1 else f"{len(op.params)} inputs"
        raise Refused(node, f"{op.name} takes {inputs}, not {len(args)}.", "Give it as many.")
    return run.compute(op, args, nodes, node)


_OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "gelu": {"approximate": ("none",)},
    "relu": {"inplace": (False,)},
    "leaky_relu": {"negative_slope": (0.01,), "inplace": (False,)},
    "silu": {"inplace": (False,)},
    "softplus": {"beta": (1, 1.0), "threshold": (20, 20.0)},
}
"""PyTorch's arguments of operations, with the values for which the table's formula holds."""
_GELU_BY_TANH = "Write 0.5*x * (1 + tanh(0.7978845608028654 * (x + 0.044715*x**3)))."


def _check_options(op: Op, keywords: Keywords, node: ast.Call) -> None:
    """Raises Refused for a named argument that would change what `op` computes."""
    known = _OPTIONS.get(op.name, {})
    for name, value in keywords.items():
        if name not in known:
            message = f"{op.name} has no argument {name[:40]} here."
            raise Refused(node, message, "Write only its inputs.")
        if bare(value) not in known[name]:
            hint = _GELU_BY_TANH if name == "approximate" else "Leave it out."
            message = f"{op.name} is computed with {name}={known[name][0]!r} only."
            raise Refused(node, message, hint)


def call_method(run: Expressions, func: ast.Attribute, node: ast.Call) -> Any:
    """`owner.name(…)`, for the owners and names that the tables know."""
    if path := imports.path_of(run, func):
        return call_missing(run, path, node)
    if func.attr == "zero_" and (gradient := _gradient(func.value)):
        return _zero_gradient(run, gradient, node)
    owner, name = run.evaluate(func.value), func.attr
    if isinstance(owner, Library):
        return _call_library(run, owner, func, node)
    if isinstance(owner, Drawing):
        return pass_over(run, node)
    if isinstance(owner, Value):
        op = op_of(name)
        if op:
            return call_op(run, op, node, (owner, func.value))
    if isinstance(owner, list | tuple) and name in ("neurons", "layers"):
        return owner
    if method := method_of(owner, name):
        args, keywords = run.arguments(node)
        check_arguments(name, args, keywords, node)
        return method(run, owner, args, keywords, node)
    if isinstance(owner, Module) and name == "forward":
        return run.call_module(owner, node)
    hint = "A Value has backward() and a method for every operation, such as x.tanh()."
    raise Refused(node, f"{sentence(kind(owner))} has no method {name[:40]} here.", hint)


def _gradient(node: ast.expr) -> ast.Attribute | None:
    """The `x.grad` that `x.grad` or `x.grad.data` reads."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        node = node.value
    return node if isinstance(node, ast.Attribute) and node.attr == "grad" else None


def _zero_gradient(run: Expressions, gradient: ast.Attribute, node: ast.Call) -> float:
    """`x.grad.zero_()` of a tensor: a gradient is a plain number here, so `x` itself is changed."""
    owner = run.evaluate(gradient.value)
    held = get_attribute(run, owner, gradient)
    if not isinstance(owner, Tensor):
        hint = f"Write {written(gradient)} = 0.0."
        raise Refused(node, f"{sentence(kind(held))} has no method zero_ here.", hint)
    check_arguments("zero_", *run.arguments(node), node)
    owner.grad = 0.0
    return owner.grad


def _call_library(run: Expressions, library: Library, func: ast.Attribute, node: ast.Call) -> Any:
    name = func.attr
    if library.name == "drawing":
        return pass_over(run, node)
    if library.name == "random" and name in RANDOM:
        return call_builtin(run, RANDOM[name], name, node)
    if library.name == "torch" and name == "manual_seed":
        return call_builtin(run, RANDOM["seed"], name, node)
    if library.name == "micrograd" and name in BUILTINS:
        return call_builtin(run, BUILTINS[name], name, node)
    if library.name in NUMERIC:
        if name in ("tensor", "Tensor", "array", "Parameter"):
            shown = f"{'np' if library.name == 'numpy' else 'torch'}.{name}"
            return tensor(run, *run.arguments(node), node, name=shown)
        op = op_of(name)
        if op:
            return call_op(run, op, node)
    raise Refused(
        node,
        f"{written(func.value)} has no function {name[:40]} here.",
        NOT_HERE.get(name, BUILT_IN_HINT),
    )


def _map(run: Expressions, node: ast.Call) -> list[Any]:
    """`map(f, items)`: a call of `f` for each item."""
    if len(node.args) != 2 or not isinstance(node.args[0], ast.Name):
        raise Refused(
            node, "map takes the name of a function and a list.", "Write [f(x) for x in xs]."
        )
    around, item = run.env, ast.copy_location(ast.Name(MAPPED, ast.Load()), node.args[1])
    call = ast.copy_location(ast.Call(node.args[0], [item], []), node)
    items = spend_items(run, run.evaluate(node.args[1]), node)
    try:
        out = []
        for value in items:
            run.env = type(around)({MAPPED: value}, around)
            out.append(call_name(run, node.args[0], call))
        return out
    finally:
        run.env = around

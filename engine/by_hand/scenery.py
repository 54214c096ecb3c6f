"""What stands around a statement that computes a gradient: other arrays, sizes, activations."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import model
from .candidates import Activation, Scenery, called
from .editing import GradientLine
from .evaluate import Impossible, KnownArrays, Unknown, run
from .judge import HandPass, assigned, statement_of
from .matching import same_shape, turns
from .model import HandGradient
from .rule_terms import terms
from .truth import ancestors, flat

OTHERS = 10
NUMBERS = 24
"""Names that are put in the place of one, of an array and of a number."""
_KINDS = (
    ("tanh", ("tanh",)), ("sigmoid", ("sigmoid", "logistic", "sigma", "expit")),
    ("relu", ("relu", "maximum", "ReLU")), ("exp", ("exp",)),
)  # fmt: skip
_SIMPLE = ast.Assign | ast.AugAssign | ast.Return | ast.Expr | ast.AnnAssign


def statements_of(passed: HandPass, row: HandGradient) -> list[GradientLine]:
    """The statements that computed a gradient from the gradients before it, in their order."""
    nodes, source = passed.nodes, passed.run.source
    behind = _own_nodes(passed, row)
    found: dict[Any, int] = {}
    for at in sorted(behind):
        if nodes[at].op is not None:
            found.setdefault(statement_of(passed.run, nodes[at].node), at)
    others = {it.node for it in passed.gradients if it.node in ancestors(nodes, row.node)}
    for it in passed.run.array_record.names:
        if it.of in behind or it.of in others or (it.name == row.name and it.at <= row.node):
            statement: Any = statement_of(passed.run, it.node)
            is_judged = any(
                g.name == it.name and g.node == it.of for g in passed.gradients if g is not row
            )
            if _is_copy(getattr(statement, "value", None)) and not is_judged:
                found.setdefault(statement, it.of)
    kept = [node for node in found if isinstance(node, _SIMPLE)]
    kept.sort(key=lambda node: (found[node], node.lineno))
    return [GradientLine(source, node) for node in kept]


def _is_copy(value: ast.expr | None) -> bool:
    """Whether what is assigned is another array as it is, or a copy of it."""
    if isinstance(value, ast.Call):
        return called(value) in ("copy", "clone", "array", "asarray")
    return isinstance(value, ast.Name | ast.Attribute)


def _own_nodes(passed: HandPass, row: HandGradient) -> set[int]:
    """The nodes of a gradient that no other gradient was computed from."""
    nodes = passed.nodes
    behind = set(ancestors(nodes, row.node))
    for other in {it.node for it in passed.gradients if it.node != row.node} & behind:
        behind -= set(ancestors(nodes, other))
    return behind - set(passed.matched.truth.order)


def is_scattered(passed: HandPass, row: HandGradient, lines: Sequence[GradientLine]) -> bool:
    """Whether a gradient came from several turns of a loop, or from several functions."""
    own = _own_nodes(passed, row)
    places = {turns(passed.nodes[at]) for at in own if passed.nodes[at].op is not None}
    return len(places) > 1 or len({_function_of(passed, line.node) for line in lines}) > 1


def _function_of(passed: HandPass, node: ast.AST) -> ast.AST | None:
    around: ast.AST | None = node
    while around is not None and not isinstance(around, ast.FunctionDef | ast.Lambda):
        around = passed.run.source.parents.get(around)
    return around


def setting_before(passed: HandPass, row: HandGradient) -> KnownArrays:
    """The arrays by the texts of their names, as they were when a gradient was computed."""
    record, nodes = passed.run.array_record, passed.nodes
    own = _own_nodes(passed, row) | {row.node}
    first = min((it.at for it in record.names if it.of in own), default=row.node)
    first = min([first, *(at for at in own if nodes[at].op is not None)])
    arrays = {}
    for it in record.names:
        if it.at <= first and it.of not in own:
            arrays[it.name] = flat(nodes[it.of])
    return KnownArrays(arrays, _indices(passed), _definitions(passed))


def _indices(passed: HandPass) -> dict[Any, Any]:
    """The indices that the run has used, by their texts."""
    found: dict[Any, Any] = {}
    for node in passed.nodes:
        if node.op in ("index", "write", "scatter_add"):
            at: Any = node.node
            while isinstance(at, ast.AugAssign | ast.Assign):
                at = at.target if isinstance(at, ast.AugAssign) else at.targets[0]
            if isinstance(at, ast.Call) and len(at.args) == 3:
                text: str | None = ast.unparse(at.args[1])
            else:
                text = ast.unparse(at.slice) if isinstance(at, ast.Subscript) else None
            if text is not None:
                shape = passed.nodes[node.args[0]].shape
                found[text, shape] = node.params["places"], node.params["shape"]
    return found


def _definitions(passed: HandPass) -> dict[str, ast.expr]:
    """What names stand for that are assigned to once, or always alike."""
    found: dict[str, ast.expr] = {}
    odd = set()
    for node in passed.program.source.each(ast.Assign):
        for target, value in assigned(node):
            known = found.setdefault(target, value)
            if ast.unparse(known) != ast.unparse(value):
                odd.add(target)
    odd |= {
        node.target.id
        for node in passed.program.source.each(ast.AugAssign)
        if isinstance(node.target, ast.Name)
    }
    return {name: value for name, value in found.items() if name not in odd}


def scenery_of(
    passed: HandPass, row: HandGradient, it: GradientLine, setting: KnownArrays
) -> Scenery:
    """What can be put into a statement of a gradient."""
    known = {name: array.shape for name, array in setting.arrays.items()}
    gradients = frozenset(row.name for row in passed.gradients)
    alike = {}
    for name in it.names():
        shape = known.get(name)
        if shape or (passed.points and name in known):
            others = [o for o, s in known.items() if o != name and same_shape(s, shape or ())]
            others.sort(key=lambda o: o not in gradients)
            others = [*(_turning(passed) if passed.points else ()), *others]
            alike[name] = others[: OTHERS if shape else NUMBERS]
    text = passed.program.source.text
    return Scenery(
        row.factor if row.state != model.SHAPE else 1.0,
        alike,
        _sizes(passed, setting),
        _scalars(setting),
        activations(passed),
        _index(passed, row),
        terms(passed, row),
        gradients,
        "torch" in text and "numpy" not in text,
        _numbers(passed, known) if passed.points else (),
    )


def _numbers(passed: HandPass, known: Mapping[str, Any]) -> Sequence[str]:
    """Names of numbers: those behind the loss, and the variables of loops."""
    behind = set(passed.matched.truth.order)
    names = passed.run.array_record.names
    named = [it.name for it in sorted(names, key=lambda it: it.of not in behind)]
    return [*dict.fromkeys([*_turning(passed), *(name for name in named if name in known)])]


def _turning(passed: HandPass) -> Iterator[str]:
    """The variables of loops and comprehensions."""
    source = passed.program.source
    targets = [loop.target for loop in source.each(ast.For)]
    targets += [loop.target for loop in source.each(ast.comprehension)]
    yield from (x.id for target in targets for x in ast.walk(target) if isinstance(x, ast.Name))


def _evaluated(setting: KnownArrays, text: str) -> float | None:
    """The number that a name stands for."""
    inside = setting.copy()
    try:
        key = run(ast.Assign([ast.Name("?")], ast.Name(text)), inside)
    except (Unknown, Impossible):
        return None
    found = inside.arrays[key]
    return found.data[0] if not found.shape else None


def _scalars(setting: KnownArrays) -> Mapping[str, float]:
    """Names of numbers."""
    found = {name: array.data[0] for name, array in setting.arrays.items() if not array.shape}
    for name in setting.definitions:
        x = _evaluated(setting, name)
        if x is not None:
            found[name] = x
    return found


def _sizes(passed: HandPass, setting: KnownArrays) -> Mapping[int, str]:
    """The lengths of axes of arrays behind the loss, and their sizes, with a text for each."""
    given: dict[int, str] = {}
    for name, x in _scalars(setting).items():
        if x == int(x) and x > 1:
            given.setdefault(int(x), name)
    found: dict[int, str] = {}
    order = set(passed.matched.truth.order)
    for it in passed.run.array_record.names:
        array = passed.nodes[it.of]
        if it.of not in order or not array.shape or not it.name.isidentifier():
            continue
        for axis, size in enumerate(array.shape[:2]):
            if size > 1:
                found.setdefault(size, given.get(size) or f"{it.name}.shape[{axis}]")
        if len(array.shape) > 1:
            size = len(array.data)
            text = f"{it.name}.numel()" if "32" in array.dtype else f"{it.name}.size"
            found.setdefault(size, given.get(size) or text)
    return found


def activations(passed: HandPass) -> Mapping[str, Activation]:
    """The activations behind the loss, by the names of the gradients of their results."""
    found: dict[str, Activation] = {}
    for row in passed.gradients:
        known = _activation(passed, row.target)
        if known is not None:
            found[row.name] = known
    for it in passed.run.array_record.names:
        if it.of in passed.matched.truth.order:
            known = _activation(passed, it.of)
            if known is not None and known not in found.values():
                found[f"d{it.name}"] = known
    return found


def _activation(passed: HandPass, at: int) -> Activation | None:
    """The activation that computed an array, with its names."""
    node, result = passed.nodes[at], name_of(passed, at)
    if node.op is None or not result:
        return None
    is_relu = (node.op == "max" and _is_zero(passed, node.args)) or (
        node.op == "clip" and node.params.get("low") == 0
    )
    kind = "relu" if is_relu else node.op if node.op in ("tanh", "sigmoid", "relu", "exp") else ""
    if kind:
        return Activation(kind, result, name_of(passed, node.args[0]))
    for it in passed.run.array_record.names:
        if it.of == at:
            statement: Any = statement_of(passed.run, it.node)
            for kind, inner in _called(getattr(statement, "value", None)):
                return Activation(kind, result, inner)
    return None


def _is_zero(passed: HandPass, args: Sequence[int]) -> bool:
    return any(passed.nodes[arg].is_constant and not any(passed.nodes[arg].data) for arg in args)


def _called(value: ast.expr | None) -> Iterator[tuple[str, str]]:
    """The activation that a call is named after, with the name of its argument."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        func = value.func
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        for kind, words in _KINDS:
            if name in words:
                arg = value.args[0]
                yield kind, ast.unparse(arg) if isinstance(arg, ast.Name) else ""


def name_of(passed: HandPass, at: int) -> str:
    """The first name of an array as its line has it; "" if it has none."""
    for it in passed.run.array_record.names:
        if it.of == at:
            is_item = isinstance(it.node, ast.Subscript) and "[" in it.name
            return ast.unparse(it.node) if is_item else it.name
    return ""


def _index(passed: HandPass, row: HandGradient) -> str:
    """The text of the index with which the loss picks the right classes of such an array."""
    for at in passed.matched.truth.order:
        node = passed.nodes[at]
        if node.op == "index" and isinstance(node.node, ast.Subscript):
            is_its = passed.nodes[node.args[0]].shape == row.written.shape
            if is_its and isinstance(node.node.slice, ast.Tuple):
                return ", ".join(map(ast.unparse, node.node.slice.elts))
    return ""

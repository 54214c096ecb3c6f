"""Functions of a program: real Python functions that run compiled code.

Their parameters follow Python's rules, with Python's words for arguments that do not fit.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.language.machine import CALL_DEPTH, Machine
from engine.language.members import ANNOTATED
from engine.language.refusal import CATCHABLE
from engine.record.scopes import FIRST_SLOT, Scope

from .generators import generator_block
from .unit import UNSET, Code, Frame, Unit, cost
from .variables import load, store

FUNCTION_COST = 20  # operations: a function object with its cells
PASSES = frozenset({"__call__", "forward"})
"""Methods that compute the result of a network of the program's own, or of a part of one."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function by the order of their slots, from FIRST_SLOT on."""

    name: str
    qualname: str
    names: tuple[str, ...]
    positional_only: int
    positional: int
    keyword_only: int
    has_rest: bool
    has_keywords: bool

    @property
    def is_simple(self) -> bool:
        return not (self.keyword_only or self.has_rest or self.has_keywords)


def signature(name: str, qualname: str, params: ast.arguments, scope: Scope) -> Signature:
    return Signature(
        name,
        qualname,
        tuple(scope.params),
        len(params.posonlyargs),
        len(params.posonlyargs) + len(params.args),
        len(params.kwonlyargs),
        params.vararg is not None,
        params.kwarg is not None,
    )


Defaults = tuple[tuple[Any, ...], dict[str, Any]]


def bind(
    s: Signature, defaults: Defaults, f: Frame, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    """Put the arguments of a call into the frame. Raises TypeError if they do not fit."""
    count = min(len(args), s.positional)
    f[FIRST_SLOT : FIRST_SLOT + count] = args[:count]
    given = set(s.names[:count])
    rest = _named(s, f, keywords, given)
    if s.has_keywords:
        f[FIRST_SLOT + len(s.names) - 1] = rest
    if s.has_rest:
        f[FIRST_SLOT + s.positional + s.keyword_only] = args[count:]
    elif len(args) > s.positional:
        raise TypeError(_too_many(s, defaults, len(args), given))
    _fill(s, defaults, f, given)


def _binding(s: Signature, keywords: Mapping[str, Any]) -> int:
    """Operations for the arguments of a call that are named or left out."""
    return len(s.names) * (16 + len(keywords)) // 16


def _named(s: Signature, f: Frame, keywords: dict[str, Any], given: set[str]) -> dict[str, Any]:
    """Place the arguments given by name; those that no parameter takes are returned."""
    known = s.names[s.positional_only : s.positional + s.keyword_only]
    rest = {}
    for name, value in keywords.items():
        if name in known:
            if name in given:
                raise TypeError(f"{s.qualname}() got multiple values for argument '{name}'")
            f[FIRST_SLOT + s.names.index(name)] = value
            given.add(name)
        elif s.has_keywords:
            rest[name] = value
        elif name in s.names[: s.positional_only]:
            raise TypeError(
                f"{s.qualname}() got some positional-only arguments passed as keyword arguments: "
                f"'{name}'"
            )
        else:
            raise TypeError(f"{s.qualname}() got an unexpected keyword argument '{name}'")
    return rest


def _fill(s: Signature, defaults: Defaults, f: Frame, given: set[str]) -> None:
    """Give the parameters without an argument their defaults."""
    positional, named = defaults
    first = s.positional - len(positional)
    missing = []
    for i, name in enumerate(s.names[: s.positional]):
        if name in given:
            continue
        if i < first:
            missing.append(name)
        else:
            f[FIRST_SLOT + i] = positional[i - first]
    if missing:
        raise TypeError(_missing(s.qualname, "positional", missing))
    for i, name in enumerate(s.names[s.positional : s.positional + s.keyword_only], s.positional):
        if name in given:
            continue
        if name not in named:
            missing.append(name)
        else:
            f[FIRST_SLOT + i] = named[name]
    if missing:
        raise TypeError(_missing(s.qualname, "keyword-only", missing))


def _missing(function: str, kind: str, names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    listed = quoted[0]
    if len(quoted) == 2:
        listed = " and ".join(quoted)
    elif len(quoted) > 2:
        listed = f"{', '.join(quoted[:-1])}, and {quoted[-1]}"
    arguments = "argument" if len(quoted) == 1 else "arguments"
    return f"{function}() missing {len(quoted)} required {kind} {arguments}: {listed}"


def _too_many(s: Signature, defaults: Defaults, count: int, given: set[str]) -> str:
    least = s.positional - len(defaults[0])
    takes = f"from {least} to {s.positional}" if defaults[0] else str(s.positional)
    plural = "" if s.positional == 1 and not defaults[0] else "s"
    were = "was" if count == 1 else "were"
    return f"{s.qualname}() takes {takes} positional argument{plural} but {count} {were} given"


def functiondef(unit: Unit, node: ast.FunctionDef, scope: Scope) -> Code:
    m = unit.machine
    inner = unit.scopes[node]
    make = maker(unit, node, node.name, node.args, inner, scope, _body(unit, node, inner))
    decorators = unit.all(node.decorator_list, scope)
    annotated = _annotated(unit, node, scope) if decorators else None
    write = store(unit, scope.mangled(node.name), scope)
    doc = ast.get_docstring(node)

    def define(f: Frame) -> None:
        f[0] = node
        found = [decorator(f) for decorator in decorators]
        function = make(f)
        function.__doc__ = doc
        if annotated is not None:
            setattr(function, ANNOTATED, lambda: annotated(f))
        for decorator, place in zip(reversed(found), reversed(node.decorator_list), strict=True):
            m.node = place
            function = m.call(decorator, function)
        write(f, function)

    return define


def _annotated(unit: Unit, node: ast.FunctionDef, scope: Scope) -> Code | None:
    """The name that annotates the first parameter but `self`: `singledispatch` asks for it."""
    for parameter in (*node.args.posonlyargs, *node.args.args)[:2]:
        if isinstance(parameter.annotation, ast.Name):
            return load(unit, scope.mangled(parameter.annotation.id), node, scope)
    return None


def lambda_(unit: Unit, node: ast.Lambda, scope: Scope) -> Code:
    inner = unit.scopes[node]
    value, work, m = unit.expression(node.body, inner), cost(node.body), unit.machine

    def body(f: Frame) -> tuple[Any]:
        m.left -= work
        if m.left < 0:
            m.exhausted()
        f[0] = node
        return (value(f),)

    return maker(unit, node, "<lambda>", node.args, inner, scope, lambda: body)


def _body(unit: Unit, node: ast.FunctionDef, inner: Scope) -> Callable[[], Code]:
    """Compiles the body when the function is first called."""
    if inner.yields:
        return lambda: generator_block(unit, node.body, inner)
    return lambda: unit.block(node.body, inner)


def maker(
    unit: Unit,
    node: ast.FunctionDef | ast.Lambda,
    name: str,
    params: ast.arguments,
    inner: Scope,
    scope: Scope,
    compile_body: Callable[[], Code],
) -> Callable[[Frame], Any]:
    """Code that makes the function at `node` each time that its definition is run."""
    m = unit.machine
    qualname = _qualname(name, scope)
    s = signature(name, qualname, params, inner)
    positional = unit.all(params.defaults, scope)
    named = [
        (inner.mangled(param.arg), unit.expression(default, scope))
        for param, default in zip(params.kwonlyargs, params.kw_defaults, strict=True)
        if default is not None
    ]
    captured = [(inner.slots[name], scope.slots[name]) for name in inner.free]
    cells = [inner.slots[name] for name in inner.cells]
    blank: Frame = [UNSET] * inner.size()
    blank[0] = node
    compiled: list[Code] = []
    kind = _generator if inner.yields else _function

    def body(f: Frame) -> Any:
        if not compiled:
            compiled.append(compile_body())
        return compiled[0](f)

    witness = m.witness
    run_body: Callable[[Frame], Any] = body
    if witness is not None and not inner.yields:
        run_body = witness.around(body, node, name, inner)

    def make(f: Frame) -> Any:
        base = blank[:]
        for slot, outer in captured:
            base[slot] = f[outer]
        defaults = (
            tuple([default(f) for default in positional]),
            {name: default(f) for name, default in named},
        )
        m.left -= FUNCTION_COST
        function = kind(m, s, defaults, base, cells, run_body, node)
        function.__name__, function.__qualname__ = name, qualname
        function.__module__ = "__main__"
        if witness is not None:
            witness.function(function, node)
        return function

    return make


def _qualname(name: str, scope: Scope) -> str:
    return f"{scope.qualname}.{name}" if scope.qualname else name


def _function(
    m: Machine,
    s: Signature,
    defaults: Defaults,
    base: Frame,
    cells: Sequence[int],
    body: Code,
    node: ast.AST,
) -> Callable[..., Any]:
    count, is_simple, end = s.positional, s.is_simple, FIRST_SLOT + s.positional
    name, is_pass = s.name, s.name in PASSES

    def function(*args: Any, **keywords: Any) -> Any:
        f = base[:]
        if len(args) == count and is_simple and not keywords:
            f[FIRST_SLOT:end] = args
        else:
            m.spend(_binding(s, keywords))
            bind(s, defaults, f, args, keywords)
        for cell in cells:
            f[cell] = [f[cell]]
        depth = m.depth = m.depth + 1
        around = m.scope
        try:
            if depth > CALL_DEPTH:
                raise RecursionError("maximum recursion depth exceeded")
            m.scope = ("function", (name, m.node, args[0] if is_pass and args else None), around)
            out = body(f)
            return None if out is None else out[0]
        except CATCHABLE as error:
            m.passed(error, name, f[0])
            raise
        finally:
            m.depth = depth - 1
            m.scope = around

    return function


def _generator(
    m: Machine,
    s: Signature,
    defaults: Defaults,
    base: Frame,
    cells: Sequence[int],
    body: Code,
    node: ast.AST,
) -> Callable[..., Any]:
    def run(f: Frame) -> Generator[Any, Any, Any]:
        try:
            out = yield from body(f)
            return None if out is None else out[0]
        except CATCHABLE as error:
            m.passed(error, s.name, f[0])
            raise

    def function(*args: Any, **keywords: Any) -> Generator[Any, Any, Any]:
        f = base[:]
        m.spend(_binding(s, keywords))
        bind(s, defaults, f, args, keywords)
        for cell in cells:
            f[cell] = [f[cell]]
        m.spend(8)
        made = run(f)
        made.__name__ = s.name  # type: ignore[attr-defined]  # a generator has one
        made.__qualname__ = function.__qualname__  # type: ignore[attr-defined]
        return made

    return function

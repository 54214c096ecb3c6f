"""match: patterns of all of Python's kinds."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.language.attributes import get_attribute
from engine.language.machine import Machine
from engine.language.refusal import Refused
from engine.language.weights import CONTAINERS, weigh
from engine.record.scopes import Scope

from .unit import Code, Frame, Unit
from .variables import store

Test = Callable[[Frame, Any], bool]
_SEQUENCES = (list, tuple, range)


def match(unit: Unit, node: ast.Match, scope: Scope) -> Code:
    m, subject = unit.machine, unit.expression(node.subject, scope)
    cases = [
        (
            pattern(unit, case.pattern, scope),
            unit.expression(case.guard, scope) if case.guard else None,
            unit.block(case.body, scope),
        )
        for case in node.cases
    ]

    def code(f: Frame) -> Any:
        f[0] = node
        value = subject(f)
        for test, guard, body in cases:
            m.spend()
            if test(f, value) and (guard is None or guard(f)):
                return body(f)
        return None

    return code


def pattern(unit: Unit, node: ast.pattern, scope: Scope) -> Test:
    """A function of a frame and a value that tells whether the value matches, and binds names."""
    match node:
        case ast.MatchValue(value=value):
            wanted = unit.expression(value, scope)
            return _equal_to(unit.machine, wanted)
        case ast.MatchSingleton(value=value):
            return lambda f, x: x is value
        case ast.MatchOr(patterns=patterns):
            tests = [pattern(unit, part, scope) for part in patterns]
            return lambda f, x: any(test(f, x) for test in tests)
        case ast.MatchAs():
            return _capture(unit, node, scope)
        case ast.MatchSequence(patterns=patterns):
            return _sequence(unit, patterns, scope)
        case ast.MatchMapping():
            return _mapping(unit, node, scope)
        case ast.MatchClass():
            return _class(unit, node, scope)
    raise Refused(node, "This pattern is not part of this language.", "Write if … elif … else.")


def _equal_to(m: Machine, wanted: Code) -> Test:
    def test(f: Frame, x: Any) -> bool:
        if isinstance(x, CONTAINERS):
            weigh(m, x)
        return bool(x == wanted(f))

    return test


def _capture(unit: Unit, node: ast.MatchAs, scope: Scope) -> Test:
    inner = pattern(unit, node.pattern, scope) if node.pattern else None
    write = store(unit, scope.mangled(node.name), scope) if node.name else None

    def test(f: Frame, x: Any) -> bool:
        if inner is not None and not inner(f, x):
            return False
        if write is not None:
            write(f, x)
        return True

    return test


def _sequence(unit: Unit, patterns: list[ast.pattern], scope: Scope) -> Test:
    m = unit.machine
    stars = [i for i, part in enumerate(patterns) if isinstance(part, ast.MatchStar)]
    star = stars[0] if stars else len(patterns)
    after = len(patterns) - star - 1 if stars else 0
    name = getattr(patterns[star], "name", None) if stars else None
    write = store(unit, scope.mangled(name), scope) if name else None
    first = [pattern(unit, part, scope) for part in patterns[:star]]
    last = [pattern(unit, part, scope) for part in patterns[star + 1 :]]

    def test(f: Frame, x: Any) -> bool:
        if not isinstance(x, _SEQUENCES):
            return False
        if len(x) < star + after or (not stars and len(x) != star):
            return False
        m.spend(len(x))
        end = len(x) - after
        if not all(part(f, item) for part, item in zip(first, x, strict=False)):
            return False
        if write is not None:
            write(f, list(x[star:end]))
        return all(part(f, item) for part, item in zip(last, x[end:], strict=False))

    return test


def _mapping(unit: Unit, node: ast.MatchMapping, scope: Scope) -> Test:
    keys = unit.all(node.keys, scope)
    tests = [pattern(unit, part, scope) for part in node.patterns]
    write = store(unit, scope.mangled(node.rest), scope) if node.rest else None

    def test(f: Frame, x: Any) -> bool:
        if not isinstance(x, dict):
            return False
        wanted = [key(f) for key in keys]
        if not all(key in x for key in wanted):
            return False
        if not all(part(f, x[key]) for part, key in zip(tests, wanted, strict=True)):
            return False
        if write is not None:
            unit.machine.spend(2 * len(x))
            write(f, {key: value for key, value in x.items() if key not in wanted})
        return True

    return test


_SELF = (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Types whose one positional pattern matches the object itself."""


def _class(unit: Unit, node: ast.MatchClass, scope: Scope) -> Test:
    m, cls = unit.machine, unit.expression(node.cls, scope)
    positional = [pattern(unit, part, scope) for part in node.patterns]
    named = [
        (name, pattern(unit, part, scope))
        for name, part in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
    ]

    def test(f: Frame, x: Any) -> bool:
        kind = cls(f)
        if not isinstance(kind, type):
            raise TypeError("called match pattern must be a class")
        if not isinstance(x, kind):
            return False
        if positional and kind in _SELF:
            return len(positional) == 1 and positional[0](f, x)
        names = getattr(kind, "__match_args__", ()) if positional else ()
        if len(positional) > len(names):
            raise TypeError(
                f"{kind.__name__}() accepts {len(names)} positional sub-patterns "
                f"({len(positional)} given)"
            )
        parts = [*zip(names, positional, strict=False), *named]
        return all(_has(m, x, name) and part(f, get_attribute(m, x, name)) for name, part in parts)

    return test


def _has(m: Any, x: Any, name: str) -> bool:
    try:
        get_attribute(m, x, name)
    except AttributeError:
        return False
    return True

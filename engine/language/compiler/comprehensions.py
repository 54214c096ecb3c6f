"""Comprehensions of all kinds, and generator expressions, which compute lazily."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from engine.language.refusal import Refused
from engine.language.weights import check_key, started
from engine.record.scopes import Comprehension, Scope

from .targets import target
from .unit import UNSET, Code, Frame, Unit, cost

Turns = Callable[[Frame, Any], Iterator[None]]


def _turns(unit: Unit, node: Comprehension, inner: Scope) -> Turns:
    """A function of a frame and the first iterable that yields once for each element."""
    m = unit.machine
    elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    work = 1 + sum(map(cost, elements))
    run: Turns | None = None
    for i, part in reversed(list(enumerate(node.generators))):
        if part.is_async:
            raise Refused(part.iter, "async is not part of this language.", "Write for.")
        iterable = None if i == 0 else unit.expression(part.iter, inner)
        write = target(unit, part.target, inner)
        tests, tested = unit.all(part.ifs, inner), 1 + sum(map(cost, part.ifs))
        run = _level(m, iterable, write, tests, tested, run, work)
    assert run
    return run


def _level(
    m: Any, iterable: Code | None, write: Any, tests: list[Code], tested: int,
    below: Turns | None, work: int,
) -> Turns:  # fmt: skip
    charge = tested if below else tested + work

    def run(f: Frame, first: Any) -> Iterator[None]:
        for item in started(m, first if iterable is None else iterable(f)):
            m.left -= charge
            if m.left < 0:
                m.exhausted()
            write(f, item)
            for test in tests:
                if not test(f):
                    break
            else:
                if below is None:
                    yield
                else:
                    yield from below(f, None)

    return run


def _opened(unit: Unit, node: Comprehension, scope: Scope) -> tuple[Code, Callable[[Frame], Frame]]:
    """The code of the first iterable, and a function that makes the frame of the inner scope."""
    inner = unit.scopes[node]
    first = unit.expression(node.generators[0].iter, scope)
    captured = [(inner.slots[name], scope.slots[name]) for name in inner.free]
    cells = [inner.slots[name] for name in inner.cells]
    blank: Frame = [UNSET] * inner.size()

    def frame(f: Frame) -> Frame:
        made = blank[:]
        made[0] = f[0]
        for slot, outer in captured:
            made[slot] = f[outer]
        for cell in cells:
            made[cell] = [UNSET]
        return made

    return first, frame


def _simple(node: Comprehension) -> bool:
    return len(node.generators) == 1 and not node.generators[0].is_async


def listcomp(unit: Unit, node: ast.ListComp, scope: Scope) -> Code:
    m, inner = unit.machine, unit.scopes[node]
    first, frame = _opened(unit, node, scope)
    element = unit.expression(node.elt, inner)
    if not _simple(node):
        turns = _turns(unit, node, inner)

        def nested(f: Frame) -> list[Any]:
            made = frame(f)
            return [element(made) for _ in turns(made, first(f))]

        return nested
    part = node.generators[0]
    write, tests = target(unit, part.target, inner), unit.all(part.ifs, inner)
    work = 2 + cost(node.elt) + sum(map(cost, part.ifs))

    def code(f: Frame) -> list[Any]:
        items = first(f)
        made = frame(f)
        out = []
        for item in started(m, items):
            m.left -= work
            if m.left < 0:
                m.exhausted()
            write(made, item)
            for test in tests:
                if not test(made):
                    break
            else:
                out.append(element(made))
        return out

    return code


def setcomp(unit: Unit, node: ast.SetComp, scope: Scope) -> Code:
    m, inner = unit.machine, unit.scopes[node]
    first, frame = _opened(unit, node, scope)
    element, turns = unit.expression(node.elt, inner), _turns(unit, node, inner)

    def code(f: Frame) -> set[Any]:
        made = frame(f)
        out: set[Any] = set()
        for _ in turns(made, first(f)):
            item = element(made)
            check_key(m, item, len(out))
            out.add(item)
        return out

    return code


def dictcomp(unit: Unit, node: ast.DictComp, scope: Scope) -> Code:
    m, inner = unit.machine, unit.scopes[node]
    first, frame = _opened(unit, node, scope)
    key, value = unit.expression(node.key, inner), unit.expression(node.value, inner)
    turns = _turns(unit, node, inner)

    def code(f: Frame) -> dict[Any, Any]:
        made = frame(f)
        out: dict[Any, Any] = {}
        for _ in turns(made, first(f)):
            at = key(made)
            check_key(m, at, len(out))
            out[at] = value(made)
        return out

    return code


def generatorexp(unit: Unit, node: ast.GeneratorExp, scope: Scope) -> Code:
    m, inner = unit.machine, unit.scopes[node]
    first, frame = _opened(unit, node, scope)
    element, turns = unit.expression(node.elt, inner), _turns(unit, node, inner)

    inside = f"{scope.qualname}.<genexpr>" if scope.qualname else "<genexpr>"

    def run(made: Frame, items: Any) -> Iterator[Any]:
        for _ in turns(made, items):
            yield element(made)

    def code(f: Frame) -> Iterator[Any]:
        m.left -= 4
        made = run(frame(f), started(m, first(f)))
        made.__name__ = "<genexpr>"  # type: ignore[attr-defined]
        made.__qualname__ = inside  # type: ignore[attr-defined]
        return made

    return code

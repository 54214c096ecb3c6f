"""The built-in names of a run: Python's own, those that follow numbers, those without an import."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from typing import Any

from engine.ops import OPS
from engine.stand_ins.names import UNKNOWN
from engine.stand_ins.ordinary import is_of_arguments
from engine.value import Value

from .float_sums import FloatSum
from .follow import FOLLOWED, STORED, is_a, plain
from .objects import is_object, known

_UNSET: Any = object()


def builtin_names(m: Any) -> dict[str, Any]:
    """The built-in names of a run, as `exec` takes them."""
    table = dict(vars(builtins))  # no other kind of dict is looked up at full speed
    for function in (sum_, abs_, round_, pow_, divmod_, setattr_, getattr_, hasattr_, id_):
        name = function.__name__.rstrip("_")
        table[name] = _bound(m, function, table[name])
    for name in ("min", "max"):
        table[name] = _bound(m, _extreme(name), table[name])
    table["__import__"] = m.stand_ins.imports.import_
    for name in {node.id for node in m.source.each(ast.Name)} - table.keys() - _bound_in(m.source):
        found = m.stand_ins.imports.implicit(name)
        if found is not UNKNOWN:
            table[name] = found
    return table


def _bound_in(source: Any) -> set[str]:
    """The names that a program's module defines before it can mean anything else by them."""
    found = {node.name for kind in (ast.ClassDef, ast.FunctionDef) for node in source.each(kind)}
    for kind in (ast.Import, ast.ImportFrom):
        found |= {alias.asname or alias.name for node in source.each(kind) for alias in node.names}
    return found


def _bound(m: Any, function: Callable[..., Any], native: Any) -> Callable[..., Any]:
    """`function` of a run in the place of Python's own, which says what is wrong with arguments."""

    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return function(m, *args, **keywords)
        except TypeError as error:
            if not is_of_arguments(error):
                raise
        return native(*args, **keywords)

    call.__name__ = call.__qualname__ = native.__name__
    call.__module__ = "builtins"
    return call


def sum_(m: Any, /, *args: Any, **keywords: Any) -> Any:
    """The sum from left to right, each step as the program would write it.

    Floats are added as Python adds them: with the rounding errors of all steps before.
    """
    if len(args) != 1 or keywords.keys() - {"start"} or type(keywords.get("start", 0)) is str:
        if len(args) != 2 or isinstance(args[1], str | bytes):
            return sum(*args, **keywords)
        keywords = {"start": args[1]}
    items = args[0]
    if type(items) is range:
        return sum(items, **keywords)
    if type(items) not in (list, tuple):
        items = list(items)
    kinds = set(map(type, items))
    if kinds <= _PLAIN or (m.is_unrecorded and (kinds <= _FLOATS or kinds <= known.classes)):
        return sum(items, **keywords)
    m.node = m.here()
    total = keywords.get("start", 0)
    add = m.adder(m.node)
    if kinds <= known.classes and not m.stand_ins.is_used:
        for item in items:
            total = add(total, item)
        return total
    floats = FloatSum()
    for item in items:
        added = add(total, item)
        exact = floats.next(total, item)
        total = added if exact is None or exact == added else m.tape.with_number(added, exact)
    return total


_PLAIN = frozenset({int, bool, str})
_FLOATS = _PLAIN | {float}


def _extreme(name: str) -> Callable[..., Any]:
    """min or max: the first of the items that no other is smaller, or larger, than."""
    native: Any = {"min": min, "max": max}[name]

    def extreme(m: Any, /, *args: Any, **keywords: Any) -> Any:
        if keywords or not args:
            return native(*args, **keywords)
        items = list(args[0]) if len(args) == 1 and is_a(args[0], Iterable) else list(args)
        if not items or not _is_drawn(items):
            return native(items) if len(args) == 1 and is_a(args[0], Iterable) else native(*args)
        m.node = m.here()
        best = items[0]
        for item in items[1:]:
            best = m.apply(OPS[name], best, item)
        return best

    return extreme


def _is_drawn(items: list[Any]) -> bool:
    """Whether the choice among `items` is an operation of the picture: of Values, of numbers.

    A comparison with nan decides nothing.
    """
    kinds = set(map(type, items))
    if kinds <= STORED:
        return not kinds.isdisjoint(FOLLOWED) and not any(x != x for x in items)
    return any(is_a(item, Value) for item in items)


def abs_(m: Any, x: Any, /) -> Any:
    if is_a(x, Value) or type(x) in FOLLOWED:
        m.node = m.here()
        return m.apply(OPS["abs"], x)
    return abs(x)


def round_(m: Any, /, number: Any, ndigits: Any = None) -> Any:
    if is_a(number, Value):
        number = number.data
    if type(number) not in STORED:
        return round(number) if ndigits is None else round(number, ndigits)
    found = round(plain(number)) if ndigits is None else round(plain(number), ndigits)
    if type(number) in FOLLOWED:
        m.node = m.here()
        return m.own.connected(found, (number,))
    return found


def pow_(m: Any, /, base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is not None:
        return pow(plain(base), plain(exp), plain(mod))
    m.node = m.here()
    return m.binary("**", base, exp)


def divmod_(m: Any, a: Any, b: Any, /) -> Any:
    if type(a) in STORED and type(b) in STORED:
        divmod(plain(a), plain(b))  # which has words of its own for a division by zero
        m.node = m.here()
        return (m.binary("//", a, b), m.binary("%", a, b))
    return divmod(a, b)


def setattr_(m: Any, o: Any, name: str, value: Any, /) -> None:
    m.node = m.here()
    m.set_attribute(o, name, value)


def getattr_(m: Any, o: Any, name: str, default: Any = _UNSET, /) -> Any:
    if type(name) is not str:
        return getattr(o, name) if default is _UNSET else getattr(o, name, default)
    if default is _UNSET:
        return m.get_attribute(o, name)
    try:
        return m.get_attribute(o, name)
    except AttributeError:
        return default


def hasattr_(m: Any, o: Any, name: str, /) -> bool:
    if type(name) is not str:
        return hasattr(o, name)
    try:
        m.get_attribute(o, name)
    except AttributeError:
        return False
    return True


def id_(m: Any, o: Any, /) -> int:
    found = id(o)
    if m.witness is not None and is_object(o):
        m.witness.identified(o, found)
    return found

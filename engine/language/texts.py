"""How objects of a program are written: `str` and `repr` as CPython's, each counted by its length.

Addresses, which differ from run to run in CPython, are numbers in the order of their first use.
"""

from __future__ import annotations

import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from engine.value import Value

from .classes import Thing, address
from .contract import Machine
from .weights import ATOMS, gaps, joined, text_cost, weigh

_FIRST_ADDRESS = 0x7F10_0000_0000  # objects of program classes have numbers of their own
_IDENTITY_COST = 8

Writer = Callable[[Machine, Any], str]


def identity(m: Machine, x: Any) -> int:
    """`id(x)`: 16 apart, in the order in which the program asks."""
    if isinstance(x, Thing):
        return address(x)
    known = m.natives.identities
    if id(x) not in known:
        m.spend(_IDENTITY_COST)
        known[id(x)] = (_FIRST_ADDRESS + 16 * (len(known) + 1), x)
    return known[id(x)][0]


def repr_text(m: Machine, x: Any) -> str:
    """`repr(x)`."""
    kind = type(x)
    if kind in ATOMS or kind is int:
        m.spend(1 + (x.bit_length() >> 5) if kind is int else 1)
        return repr(x)
    writer = _WRITERS.get(kind.__repr__)
    text = writer(m, x) if writer else _exact(repr(x))
    m.spend(text_cost(text))
    return text


def _exact(text: str) -> str:
    """The text that a method of the program returned, as one of Python's own class."""
    return text if type(text) is str else str.__str__(text)


def write_as(m: Machine, base: type, x: Any, name: str) -> str:
    """`repr` or `str` of `x` as objects of its base write themselves."""
    writer = _WRITERS.get(base.__repr__) if name == "__repr__" else None
    if isinstance(x, BaseException) and name == "__str__":
        return _message(m, x)
    text = writer(m, x) if writer else _exact(getattr(base, name)(x))
    m.spend(text_cost(text))
    return text


def _message(m: Machine, error: BaseException) -> str:
    """`str` of an exception."""
    if len(error.args) == 1 and type(error).__str__ is BaseException.__str__:
        return str_text(m, error.args[0])
    if len(error.args) == 1 and type(error).__str__ is KeyError.__str__:
        return repr_text(m, error.args[0])
    weigh(m, error.args)
    return _exact(str(error))


def str_text(m: Machine, x: Any) -> str:
    """`str(x)`."""
    kind = type(x)
    if kind is str:
        return str(x)
    own: Any = kind.__str__
    if own is object.__str__:
        return repr_text(m, x)
    text = _message(m, x) if isinstance(x, BaseException) else _exact(str(x))
    m.spend(text_cost(text))
    return text


def format_with(m: Machine, x: Any, spec: str) -> str:
    """`format(x, spec)` with a spec whose widths are checked."""
    written: Any = type(x).__format__
    if not spec and type(written) is not types.FunctionType:  # a class without its own
        return str_text(m, x)
    text = _exact(format(x, spec))
    m.spend(text_cost(text))
    return text


def name_of_type(x: Any) -> str:
    """The name of the type of `x` in an error."""
    return _SHOWN_TYPES.get(type(x).__name__, type(x).__name__)


_SHOWN_TYPES = {
    "TapedFloat": "float", "TapedInt": "int", "ProgramType": "type", "Library": "module",
    "deque": "collections.deque", "defaultdict": "collections.defaultdict",
    "OrderedDict": "collections.OrderedDict", "partial": "functools.partial",
}  # fmt: skip


# Containers


def _joined(m: Machine, items: Iterable[Any]) -> str:
    return joined(m, [repr_text(m, item) for item in items], ", ")


def _guarded(inside: str, write: Writer) -> Writer:
    """A writer of a container, which is written as `inside` within itself."""

    def guarded(m: Machine, x: Any) -> str:
        if id(x) in m.natives.writing:
            return inside
        m.natives.writing.add(id(x))
        try:
            return write(m, x)
        finally:
            m.natives.writing.discard(id(x))

    return guarded


def _tuple(m: Machine, x: tuple[Any, ...]) -> str:
    return f"({_joined(m, x)},)" if len(x) == 1 else f"({_joined(m, x)})"


def _dict(m: Machine, x: dict[Any, Any]) -> str:
    m.spend(gaps(x))
    texts = [f"{repr_text(m, key)}: {repr_text(m, value)}" for key, value in list(x.items())]
    return f"{{{joined(m, texts, ', ')}}}"


def _set(m: Machine, x: Any) -> str:
    name = type(x).__name__
    if not x:
        return f"{name}()"
    m.spend(gaps(x))
    inside = f"{{{_joined(m, list(x))}}}"
    return inside if type(x) is set else f"{name}({inside})"


def _deque(m: Machine, x: deque[Any]) -> str:
    limit = "" if x.maxlen is None else f", maxlen={x.maxlen}"
    return f"{type(x).__name__}([{_joined(m, list(x))}]{limit})"


def _counter(m: Machine, x: Counter[Any]) -> str:
    if not x:
        return f"{type(x).__name__}()"
    m.spend(len(x) * 4)
    try:
        pairs = dict(x.most_common())
    except TypeError:
        pairs = dict(x)
    return f"{type(x).__name__}({_dict(m, pairs)})"


def _default_dict(m: Machine, x: defaultdict[Any, Any]) -> str:
    factory = getattr(x.default_factory, "of_program", x.default_factory)
    return f"{type(x).__name__}({repr_text(m, factory)}, {_dict(m, x)})"


def _ordered_dict(m: Machine, x: OrderedDict[Any, Any]) -> str:
    pairs = [f"({repr_text(m, key)}, {repr_text(m, value)})" for key, value in list(x.items())]
    return f"{type(x).__name__}([{', '.join(pairs)}])" if pairs else f"{type(x).__name__}()"


def _view(m: Machine, x: Any) -> str:
    m.spend(gaps(x))
    return f"{type(x).__name__}([{_joined(m, list(x))}])"


def _exception(m: Machine, x: BaseException) -> str:
    return f"{type(x).__name__}({_joined(m, x.args)})"


# Things with an address


def _address(m: Machine, x: Any) -> str:
    return f"at 0x{identity(m, x):x}"


def _object(m: Machine, x: Any) -> str:
    kind = type(x)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"<{module}{kind.__qualname__} object {_address(m, x)}>"


def _function(m: Machine, x: types.FunctionType) -> str:
    if str(x.__module__).startswith("engine."):
        return f"<built-in function {x.__name__}>"
    return f"<function {x.__qualname__} {_address(m, x)}>"


def _method(m: Machine, x: types.MethodType) -> str:
    name = getattr(x.__func__, "__qualname__", "?")
    return f"<bound method {name} of {repr_text(m, x.__self__)}>"


def _generator(m: Machine, x: Any) -> str:
    return f"<generator object {x.__qualname__} {_address(m, x)}>"


def _partial(m: Machine, x: partial[Any]) -> str:
    function = getattr(x.func, "of_program", x.func)
    parts = [repr_text(m, function), *(repr_text(m, arg) for arg in x.args)]
    parts += [f"{key}={repr_text(m, value)}" for key, value in x.keywords.items()]
    return f"functools.partial({', '.join(parts)})"


def _text(m: Machine, x: str) -> str:
    m.spend(len(x) >> 3)
    return str.__repr__(x)


def _value(m: Machine, x: Value) -> str:
    """A built-in Value, as the lecture's class or micrograd's writes itself."""
    if m.follows_micrograd and type(x) is Value:
        return f"Value(data={x.data}, grad={x.grad})"
    return Value.__repr__(x)


_WRITERS: dict[Any, Writer] = {
    Value.__repr__: _value,
    list.__repr__: _guarded("[...]", lambda m, x: f"[{_joined(m, list(x))}]"),
    tuple.__repr__: _guarded("(...)", _tuple),
    dict.__repr__: _guarded("{...}", _dict),
    set.__repr__: _guarded("set(...)", _set),
    frozenset.__repr__: _guarded("frozenset(...)", _set),
    deque.__repr__: _guarded("[...]", _deque),
    Counter.__repr__: _guarded("...", _counter),
    defaultdict.__repr__: _guarded("defaultdict(...)", _default_dict),
    OrderedDict.__repr__: _guarded("...", _ordered_dict),
    type({}.keys()).__repr__: _guarded("...", _view),
    type({}.values()).__repr__: _guarded("...", _view),
    type({}.items()).__repr__: _guarded("...", _view),
    BaseException.__repr__: _guarded("...", _exception),
    str.__repr__: _text,
    object.__repr__: _object,
    types.FunctionType.__repr__: _function,
    types.MethodType.__repr__: _method,
    types.GeneratorType.__repr__: _generator,
    partial.__repr__: _guarded("...", _partial),
}
"""The writer of each `__repr__` of CPython's own that would show an address or go into items."""
